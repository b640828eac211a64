#include "frontend_lang/script/syntax/expr_parser.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "frontend_lang/script/syntax/string_parser.h"
#include "frontend_lang/script/syntax/walk.h"

namespace espalier::script {
namespace {

using K = TokenKind;

constexpr std::size_t kMaxClauses = 20;  // each nests the ones behind it

struct Level {
  std::array<TokenKind, 5> operators;  // filled up with kEnd
};
// Loosest first.
constexpr std::array kLevels = {
    Level{{K::kPipe, K::kEnd, K::kEnd, K::kEnd, K::kEnd}},
    Level{{K::kCaret, K::kEnd, K::kEnd, K::kEnd, K::kEnd}},
    Level{{K::kAmpersand, K::kEnd, K::kEnd, K::kEnd, K::kEnd}},
    Level{{K::kShiftLeft, K::kShiftRight, K::kEnd, K::kEnd, K::kEnd}},
    Level{{K::kPlus, K::kMinus, K::kEnd, K::kEnd, K::kEnd}},
    Level{{K::kStar, K::kSlash, K::kDoubleSlash, K::kPercent, K::kAt}},
};

// How an error message calls something that cannot be assigned to.
struct TargetNamer {
  std::string_view operator()(const NoneExpr&) { return "None"; }
  std::string_view operator()(const BoolExpr& e) { return e.value ? "True" : "False"; }
  std::string_view operator()(const EllipsisExpr&) { return "ellipsis"; }
  std::string_view operator()(const NumberExpr&) { return "literal"; }
  std::string_view operator()(const StringExpr&) { return "literal"; }
  std::string_view operator()(const TupleExpr&) { return "tuple"; }
  std::string_view operator()(const ListExpr&) { return "list"; }
  std::string_view operator()(const StarredExpr&) { return "starred"; }
  std::string_view operator()(const NameExpr&) { return "name"; }
  std::string_view operator()(const AttributeExpr&) { return "attribute"; }
  std::string_view operator()(const SubscriptExpr&) { return "subscript"; }
  std::string_view operator()(const SetExpr&) { return "set display"; }
  std::string_view operator()(const DictExpr&) { return "dict literal"; }
  std::string_view operator()(const CompareExpr&) { return "comparison"; }
  std::string_view operator()(const ConditionalExpr&) { return "conditional expression"; }
  std::string_view operator()(const CallExpr&) { return "function call"; }
  std::string_view operator()(const LambdaExpr&) { return "lambda"; }
  std::string_view operator()(const JoinedExpr&) { return "f-string expression"; }
  std::string_view operator()(const WalrusExpr&) { return "named expression"; }
  std::string_view operator()(const YieldExpr&) { return "yield expression"; }
  std::string_view operator()(const AwaitExpr&) { return "await expression"; }
  std::string_view operator()(const ComprehensionExpr& e) {
    switch (e.kind) {
      case ComprehensionKind::kList: return "list comprehension";
      case ComprehensionKind::kSet: return "set comprehension";
      case ComprehensionKind::kDict: return "dict comprehension";
      case ComprehensionKind::kGenerator: return "generator expression";
    }
    return "expression";
  }
  template <typename Other>
  std::string_view operator()(const Other&) {
    return "expression";
  }
};

// What an expression begins with.
const Expr& FirstOf(const Expr& expr) {
  const Expr* at = &expr;
  for (;;) {
    if (const auto* call = at->If<CallExpr>()) {
      at = call->callee;
    } else if (const auto* attribute = at->If<AttributeExpr>()) {
      at = attribute->object;
    } else if (const auto* item = at->If<SubscriptExpr>()) {
      at = item->object;
    } else if (const auto* binary = at->If<BinaryExpr>()) {
      at = binary->left;
    } else {
      return *at;
    }
  }
}

// Python 3.11 suggests == only behind what cannot hold an operator looser than |.
bool TakesSuffix(const Expr& expr) {
  const Expr& first = FirstOf(expr);
  if (first.If<TupleExpr>() || first.If<ListExpr>() || first.If<BoolExpr>() ||
      first.If<NoneExpr>()) {
    return false;
  }
  return expr.If<CompareExpr>() == nullptr && expr.If<LogicalExpr>() == nullptr &&
         expr.If<ConditionalExpr>() == nullptr && expr.If<LambdaExpr>() == nullptr &&
         expr.If<YieldExpr>() == nullptr && expr.If<AwaitExpr>() == nullptr &&
         (expr.If<UnaryExpr>() == nullptr || expr.If<UnaryExpr>()->op != K::kNot);
}

}  // namespace

std::string_view ExprParser::KindOf(const Expr& expr) {
  return std::visit(TargetNamer{}, expr.node);
}

void ExprParser::FailAssignment(const Expr& expr) {
  const Span span{expr.span.begin, cursor_.Peek().span.end};
  if (expr.If<NameExpr>() != nullptr) {
    return cursor_.Fail("invalid syntax. Maybe you meant '==' or ':=' instead of '='?", span);
  }
  if (expr.If<TupleExpr>() || expr.If<ListExpr>() || !TakesSuffix(expr)) return cursor_.FailHere();
  cursor_.Fail(
      fmt::format("cannot assign to {} here. Maybe you meant '==' instead of '='?", KindOf(expr)),
      expr.span);
}

const Expr* ExprParser::Make(Expr::Node node, Span span) {
  Expr& expr = ast_.exprs.emplace_back(Expr{std::move(node), span, 1});
  ForEachChild(expr,
               [&](const Expr& child) { expr.height = std::max(expr.height, child.height + 1); });
  if (expr.height > Expr::kMaxHeight) {
    cursor_.Fail("expression is too long", span, "split it into several statements");
  }
  return &expr;
}

void ExprParser::Refuse(std::string what, Span span, std::string hint) {
  cursor_.Fail(what + " not in the language", span, std::move(hint));
}

const Expr* ExprParser::Expression() {
  const Nest nest(*this);
  const std::uint32_t begin = cursor_.Peek().span.begin;
  if (cursor_.At(K::kLambda)) return Lambda();
  const Expr* value = Logical(K::kOr);
  if (!cursor_.Accept(K::kIf)) return value;
  const Expr* test = Logical(K::kOr);
  if (!cursor_.Accept(K::kElse)) {
    cursor_.Fail("expected 'else' after 'if' expression", {begin, cursor_.last_end()});
  }
  const Expr* otherwise = Expression();
  return Make(ConditionalExpr{test, value, otherwise}, {begin, cursor_.last_end()});
}

const Expr* ExprParser::NamedExpression() {
  if (!cursor_.At(K::kName) || cursor_.Peek(1).kind != K::kWalrus) {
    const Expr* value = Expression();
    if (cursor_.At(K::kWalrus)) {
      cursor_.Fail(fmt::format("cannot use assignment expressions with {}", KindOf(*value)),
                   value->span);
    }
    return value;
  }
  const Token name = cursor_.Next();
  cursor_.Next();
  const Expr* value = Expression();
  return Make(WalrusExpr{TextOf(name), value}, {name.span.begin, value->span.end});
}

const Expr* ExprParser::StarOrNamed() {
  if (!cursor_.At(K::kStar)) return NamedExpression();
  const Token star = cursor_.Next();
  const Expr* value = Binary(0);
  return Make(StarredExpr{value}, {star.span.begin, value->span.end});
}

const Expr* ExprParser::StarOrExpression() {
  return cursor_.At(K::kStar) ? StarOrNamed() : Expression();
}

const Expr* ExprParser::StarExpressions() {
  const std::uint32_t begin = cursor_.Peek().span.begin;
  const Expr* first = StarOrExpression();
  if (!cursor_.At(K::kComma)) {
    if (first->If<StarredExpr>() && !cursor_.At(K::kAssign)) {
      cursor_.Fail("can't use starred expression here", first->span);
    }
    return first;
  }
  std::vector<const Expr*> items{first};
  while (cursor_.Accept(K::kComma) && StartsExpression()) items.push_back(StarOrExpression());
  return Make(TupleExpr{std::move(items)}, {begin, cursor_.last_end()});
}

const Expr* ExprParser::NamedExpressions() {
  const std::uint32_t begin = cursor_.Peek().span.begin;
  const Expr* first = StarOrNamed();
  if (!cursor_.At(K::kComma)) return first;
  std::vector<const Expr*> items{first};
  while (cursor_.Accept(K::kComma) && StartsExpression()) items.push_back(StarOrNamed());
  return Make(TupleExpr{std::move(items)}, {begin, cursor_.last_end()});
}

const Expr* ExprParser::YieldOrStarExpressions() {
  return cursor_.At(K::kYield) ? Yield() : StarExpressions();
}

const Expr* ExprParser::Yield() {
  const Token yield = cursor_.Next();
  const bool from = cursor_.Accept(K::kFrom);
  const Expr* value = nullptr;
  if (from) {
    value = Expression();
  } else if (StartsExpression()) {
    value = StarExpressions();
  }
  return Make(YieldExpr{value, from}, {yield.span.begin, cursor_.last_end()});
}

const Expr* ExprParser::TargetList() {
  const auto one = [&] {
    if (!cursor_.At(K::kStar)) return Binary(0);
    const Token star = cursor_.Next();
    const Expr* value = Binary(0);
    return Make(StarredExpr{value}, {star.span.begin, value->span.end});
  };
  const Expr* first = one();
  if (!cursor_.At(K::kComma)) {
    if (first->If<StarredExpr>()) {
      cursor_.Fail("starred assignment target must be in a list or tuple", first->span);
    }
    return first;
  }
  std::vector<const Expr*> items{first};
  while (cursor_.Accept(K::kComma) && StartsExpression()) items.push_back(one());
  return Make(TupleExpr{std::move(items)}, {first->span.begin, cursor_.last_end()});
}

const Expr* ExprParser::PrimaryTarget() { return Binary(0); }

void ExprParser::CheckTarget(const Expr& expr, std::string_view verb, std::string_view suffix) {
  if (expr.If<NameExpr>() || expr.If<AttributeExpr>() || expr.If<SubscriptExpr>()) return;
  const std::vector<const Expr*>* items = nullptr;
  if (const auto* tuple = expr.If<TupleExpr>()) items = &tuple->items;
  if (const auto* list = expr.If<ListExpr>()) items = &list->items;
  if (items == nullptr) {
    if (expr.If<StarredExpr>() != nullptr && verb != "delete") {
      return cursor_.Fail("starred assignment target must be in a list or tuple", expr.span);
    }
    return cursor_.Fail(
        fmt::format("cannot {} {}{}", verb, KindOf(expr), TakesSuffix(expr) ? suffix : ""),
        expr.span);
  }
  int num_starred = 0;
  for (const Expr* item : *items) {
    const auto* starred = item->If<StarredExpr>();
    if (starred != nullptr && verb == "delete") {
      return cursor_.Fail("cannot delete starred", item->span);
    }
    if (starred != nullptr && ++num_starred > 1) {
      return cursor_.Fail("multiple starred expressions in assignment", expr.span);
    }
    CheckTarget(starred != nullptr ? *starred->value : *item, verb, "");
  }
}

const Expr* ExprParser::Logical(TokenKind op) {
  const auto operand = [&] { return op == K::kOr ? Logical(K::kAnd) : Not(); };
  const std::uint32_t begin = cursor_.Peek().span.begin;
  const Expr* first = operand();
  if (!cursor_.At(op)) return first;
  std::vector<const Expr*> items{first};
  while (cursor_.Accept(op)) items.push_back(operand());
  return Make(LogicalExpr{op, std::move(items)}, {begin, cursor_.last_end()});
}

const Expr* ExprParser::Not() {
  if (!cursor_.At(K::kNot)) return Comparison();
  const Nest nest(*this);
  const Token word = cursor_.Next();
  const Expr* operand = Not();
  return Make(UnaryExpr{K::kNot, operand}, {word.span.begin, cursor_.last_end()});
}

bool ExprParser::AcceptCompareOp(CompareOp* op) {
  switch (cursor_.Peek().kind) {
    case K::kEqual:
    case K::kNotEqual:
    case K::kLess:
    case K::kLessEqual:
    case K::kGreater:
    case K::kGreaterEqual:
      *op = static_cast<CompareOp>(static_cast<int>(cursor_.Next().kind) -
                                   static_cast<int>(K::kEqual));
      return true;
    case K::kIn:
      cursor_.Next();
      *op = CompareOp::kIn;
      return true;
    case K::kNot:
      if (cursor_.Peek(1).kind != K::kIn) return false;
      cursor_.Next(), cursor_.Next();
      *op = CompareOp::kNotIn;
      return true;
    case K::kIs:
      cursor_.Next();
      *op = cursor_.Accept(K::kNot) ? CompareOp::kIsNot : CompareOp::kIs;
      return true;
    default: return false;
  }
}

const Expr* ExprParser::Comparison() {
  const std::uint32_t begin = cursor_.Peek().span.begin;
  const Expr* first = Binary(0);
  CompareExpr compare{first, {}};
  for (CompareOp op{}; AcceptCompareOp(&op);) compare.rest.emplace_back(op, Binary(0));
  if (compare.rest.empty()) return first;
  return Make(std::move(compare), {begin, cursor_.last_end()});
}

const Expr* ExprParser::Binary(int level) {
  if (level == static_cast<int>(kLevels.size())) return Unary();
  const std::uint32_t begin = cursor_.Peek().span.begin;
  const Expr* left = Binary(level + 1);
  const auto& operators = kLevels[static_cast<std::size_t>(level)].operators;
  for (;;) {
    const K op = cursor_.Peek().kind;
    if (op == K::kEnd || std::find(operators.begin(), operators.end(), op) == operators.end()) {
      return left;
    }
    cursor_.Next();
    const Expr* right = Binary(level + 1);
    left = Make(BinaryExpr{op, left, right}, {begin, cursor_.last_end()});
  }
}

const Expr* ExprParser::Unary() {
  const K op = cursor_.Peek().kind;
  if (op != K::kPlus && op != K::kMinus && op != K::kTilde) return Power();
  const Nest nest(*this);
  const Token sign = cursor_.Next();
  const Expr* operand = Unary();
  return Make(UnaryExpr{op, operand}, {sign.span.begin, cursor_.last_end()});
}

const Expr* ExprParser::Power() {
  const std::uint32_t begin = cursor_.Peek().span.begin;
  const Expr* left = AwaitOrPrimary();
  if (!cursor_.Accept(K::kPower)) return left;
  const Nest nest(*this);
  const Expr* right = Unary();
  return Make(BinaryExpr{K::kPower, left, right}, {begin, cursor_.last_end()});
}

const Expr* ExprParser::AwaitOrPrimary() {
  if (!cursor_.At(K::kAwait)) return Primary();
  const Token word = cursor_.Next();
  const Expr* value = Primary();
  return Make(AwaitExpr{value}, {word.span.begin, cursor_.last_end()});
}

const Expr* ExprParser::Lambda() {
  const Token word = cursor_.Next();
  Parameters parameters = ParameterList(K::kColon);
  if (!cursor_.Accept(K::kColon)) cursor_.FailHere();
  const Expr* body = Expression();
  return Make(LambdaExpr{std::move(parameters), body}, {word.span.begin, cursor_.last_end()});
}

bool ExprParser::AtClause() const {
  return cursor_.At(K::kFor) || (cursor_.At(K::kAsync) && cursor_.Peek(1).kind == K::kFor);
}

std::vector<Clause> ExprParser::Clauses() {
  std::vector<Clause> clauses;
  while (AtClause()) {
    const bool is_async = cursor_.Accept(K::kAsync);
    cursor_.Next();
    Clause clause{TargetList(), nullptr, {}, is_async};
    CheckTarget(*clause.target, "assign to", "");
    if (!cursor_.Accept(K::kIn)) cursor_.FailHere();
    clause.source = Logical(K::kOr);
    if (clause.source->If<WalrusExpr>() != nullptr) {
      cursor_.Fail("assignment expression cannot be used in a comprehension iterable expression",
                   clause.source->span);
    }
    while (cursor_.Accept(K::kIf)) {
      const bool walrus = cursor_.At(K::kName) && cursor_.Peek(1).kind == K::kWalrus;
      clause.conditions.push_back(walrus ? NamedExpression() : Logical(K::kOr));
    }
    clauses.push_back(std::move(clause));
    if (clauses.size() > kMaxClauses) {
      cursor_.Fail("too many 'for' clauses in a comprehension", cursor_.Peek().span);
    }
  }
  return clauses;
}

}  // namespace espalier::script
