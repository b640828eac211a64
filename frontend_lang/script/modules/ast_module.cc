// ast: literal_eval alone, which reads a literal and runs nothing.
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/bytes/bytes.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/syntax/ast.h"
#include "frontend_lang/script/syntax/parser.h"
#include "frontend_lang/script/values/arithmetic.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/number_parse.h"
#include "frontend_lang/script/values/set.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

// The value of an expression of literals.
class LiteralReader {
 public:
  LiteralReader(Host& host, const Source& source) : host_(host), source_(source) {}

  Outcome<Value> Read(const Expr& expr) {
    lang::NestedScope scope(host_);
    ESP_TRY(scope.Check());
    ESP_TRY(host_.Step());
    place_ = expr.span;
    return std::visit([this](const auto& node) { return Of(node); }, expr.node);
  }

 private:
  Fault Malformed(std::string_view kind) const {
    return lang::ValueError(
        fmt::format("malformed node or string on line {}: <ast.{} object at 0x7f0000000000>",
                    source_.Locate(place_.begin).line, kind));
  }

  Outcome<Value> Of(const NoneExpr&) { return Value(); }
  Outcome<Value> Of(const BoolExpr& e) { return Value::Bool(e.value); }
  Outcome<Value> Of(const EllipsisExpr&) { return host_.heap().New<lang::List>(); }
  Outcome<Value> Of(const NumberExpr& e) {
    std::string digits(e.literal);
    if (!e.is_float) return lang::ParseInt(host_, digits, 0);
    std::erase(digits, '_');
    return Value::Float(lang::ParseFloat(digits).value_or(0));
  }
  Outcome<Value> Of(const StringExpr& e) {
    if (e.is_bytes) return host_.heap().New<Bytes>(e.text);
    return lang::MakeStr(host_.heap(), e.text);
  }
  Outcome<std::vector<Value>> Items(const std::vector<const Expr*>& exprs) {
    std::vector<Value> items;
    for (const Expr* expr : exprs) {
      ESP_TRY_ASSIGN(Value item, Read(*expr));
      items.push_back(std::move(item));
    }
    return items;
  }
  Outcome<Value> Of(const TupleExpr& e) {
    ESP_TRY_ASSIGN(std::vector<Value> items, Items(e.items));
    return host_.heap().New<lang::Tuple>(std::move(items));
  }
  Outcome<Value> Of(const ListExpr& e) {
    ESP_TRY_ASSIGN(std::vector<Value> items, Items(e.items));
    return host_.heap().New<lang::List>(std::move(items));
  }
  Outcome<Value> Of(const SetExpr& e) {
    ESP_TRY_ASSIGN(const std::vector<Value> items, Items(e.items));
    Value made = host_.heap().New<lang::Set>();
    for (const Value& item : items) ESP_TRY(made.As<lang::Set>()->Add(host_, item));
    return made;
  }
  Outcome<Value> Of(const DictExpr& e) {
    Value made = host_.heap().New<lang::Dict>();
    for (const DictItem& item : e.items) {
      if (item.key == nullptr) return Malformed("Dict");
      ESP_TRY_ASSIGN(const Value key, Read(*item.key));
      ESP_TRY_ASSIGN(Value value, Read(*item.value));
      ESP_TRY(made.As<lang::Dict>()->Put(host_, key, std::move(value)));
    }
    return made;
  }
  Outcome<Value> Of(const UnaryExpr& e) {
    const bool is_sign = e.op == TokenKind::kPlus || e.op == TokenKind::kMinus;
    if (!is_sign || e.operand->If<NumberExpr>() == nullptr) return Malformed("UnaryOp");
    ESP_TRY_ASSIGN(const Value number, Read(*e.operand));
    return lang::Unary(
        host_, e.op == TokenKind::kPlus ? lang::UnaryOp::kPlus : lang::UnaryOp::kMinus, number);
  }
  Outcome<Value> Of(const CallExpr& e) {
    const auto* name = e.callee->If<NameExpr>();
    if (name != nullptr && name->name == "set" && e.arguments.empty()) {
      return host_.heap().New<lang::Set>();
    }
    return Malformed("Call");
  }
  Outcome<Value> Of(const NameExpr&) { return Malformed("Name"); }
  Outcome<Value> Of(const BinaryExpr&) { return Malformed("BinOp"); }
  Outcome<Value> Of(const AttributeExpr&) { return Malformed("Attribute"); }
  Outcome<Value> Of(const SubscriptExpr&) { return Malformed("Subscript"); }
  Outcome<Value> Of(const CompareExpr&) { return Malformed("Compare"); }
  Outcome<Value> Of(const JoinedExpr&) { return Malformed("JoinedStr"); }
  Outcome<Value> Of(const ConditionalExpr&) { return Malformed("IfExp"); }
  Outcome<Value> Of(const LogicalExpr&) { return Malformed("BoolOp"); }
  Outcome<Value> Of(const LambdaExpr&) { return Malformed("Lambda"); }
  Outcome<Value> Of(const StarredExpr&) { return Malformed("Starred"); }
  template <typename Other>
  Outcome<Value> Of(const Other&) {
    return Malformed("expr");
  }

  Host& host_;
  const Source& source_;
  Span place_;
};

Fault NotAnExpression(const std::string& message, int line) {
  return lang::Raise("SyntaxError", fmt::format("{} (<unknown>, line {})", message, line));
}

Outcome<Value> LiteralEval(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("literal_eval", args, {"node_or_string"}, 1));
  if (!bound[0].is_str()) {
    return lang::ValueError(
        fmt::format("malformed node or string: <{} object>", lang::TypeName(bound[0])));
  }
  std::string text(lang::TextOf(bound[0]));
  text.erase(0, text.find_first_not_of(" \t"));
  ESP_TRY(host.Reserve(static_cast<std::int64_t>(text.size()), 64));
  ESP_TRY(host.Step(static_cast<std::int64_t>(text.size() / 64)));
  auto source = Source::FromText("<unknown>", text);
  if (!source.ok()) return NotAnExpression(source.status().message(), 1);
  const ParseResult parsed = Parse(*source);
  if (const auto* problem = std::get_if<SyntaxProblem>(&parsed)) {
    return NotAnExpression(problem->message, (*source)->Locate(problem->span.begin).line);
  }
  const Ast& ast = *std::get<std::unique_ptr<const Ast>>(parsed);
  const auto* only = ast.body.size() == 1 ? ast.body[0]->If<ExprStmt>() : nullptr;
  if (only == nullptr) return NotAnExpression("invalid syntax", 1);
  return LiteralReader(host, **source).Read(*only->value);
}

}  // namespace

Value MakeAstModule(Machine& machine) {
  constexpr ModuleFunction kFunctions[] = {{"literal_eval", LiteralEval}};
  return NewModule(machine, "ast", kFunctions);
}

}  // namespace espalier::script
