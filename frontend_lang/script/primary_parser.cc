// The half of ExprParser that reads names, displays, calls and subscripts.
#include <fmt/format.h>

#include "frontend_lang/script/expr_parser.h"
#include "frontend_lang/script/string_parser.h"

namespace espalier::script {
namespace {

using K = TokenKind;

constexpr std::size_t kMaxArguments = 1000;
constexpr std::size_t kMaxParameters = 255;

}  // namespace

bool ExprParser::StartsExpression() const {
  switch (cursor_.Peek().kind) {
    case K::kName:
    case K::kInt:
    case K::kFloat:
    case K::kString:
    case K::kFalse:
    case K::kNone:
    case K::kTrue:
    case K::kAwait:
    case K::kLambda:
    case K::kNot:
    case K::kLeftParen:
    case K::kLeftBracket:
    case K::kLeftBrace:
    case K::kEllipsis:
    case K::kPlus:
    case K::kMinus:
    case K::kTilde:
    case K::kStar:
    case K::kError: return true;
    default: return false;
  }
}

const Expr* ExprParser::Primary() {
  const Expr* value = Atom();
  for (;;) {
    if (cursor_.At(K::kLeftParen)) {
      value = Call(value);
    } else if (cursor_.At(K::kLeftBracket)) {
      value = Subscript(value);
    } else if (cursor_.Accept(K::kDot)) {
      if (!cursor_.At(K::kName)) cursor_.FailHere();
      const Token name = cursor_.Next();
      value = Make(AttributeExpr{value, TextOf(name)}, {value->span.begin, name.span.end});
    } else {
      return value;
    }
  }
}

const Expr* ExprParser::Atom() {
  const Token token = cursor_.Peek();
  switch (token.kind) {
    case K::kName: cursor_.Next(); return Make(NameExpr{TextOf(token)}, token.span);
    case K::kInt:
    case K::kFloat:
      cursor_.Next();
      return Make(NumberExpr{TextOf(token), token.kind == K::kFloat}, token.span);
    case K::kString: return StringParser(*this).Strings();
    case K::kTrue:
    case K::kFalse: cursor_.Next(); return Make(BoolExpr{token.kind == K::kTrue}, token.span);
    case K::kNone: cursor_.Next(); return Make(NoneExpr{}, token.span);
    case K::kEllipsis: cursor_.Next(); return Make(EllipsisExpr{}, token.span);
    case K::kLeftParen: return Parenthesized();
    case K::kLeftBracket: return ListDisplay();
    case K::kLeftBrace: return BraceDisplay();
    default: cursor_.FailHere(); return Make(NoneExpr{}, token.span);
  }
}

void ExprParser::ExpectClose(TokenKind close, const Expr* last) {
  if (cursor_.Accept(close)) return;
  if (cursor_.after_open_bracket()) return cursor_.FailHere();
  if (last != nullptr && StartsExpression() && !cursor_.At(K::kError)) {
    return cursor_.Fail("invalid syntax. Perhaps you forgot a comma?",
                        {last->span.begin, cursor_.Peek().span.end});
  }
  if (last != nullptr && cursor_.At(K::kAssign) && last->If<NameExpr>()) {
    return cursor_.Fail("invalid syntax. Maybe you meant '==' or ':=' instead of '='?",
                        {last->span.begin, cursor_.Peek().span.end});
  }
  cursor_.FailHere();
}

const Expr* ExprParser::Parenthesized() {
  const Nest nest(*this);
  const Token open = cursor_.Next();
  if (cursor_.Accept(K::kRightParen)) {
    return Make(TupleExpr{}, {open.span.begin, cursor_.last_end()});
  }
  if (cursor_.At(K::kYield)) {
    const Expr* yield = Yield();
    ExpectClose(K::kRightParen, nullptr);
    return yield;
  }
  const Expr* first = StarOrNamed();
  if (AtClause()) {
    const Expr* result =
        Comprehension(ComprehensionKind::kGenerator, first, nullptr, open.span.begin);
    ExpectClose(K::kRightParen, nullptr);
    return result;
  }
  if (!cursor_.At(K::kComma)) {
    if (first->If<StarredExpr>()) cursor_.Fail("cannot use starred expression here", first->span);
    ExpectClose(K::kRightParen, first);
    return first;
  }
  std::vector<const Expr*> items{first};
  while (cursor_.Accept(K::kComma) && StartsExpression()) items.push_back(StarOrNamed());
  ExpectClose(K::kRightParen, items.back());
  return Make(TupleExpr{std::move(items)}, {open.span.begin, cursor_.last_end()});
}

const Expr* ExprParser::ListDisplay() {
  const Nest nest(*this);
  const Token open = cursor_.Next();
  std::vector<const Expr*> items;
  if (StartsExpression()) items.push_back(StarOrNamed());
  if (!items.empty() && AtClause()) {
    const Expr* result =
        Comprehension(ComprehensionKind::kList, items[0], nullptr, open.span.begin);
    ExpectClose(K::kRightBracket, nullptr);
    return result;
  }
  while (!items.empty() && cursor_.Accept(K::kComma) && StartsExpression()) {
    items.push_back(StarOrNamed());
  }
  ExpectClose(K::kRightBracket, items.empty() ? nullptr : items.back());
  return Make(ListExpr{std::move(items)}, {open.span.begin, cursor_.last_end()});
}

DictItem ExprParser::OneDictItem() {
  if (cursor_.Accept(K::kPower)) return {nullptr, Binary(0)};
  const Expr* key = Expression();
  if (!cursor_.Accept(K::kColon)) {
    cursor_.Fail("':' expected after dictionary key", key->span);
  }
  return {key, Expression()};
}

const Expr* ExprParser::BraceDisplay() {
  const Nest nest(*this);
  const Token open = cursor_.Next();
  if (cursor_.Accept(K::kRightBrace)) {
    return Make(DictExpr{}, {open.span.begin, cursor_.last_end()});
  }
  if (cursor_.At(K::kPower)) return DictDisplay(OneDictItem(), open.span);
  const Expr* first = StarOrNamed();
  if (!first->If<StarredExpr>() && cursor_.Accept(K::kColon)) {
    return DictDisplay({first, Expression()}, open.span);
  }
  if (AtClause()) {
    const Expr* result = Comprehension(ComprehensionKind::kSet, first, nullptr, open.span.begin);
    ExpectClose(K::kRightBrace, nullptr);
    return result;
  }
  std::vector<const Expr*> items{first};
  while (cursor_.Accept(K::kComma) && StartsExpression()) items.push_back(StarOrNamed());
  ExpectClose(K::kRightBrace, items.back());
  return Make(SetExpr{std::move(items)}, {open.span.begin, cursor_.last_end()});
}

const Expr* ExprParser::DictDisplay(DictItem first, Span open) {
  if (AtClause()) {
    if (first.key == nullptr) {
      cursor_.Fail("dict unpacking cannot be used in dict comprehension", first.value->span);
    }
    const Expr* key = first.key != nullptr ? first.key : first.value;
    const Expr* result = Comprehension(ComprehensionKind::kDict, key, first.value, open.begin);
    ExpectClose(K::kRightBrace, nullptr);
    return result;
  }
  std::vector<DictItem> items{first};
  while (cursor_.Accept(K::kComma) && (StartsExpression() || cursor_.At(K::kPower))) {
    items.push_back(OneDictItem());
  }
  ExpectClose(K::kRightBrace, items.back().value);
  return Make(DictExpr{std::move(items)}, {open.begin, cursor_.last_end()});
}

const Expr* ExprParser::Comprehension(ComprehensionKind kind, const Expr* element,
                                      const Expr* value, std::uint32_t begin) {
  if (element->If<StarredExpr>()) {
    cursor_.Fail("iterable unpacking cannot be used in comprehension", element->span);
  }
  std::vector<Clause> clauses = Clauses();
  // The closing bracket belongs to the expression; the caller reads it next.
  return Make(ComprehensionExpr{kind, element, value, std::move(clauses)},
              {begin, cursor_.Peek().span.end});
}

Argument ExprParser::OneArgument(bool* keywords_began, bool* unpacking_began) {
  if (cursor_.Accept(K::kStar)) {
    if (*unpacking_began) {
      cursor_.Fail("iterable argument unpacking follows keyword argument unpacking",
                   cursor_.Peek().span);
    }
    return {ArgumentKind::kStar, {}, Expression()};
  }
  if (cursor_.Accept(K::kPower)) {
    *unpacking_began = true;
    return {ArgumentKind::kDoubleStar, {}, Expression()};
  }
  if (cursor_.At(K::kName) && cursor_.Peek(1).kind == K::kAssign) {
    *keywords_began = true;
    const Token name = cursor_.Next();
    cursor_.Next();
    return {ArgumentKind::kKeyword, TextOf(name), Expression()};
  }
  const Expr* value = NamedExpression();
  if (cursor_.At(K::kAssign)) {
    cursor_.Fail("expression cannot contain assignment, perhaps you meant \"==\"?",
                 {value->span.begin, cursor_.Peek().span.end});
  } else if (*unpacking_began) {
    cursor_.Fail("positional argument follows keyword argument unpacking", value->span);
  } else if (*keywords_began) {
    cursor_.Fail("positional argument follows keyword argument", value->span);
  }
  return {ArgumentKind::kPositional, {}, value};
}

const Expr* ExprParser::Call(const Expr* callee) {
  CallExpr call{callee, Arguments()};
  return Make(std::move(call), {callee->span.begin, cursor_.last_end()});
}

std::vector<Argument> ExprParser::Arguments() {
  const Nest nest(*this);
  const Token open = cursor_.Next();
  std::vector<Argument> arguments;
  bool keywords_began = false, unpacking_began = false;
  while (StartsExpression() || cursor_.At(K::kPower)) {
    Argument argument = OneArgument(&keywords_began, &unpacking_began);
    if (argument.kind == ArgumentKind::kPositional && AtClause()) {
      const std::uint32_t begin = argument.value->span.begin;
      argument.value = Comprehension(ComprehensionKind::kGenerator, argument.value, nullptr, begin);
      if (!arguments.empty() || cursor_.At(K::kComma)) {
        cursor_.Fail("Generator expression must be parenthesized", argument.value->span);
      }
    }
    for (const Argument& other : arguments) {
      if (argument.kind == ArgumentKind::kKeyword && other.kind == ArgumentKind::kKeyword &&
          other.name == argument.name) {
        cursor_.Fail(fmt::format("keyword argument repeated: {}", argument.name),
                     argument.value->span);
      }
    }
    arguments.push_back(argument);
    if (arguments.size() > kMaxArguments) {
      cursor_.Fail("too many arguments in a call", open.span, "pass a list with *");
    }
    if (!cursor_.Accept(K::kComma)) break;
  }
  ExpectClose(K::kRightParen, arguments.empty() ? nullptr : arguments.back().value);
  return arguments;
}

const Expr* ExprParser::Subscript(const Expr* object) {
  const Nest nest(*this);
  cursor_.Next();
  const Expr* index = SliceOrIndex();
  if (cursor_.At(K::kComma)) {
    std::vector<const Expr*> items{index};
    while (cursor_.Accept(K::kComma) && (StartsExpression() || cursor_.At(K::kColon))) {
      items.push_back(SliceOrIndex());
    }
    index = Make(TupleExpr{std::move(items)}, {index->span.begin, cursor_.last_end()});
  }
  ExpectClose(K::kRightBracket, index);
  return Make(SubscriptExpr{object, index}, {object->span.begin, cursor_.last_end()});
}

const Expr* ExprParser::SliceOrIndex() {
  const std::uint32_t begin = cursor_.Peek().span.begin;
  const Expr* start = nullptr;
  if (!cursor_.At(K::kColon)) start = StarOrNamed();
  if (start != nullptr && !cursor_.At(K::kColon)) return start;
  cursor_.Accept(K::kColon);
  const Expr* stop = StartsExpression() ? Expression() : nullptr;
  const Expr* step = nullptr;
  if (cursor_.Accept(K::kColon) && StartsExpression()) step = Expression();
  return Make(SliceExpr{start, stop, step}, {begin, cursor_.last_end()});
}

void ExprParser::AddParameter(Parameters& to, std::vector<Parameter>& list, TokenKind end) {
  if (!cursor_.At(K::kName)) cursor_.FailHere();
  const Token name = cursor_.Next();
  Parameter parameter{TextOf(name), nullptr, name.span};
  if (end == K::kRightParen && cursor_.Accept(K::kColon)) Expression();
  if (cursor_.Accept(K::kAssign)) parameter.default_value = Expression();
  if (&list == &to.positional && parameter.default_value == nullptr && !list.empty() &&
      list.back().default_value != nullptr) {
    cursor_.Fail("non-default argument follows default argument", name.span);
  }
  list.push_back(parameter);
  if (list.size() > kMaxParameters) cursor_.Fail("too many parameters", name.span);
}

void ExprParser::StarParameter(Parameters& to, TokenKind end) {
  const Token star = cursor_.Next();
  if (!to.star.empty()) cursor_.Fail("* argument may appear only once", star.span);
  if (cursor_.At(K::kName)) {
    to.star = TextOf(cursor_.Next());
    if (end == K::kRightParen && cursor_.Accept(K::kColon)) Expression();
  } else if (!cursor_.At(K::kComma) || cursor_.Peek(1).kind != K::kName) {
    cursor_.Fail("named arguments must follow bare *", star.span);
  }
}

Parameters ExprParser::ParameterList(TokenKind end) {
  Parameters to;
  bool starred = false;
  while (!cursor_.At(end) && !cursor_.failed()) {
    if (cursor_.At(K::kStar)) {
      StarParameter(to, end);
      starred = true;
    } else if (cursor_.Accept(K::kPower)) {
      if (!cursor_.At(K::kName)) cursor_.FailHere();
      to.double_star = TextOf(cursor_.Next());
      if (end == K::kRightParen && cursor_.Accept(K::kColon)) Expression();
      cursor_.Accept(K::kComma);
      break;
    } else if (cursor_.At(K::kSlash) && !to.positional.empty() && !starred) {
      cursor_.Next();
      to.num_positional_only = to.positional.size();
    } else {
      AddParameter(to, starred ? to.keyword_only : to.positional, end);
    }
    if (!cursor_.Accept(K::kComma)) break;
  }
  return to;
}

}  // namespace espalier::script
