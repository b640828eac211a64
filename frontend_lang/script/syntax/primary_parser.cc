// The half of ExprParser that reads names, displays, calls and subscripts.
#include <fmt/format.h>

#include "frontend_lang/script/syntax/expr_parser.h"
#include "frontend_lang/script/syntax/string_parser.h"

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
  const std::uint32_t begin = cursor_.Peek().span.begin;
  const Expr* value = Atom();
  for (;;) {
    if (cursor_.At(K::kLeftParen)) {
      value = Call(value, begin);
    } else if (cursor_.At(K::kLeftBracket)) {
      value = Subscript(value, begin);
    } else if (cursor_.Accept(K::kDot)) {
      if (!cursor_.At(K::kName)) cursor_.FailHere();
      const Token name = cursor_.Next();
      value = Make(AttributeExpr{value, TextOf(name)}, {begin, name.span.end});
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

// At an expression right behind another.
void ExprParser::FailComma(const Expr& last) {
  const std::uint32_t end = Expression()->span.end;
  cursor_.Fail("invalid syntax. Perhaps you forgot a comma?", {last.span.begin, end});
}

void ExprParser::ExpectClose(TokenKind close, const Expr* last) {
  if (cursor_.Accept(close)) return;
  if (last != nullptr && StartsExpression() && !cursor_.At(K::kError)) return FailComma(*last);
  if (last != nullptr && cursor_.At(K::kAssign)) return FailAssignment(*last);
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
  return {key, DictValue()};
}

const Expr* ExprParser::DictValue() {
  if (cursor_.At(K::kStar)) {
    cursor_.Fail("cannot use a starred expression in a dictionary value", cursor_.Peek().span);
  }
  if (cursor_.At(K::kComma) || cursor_.At(K::kRightBrace)) {
    cursor_.Fail("expression expected after dictionary key and ':'",
                 {cursor_.last_end() - 1, cursor_.last_end()});
  }
  return Expression();
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
    return DictDisplay({first, DictValue()}, open.span);
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
  if (cursor_.At(K::kAssign) && (value->If<BoolExpr>() || value->If<NoneExpr>())) {
    cursor_.Fail(fmt::format("cannot assign to {}", KindOf(*value)), value->span);
  } else if (cursor_.At(K::kAssign)) {
    cursor_.Fail("expression cannot contain assignment, perhaps you meant \"==\"?",
                 {value->span.begin, cursor_.Peek().span.end});
  } else if (*unpacking_began) {
    cursor_.Fail("positional argument follows keyword argument unpacking", value->span);
  } else if (*keywords_began) {
    cursor_.Fail("positional argument follows keyword argument", value->span);
  }
  return {ArgumentKind::kPositional, {}, value};
}

const Expr* ExprParser::Call(const Expr* callee, std::uint32_t begin) {
  CallExpr call{callee, Arguments()};
  return Make(std::move(call), {begin, cursor_.last_end()});
}

std::vector<Argument> ExprParser::Arguments() {
  const Nest nest(*this);
  const Token open = cursor_.Next();
  std::vector<Argument> arguments;
  bool keywords_began = false, unpacking_began = false;
  while (StartsExpression() || cursor_.At(K::kPower)) {
    Argument argument = OneArgument(&keywords_began, &unpacking_began);
    if (argument.kind == ArgumentKind::kPositional && AtClause()) {
      argument.value = Comprehension(ComprehensionKind::kGenerator, argument.value, nullptr,
                                     argument.value->span.begin);
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
  const Argument* last = arguments.empty() ? nullptr : &arguments.back();
  if (last != nullptr && last->kind == ArgumentKind::kKeyword && cursor_.At(K::kAssign)) {
    cursor_.FailHere();
  }
  ExpectClose(K::kRightParen, last == nullptr ? nullptr : last->value);
  return arguments;
}

const Expr* ExprParser::Subscript(const Expr* object, std::uint32_t begin) {
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
  return Make(SubscriptExpr{object, index}, {begin, cursor_.last_end()});
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

const Expr* ExprParser::Annotation(Parameters& to, const Token& name) {
  const Expr* const annotation = Expression();
  to.annotations.push_back({Make(StringExpr{std::string(TextOf(name))}, name.span), annotation});
  return annotation;
}

void ExprParser::AddParameter(Parameters& to, std::vector<Parameter>& list, TokenKind end) {
  if (cursor_.At(K::kLeftParen)) {
    cursor_.Fail(end == K::kColon ? "Lambda expression parameters cannot be parenthesized"
                                  : "Function parameters cannot be parenthesized",
                 cursor_.Peek().span);
  }
  if (!cursor_.At(K::kName)) cursor_.FailHere();
  const Token name = cursor_.Next();
  Parameter parameter{TextOf(name), nullptr, name.span};
  if (end == K::kRightParen && cursor_.Accept(K::kColon)) {
    const Expr* annotation = Annotation(to, name);
    if (StartsExpression() && !cursor_.At(K::kError)) FailComma(*annotation);
  }
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
    const Token name = cursor_.Next();
    to.star = TextOf(name);
    if (end == K::kRightParen && cursor_.Accept(K::kColon)) Annotation(to, name);
    if (cursor_.At(K::kAssign)) {
      cursor_.Fail("var-positional argument cannot have default value", cursor_.Peek().span);
    }
  } else if (!cursor_.At(K::kComma) || cursor_.Peek(1).kind != K::kName) {
    cursor_.Fail("named arguments must follow bare *", star.span);
  }
}

void ExprParser::SlashParameter(Parameters& to, Starred starred) {
  const Token slash = cursor_.Next();
  if (to.num_positional_only > 0) {
    cursor_.Fail("/ may appear only once", slash.span);
  } else if (starred == Starred::kYes) {
    cursor_.Fail("/ must be ahead of *", slash.span);
  } else if (to.positional.empty()) {
    cursor_.Fail("at least one argument must precede /", slash.span);
  }
  to.num_positional_only = to.positional.size();
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
      const Token name = cursor_.Next();
      to.double_star = TextOf(name);
      if (end == K::kRightParen && cursor_.Accept(K::kColon)) Annotation(to, name);
      if (cursor_.At(K::kAssign)) {
        cursor_.Fail("var-keyword argument cannot have default value", cursor_.Peek().span);
      }
      if (cursor_.Accept(K::kComma) && !cursor_.At(end)) {
        cursor_.Fail("arguments cannot follow var-keyword argument", cursor_.Peek().span);
      }
      break;
    } else if (cursor_.At(K::kSlash)) {
      SlashParameter(to, starred ? Starred::kYes : Starred::kNo);
    } else {
      AddParameter(to, starred ? to.keyword_only : to.positional, end);
    }
    if (!cursor_.Accept(K::kComma)) break;
  }
  return to;
}

}  // namespace espalier::script
