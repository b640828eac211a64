#include "frontend_lang/chat/jinja_expression_parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "frontend_lang/chat/jinja_filters.h"
#include "frontend_lang/chat/jinja_lexer.h"
#include "frontend_lang/chat/jinja_tests.h"

namespace espalier::jinja {
namespace {

constexpr int kMaxDepth = 200;

struct BinarySymbol {
  std::string_view symbol;
  lang::BinaryOp op;
};
constexpr BinarySymbol kSums[] = {{"+", lang::BinaryOp::kAdd}, {"-", lang::BinaryOp::kSub}};
constexpr BinarySymbol kProducts[] = {{"*", lang::BinaryOp::kMul},
                                      {"/", lang::BinaryOp::kDiv},
                                      {"//", lang::BinaryOp::kFloorDiv},
                                      {"%", lang::BinaryOp::kMod}};
constexpr BinarySymbol kPowers[] = {{"**", lang::BinaryOp::kPow}};

std::optional<lang::BinaryOp> FindBinary(std::span<const BinarySymbol> symbols,
                                         const Token& token) {
  for (const BinarySymbol& entry : symbols) {
    if (token.IsOperator(entry.symbol)) return entry.op;
  }
  return std::nullopt;
}

struct ComparisonSymbol {
  std::string_view symbol;
  Comparison op;
};
constexpr ComparisonSymbol kComparisons[] = {
    {"==", Comparison::kEq}, {"!=", Comparison::kNe}, {"<", Comparison::kLt},
    {"<=", Comparison::kLe}, {">", Comparison::kGt},  {">=", Comparison::kGe},
};

std::string Describe(const Token& token) {
  switch (token.kind) {
    case TokenKind::kEnd: return "the end of the template";
    case TokenKind::kPrintEnd: return "}}";
    case TokenKind::kBlockEnd: return "%}";
    case TokenKind::kString: return "a string";
    case TokenKind::kText: return "text";
    default: return "'" + token.text + "'";
  }
}

}  // namespace

bool ExpressionParser::SkipOperator(std::string_view symbol) {
  if (!token().IsOperator(symbol)) return false;
  Next();
  return true;
}
bool ExpressionParser::SkipName(std::string_view name) {
  if (!token().IsName(name)) return false;
  Next();
  return true;
}
Status ExpressionParser::ExpectOperator(std::string_view symbol) {
  return SkipOperator(symbol) ? Status() : Unexpected("'" + std::string(symbol) + "'");
}
Status ExpressionParser::ExpectName(std::string_view name) {
  return SkipName(name) ? Status() : Unexpected("'" + std::string(name) + "'");
}
Status ExpressionParser::ExpectBlockEnd() {
  if (token().kind != TokenKind::kBlockEnd) return Unexpected("%}");
  Next();
  return Status();
}
Status ExpressionParser::ErrorAt(const Token& token, std::string_view message) {
  return TemplateError(Code::kInvalidArgument, token.line, token.column, message);
}
Status ExpressionParser::Unexpected(std::string_view expected) const {
  return Error("expected " + std::string(expected) + ", found " + Describe(token()));
}

Status ExpressionParser::Level::Check() const {
  return parser_.level_ <= kMaxDepth / 2 ? Status() : parser_.Error("nested too deeply");
}

Result<NodeId> ExpressionParser::Add(NodeData data, const Token& token,
                                     std::span<const NodeId> children) {
  int depth = 1;
  for (const NodeId child : children) {
    if (child != kNoNode) depth = std::max(depth, depths_[static_cast<std::size_t>(child)] + 1);
  }
  if (depth > kMaxDepth) return ErrorAt(token, "nested too deeply");
  ast_.nodes.push_back({std::move(data), token.line});
  depths_.push_back(depth);
  return static_cast<NodeId>(ast_.nodes.size() - 1);
}

NameId ExpressionParser::InternName(std::string_view name) {
  const auto [at, added] = name_ids_.try_emplace(std::string(name), ast_.names.size());
  if (added) ast_.names.emplace_back(name);
  return static_cast<NameId>(at->second);
}

bool ExpressionParser::Reads(std::string_view name, NodeId first) const {
  const auto at = name_ids_.find(std::string(name));
  if (at == name_ids_.end()) return false;
  const auto id = static_cast<NameId>(at->second);
  return std::any_of(ast_.nodes.begin() + first, ast_.nodes.end(), [id](const Node& node) {
    const Name* read = std::get_if<Name>(&node.data);
    return read != nullptr && read->name == id;
  });
}

Ast ExpressionParser::TakeAst(NodeId root) {
  ast_.root = root;
  return std::move(ast_);
}

Result<NodeId> ExpressionParser::Parse(Ternary ternary) {
  const Level level(*this);
  ESP_RETURN_IF_ERROR(level.Check());
  const std::size_t before = num_missing();
  ESP_ASSIGN_OR_RETURN(NodeId node, ParseOr());
  while (ternary == Ternary::kAllowed && token().IsName("if")) {
    const Token& at = Next();
    ESP_ASSIGN_OR_RETURN(const NodeId condition, ParseOr());
    NodeId otherwise = kNoNode;
    if (SkipName("else")) {
      ESP_ASSIGN_OR_RETURN(otherwise, Parse());
    }
    ESP_ASSIGN_OR_RETURN(
        node, Add(Conditional{node, condition, otherwise}, at, {node, condition, otherwise}));
    LeaveToBranch(before);
  }
  return node;
}

bool ExpressionParser::AtTupleEnd() const {
  return token().kind == TokenKind::kPrintEnd || token().kind == TokenKind::kBlockEnd ||
         token().IsOperator(")") || token().IsOperator("=") || token().IsName("recursive");
}

Result<NodeId> ExpressionParser::ParseTuple(Ternary ternary) {
  const Token& at = token();
  ESP_ASSIGN_OR_RETURN(const NodeId first, Parse(ternary));
  if (!token().IsOperator(",")) return first;
  std::vector<NodeId> items = {first};
  while (SkipOperator(",")) {
    if (AtTupleEnd()) break;
    ESP_ASSIGN_OR_RETURN(const NodeId item, Parse(ternary));
    items.push_back(item);
  }
  return Add(TupleDisplay{items}, at, items);
}

Result<NodeId> ExpressionParser::ParseOr() {
  ESP_ASSIGN_OR_RETURN(NodeId left, ParseAnd());
  while (token().IsName("or")) {
    const Token& at = Next();
    ESP_ASSIGN_OR_RETURN(const NodeId right, ParseAnd());
    ESP_ASSIGN_OR_RETURN(left, Add(Logical{Logical::Op::kOr, left, right}, at, {left, right}));
  }
  return left;
}

Result<NodeId> ExpressionParser::ParseAnd() {
  ESP_ASSIGN_OR_RETURN(NodeId left, ParseNot());
  while (token().IsName("and")) {
    const Token& at = Next();
    ESP_ASSIGN_OR_RETURN(const NodeId right, ParseNot());
    ESP_ASSIGN_OR_RETURN(left, Add(Logical{Logical::Op::kAnd, left, right}, at, {left, right}));
  }
  return left;
}

Result<NodeId> ExpressionParser::ParseNot() {
  if (!token().IsName("not")) return ParseCompare();
  const Level level(*this);
  ESP_RETURN_IF_ERROR(level.Check());
  const Token& at = Next();
  ESP_ASSIGN_OR_RETURN(const NodeId operand, ParseNot());
  return Add(Not{operand}, at, {operand});
}

Result<NodeId> ExpressionParser::ParseCompare() {
  const Token& start = token();
  ESP_ASSIGN_OR_RETURN(const NodeId first, ParseSum());
  CompareChain chain{first, {}};
  std::vector<NodeId> children = {first};
  while (true) {
    const auto* symbol = std::ranges::find_if(kComparisons, [&](const ComparisonSymbol& entry) {
      return token().IsOperator(entry.symbol);
    });
    Comparison op = Comparison::kIn;
    if (symbol != std::end(kComparisons)) {
      op = symbol->op;
    } else if (token().IsName("not") && tokens_[at_ + 1].IsName("in")) {
      Next();
      op = Comparison::kNotIn;
    } else if (!token().IsName("in")) {
      break;
    }
    Next();
    ESP_ASSIGN_OR_RETURN(const NodeId operand, ParseSum());
    chain.rest.emplace_back(op, operand);
    children.push_back(operand);
  }
  if (chain.rest.empty()) return first;
  return Add(std::move(chain), start, children);
}

Result<NodeId> ExpressionParser::ParseSum() {
  ESP_ASSIGN_OR_RETURN(NodeId left, ParseConcat());
  while (const auto op = FindBinary(kSums, token())) {
    const Token& at = Next();
    ESP_ASSIGN_OR_RETURN(const NodeId right, ParseConcat());
    ESP_ASSIGN_OR_RETURN(left, Add(Binary{*op, left, right}, at, {left, right}));
  }
  return left;
}

Result<NodeId> ExpressionParser::ParseConcat() {
  const Token& start = token();
  ESP_ASSIGN_OR_RETURN(const NodeId first, ParseProduct());
  if (!token().IsOperator("~")) return first;
  Concat concat{{first}};
  while (SkipOperator("~")) {
    ESP_ASSIGN_OR_RETURN(const NodeId part, ParseProduct());
    concat.parts.push_back(part);
  }
  const std::vector<NodeId> children = concat.parts;
  return Add(std::move(concat), start, children);
}

Result<NodeId> ExpressionParser::ParseProduct() {
  ESP_ASSIGN_OR_RETURN(NodeId left, ParsePower());
  while (const auto op = FindBinary(kProducts, token())) {
    const Token& at = Next();
    ESP_ASSIGN_OR_RETURN(const NodeId right, ParsePower());
    ESP_ASSIGN_OR_RETURN(left, Add(Binary{*op, left, right}, at, {left, right}));
  }
  return left;
}

// In jinja2 ** binds to the left, and less tightly than a sign.
Result<NodeId> ExpressionParser::ParsePower() {
  ESP_ASSIGN_OR_RETURN(NodeId left, ParseUnary());
  while (const auto op = FindBinary(kPowers, token())) {
    const Token& at = Next();
    ESP_ASSIGN_OR_RETURN(const NodeId right, ParseUnary());
    ESP_ASSIGN_OR_RETURN(left, Add(Binary{*op, left, right}, at, {left, right}));
  }
  return left;
}

Result<NodeId> ExpressionParser::ParseUnary(Filters filters) {
  const Level level(*this);
  ESP_RETURN_IF_ERROR(level.Check());
  NodeId node = kNoNode;
  if (token().IsOperator("-") || token().IsOperator("+")) {
    const Token& at = Next();
    ESP_ASSIGN_OR_RETURN(const NodeId operand, ParseUnary(Filters::kNot));
    const auto op = at.text == "-" ? lang::UnaryOp::kMinus : lang::UnaryOp::kPlus;
    ESP_ASSIGN_OR_RETURN(node, Add(Unary{op, operand}, at, {operand}));
  } else {
    ESP_ASSIGN_OR_RETURN(node, ParsePrimary());
  }
  ESP_ASSIGN_OR_RETURN(node, ParsePostfix(node));
  if (filters == Filters::kNot) return node;
  return ParseFilterExpression(node);
}

Result<NodeId> ExpressionParser::ParsePostfix(NodeId node) {
  while (true) {
    if (token().IsOperator(".")) {
      ESP_ASSIGN_OR_RETURN(node, ParseAttribute(node));
    } else if (token().IsOperator("[")) {
      ESP_ASSIGN_OR_RETURN(node, ParseItem(node));
    } else if (token().IsOperator("(")) {
      ESP_ASSIGN_OR_RETURN(node, ParseCall(node));
    } else {
      return node;
    }
  }
}

Result<NodeId> ExpressionParser::ParseFilterExpression(NodeId node) {
  while (true) {
    if (SkipOperator("|")) {
      ESP_ASSIGN_OR_RETURN(node, ParseFilter(node));
    } else if (token().IsName("is")) {
      ESP_ASSIGN_OR_RETURN(node, ParseTest(node));
    } else if (token().IsOperator("(")) {
      ESP_ASSIGN_OR_RETURN(node, ParseCall(node));
    } else {
      return node;
    }
  }
}

}  // namespace espalier::jinja
