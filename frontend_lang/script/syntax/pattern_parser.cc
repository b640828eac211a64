#include "frontend_lang/script/syntax/pattern_parser.h"

#include <fmt/format.h>

#include "frontend_lang/script/syntax/string_parser.h"
#include "frontend_lang/script/syntax/walk.h"

namespace espalier::script {
namespace {

using K = TokenKind;

constexpr std::size_t kMaxItems = 1000;  // of one pattern; they lie on the stack

}  // namespace

const Pattern* PatternParser::CasePattern() {
  const std::uint32_t begin = cursor_.Peek().span.begin;
  const Pattern* pattern = SequenceItem();
  if (cursor_.At(K::kComma)) {
    pattern = Sequence({pattern}, K::kEnd, begin);
  } else if (starred_.contains(pattern)) {
    pattern = Sequence({pattern}, K::kEnd, begin);
  }
  NamesOf(*pattern);
  return pattern;
}

std::string PatternParser::Irrefutable(const Pattern& pattern) {
  if (pattern.If<WildcardPattern>() != nullptr) return "wildcard";
  if (const auto* capture = pattern.If<CapturePattern>()) {
    return fmt::format("name capture '{}'", capture->name);
  }
  if (const auto* as = pattern.If<AsPattern>()) return Irrefutable(*as->pattern);
  if (const auto* any = pattern.If<OrPattern>()) return Irrefutable(*any->alternatives.back());
  return "";
}

const Pattern* PatternParser::As() {
  const std::uint32_t begin = cursor_.Peek().span.begin;
  const Pattern* pattern = Or();
  if (!cursor_.Accept(K::kAs)) return pattern;
  return Make(AsPattern{pattern, Target()}, begin);
}

// The name behind `as`, `*` or `**`.
std::string_view PatternParser::Target() {
  if (!cursor_.At(K::kName)) {
    cursor_.Fail("invalid pattern target", cursor_.Peek().span);
    return {};
  }
  const Token name = cursor_.Next();
  if (TextOf(name) == "_") cursor_.Fail("cannot use '_' as a target", name.span);
  return TextOf(name);
}

const Pattern* PatternParser::Or() {
  const std::uint32_t begin = cursor_.Peek().span.begin;
  const Pattern* first = Closed();
  if (!cursor_.At(K::kPipe)) return first;
  OrPattern any{{first}};
  while (cursor_.Accept(K::kPipe)) any.alternatives.push_back(Closed());
  return Make(std::move(any), begin);
}

bool PatternParser::AtLiteral() const {
  switch (cursor_.Peek().kind) {
    case K::kMinus:
    case K::kInt:
    case K::kFloat:
    case K::kString:
    case K::kNone:
    case K::kTrue:
    case K::kFalse: return true;
    default: return false;
  }
}

const Pattern* PatternParser::Closed() {
  const std::uint32_t begin = cursor_.Peek().span.begin;
  if (AtLiteral()) {
    const Expr* value = LiteralExpr();
    return Make(ValuePattern{value}, begin);
  }
  switch (cursor_.Peek().kind) {
    case K::kName: return Name();
    case K::kLeftParen: return Group();
    case K::kLeftBracket: cursor_.Next(); return Sequence({}, K::kRightBracket, begin);
    case K::kLeftBrace: return Mapping();
    default: cursor_.FailHere(); return Make(WildcardPattern{}, begin);
  }
}

const Expr* PatternParser::LiteralExpr() {
  const Token token = cursor_.Peek();
  switch (token.kind) {
    case K::kString: {
      const Expr* value = StringParser(exprs_).Strings();
      if (value->If<StringExpr>() == nullptr) {
        cursor_.Fail("patterns may only match literals and attribute lookups", value->span);
      }
      return value;
    }
    case K::kMinus: {
      cursor_.Next();
      if (!cursor_.At(K::kInt) && !cursor_.At(K::kFloat)) cursor_.FailHere();
      const Expr* operand = LiteralExpr();
      return exprs_.Make(UnaryExpr{K::kMinus, operand}, {token.span.begin, operand->span.end});
    }
    case K::kNone: cursor_.Next(); return exprs_.Make(NoneExpr{}, token.span);
    case K::kTrue:
    case K::kFalse:
      cursor_.Next();
      return exprs_.Make(BoolExpr{token.kind == K::kTrue}, token.span);
    default:
      cursor_.Next();
      return exprs_.Make(NumberExpr{TextOf(token), token.kind == K::kFloat}, token.span);
  }
}

const Expr* PatternParser::DottedName() {
  const Token first = cursor_.Next();
  const Expr* value = exprs_.Make(NameExpr{TextOf(first)}, first.span);
  while (cursor_.Accept(K::kDot)) {
    if (!cursor_.At(K::kName)) cursor_.FailHere();
    const Token name = cursor_.Next();
    value = exprs_.Make(AttributeExpr{value, TextOf(name)}, {first.span.begin, name.span.end});
  }
  return value;
}

const Pattern* PatternParser::Name() {
  const Token first = cursor_.Peek();
  const Expr* value = DottedName();
  if (cursor_.At(K::kLeftParen)) return Class(value, first.span.begin);
  if (value->If<AttributeExpr>() != nullptr) return Make(ValuePattern{value}, first.span.begin);
  if (TextOf(first) == "_") return Make(WildcardPattern{}, first.span.begin);
  return Make(CapturePattern{TextOf(first)}, first.span.begin);
}

const Pattern* PatternParser::Group() {
  const Token open = cursor_.Next();
  if (cursor_.At(K::kRightParen)) return Sequence({}, K::kRightParen, open.span.begin);
  const Pattern* first = SequenceItem();
  if (cursor_.At(K::kComma) || starred_.contains(first)) {
    return Sequence({first}, K::kRightParen, open.span.begin);
  }
  if (!cursor_.Accept(K::kRightParen)) cursor_.FailHere();
  return first;
}

const Pattern* PatternParser::SequenceItem() {
  const Token star = cursor_.Peek();
  if (!cursor_.Accept(K::kStar)) return As();
  const bool wildcard = cursor_.At(K::kName) && TextOf(cursor_.Peek()) == "_";
  if (wildcard) cursor_.Next();
  const Pattern* item = wildcard ? Make(WildcardPattern{}, star.span.begin)
                                 : Make(CapturePattern{Target()}, star.span.begin);
  starred_.insert(item);
  return item;
}

// `items` are read already. A sequence without brackets ends where no pattern follows.
const Pattern* PatternParser::Sequence(std::vector<const Pattern*> items, K close,
                                       std::uint32_t begin) {
  const auto at_end = [&] {
    return close != K::kEnd ? cursor_.At(close) : cursor_.At(K::kColon) || cursor_.At(K::kIf);
  };
  bool more = items.empty() ? !at_end() : cursor_.Accept(K::kComma) && !at_end();
  while (more && !cursor_.failed()) {
    items.push_back(SequenceItem());
    if (items.size() > kMaxItems) cursor_.Fail("too many patterns in a sequence", {begin, begin});
    more = cursor_.Accept(K::kComma) && !at_end();
  }
  if (close != K::kEnd && !cursor_.Accept(close)) cursor_.FailHere();
  SequencePattern sequence{std::move(items)};
  for (std::size_t i = 0; i < sequence.items.size(); ++i) {
    if (!starred_.contains(sequence.items[i])) continue;
    if (sequence.star >= 0) {
      cursor_.Fail("multiple starred names in sequence pattern", {begin, cursor_.last_end()});
    }
    sequence.star = static_cast<int>(i);
  }
  return Make(std::move(sequence), begin);
}

const Pattern* PatternParser::Mapping() {
  const Token open = cursor_.Next();
  MappingPattern mapping;
  while (!cursor_.At(K::kRightBrace) && !cursor_.failed()) {
    if (!mapping.rest.empty()) cursor_.FailHere();  // ** is the last
    if (cursor_.Accept(K::kPower)) {
      mapping.rest = Target();
    } else {
      if (!AtLiteral() && !cursor_.At(K::kName)) cursor_.FailHere();
      const Expr* key = AtLiteral() ? LiteralExpr() : DottedName();
      if (key->If<NameExpr>() != nullptr) {
        cursor_.Fail("invalid syntax", {key->span.end, key->span.end + 1});
      }
      if (!cursor_.Accept(K::kColon)) cursor_.FailHere();
      mapping.items.emplace_back(key, As());
      if (mapping.items.size() > kMaxItems) cursor_.Fail("too many keys in a pattern", open.span);
    }
    if (!cursor_.Accept(K::kComma)) break;
  }
  if (!cursor_.Accept(K::kRightBrace)) cursor_.FailHere();
  return Make(std::move(mapping), open.span.begin);
}

const Pattern* PatternParser::Class(const Expr* type, std::uint32_t begin) {
  cursor_.Next();
  ClassPattern pattern{type, {}, {}};
  while (!cursor_.At(K::kRightParen) && !cursor_.failed()) {
    const Token first = cursor_.Peek();
    if (first.kind == K::kName && cursor_.Peek(1).kind == K::kAssign) {
      cursor_.Next(), cursor_.Next();
      for (const auto& [name, other] : pattern.keywords) {
        if (name != TextOf(first)) continue;
        cursor_.Fail(fmt::format("attribute name repeated in class pattern: {}", name), first.span);
      }
      pattern.keywords.emplace_back(TextOf(first), As());
    } else {
      const Pattern* item = As();
      if (!pattern.keywords.empty()) {
        cursor_.Fail("positional patterns follow keyword patterns", item->span);
      }
      pattern.positional.push_back(item);
    }
    if (pattern.positional.size() + pattern.keywords.size() > kMaxItems) {
      cursor_.Fail("too many parts of a class pattern", first.span);
    }
    if (!cursor_.Accept(K::kComma)) break;
  }
  if (!cursor_.Accept(K::kRightParen)) cursor_.FailHere();
  return Make(std::move(pattern), begin);
}

PatternParser::Names PatternParser::NamesOfAlternatives(const OrPattern& pattern, Span span) {
  Names first;
  for (std::size_t i = 0; i < pattern.alternatives.size(); ++i) {
    const Pattern& one = *pattern.alternatives[i];
    Names names = NamesOf(one);
    if (i == 0) first = names;
    if (names != first) cursor_.Fail("alternative patterns bind different names", span);
    const std::string any = Irrefutable(one);
    if (!any.empty() && i + 1 < pattern.alternatives.size()) {
      cursor_.Fail(any + " makes remaining patterns unreachable", one.span);
    }
  }
  return first;
}

// The names that a pattern binds; fails where one is bound twice.
PatternParser::Names PatternParser::NamesOf(const Pattern& pattern) {
  if (const auto* any = pattern.If<OrPattern>()) return NamesOfAlternatives(*any, pattern.span);
  Names names;
  const auto add = [&](std::string_view name) {
    if (names.insert(name).second) return;
    cursor_.Fail(fmt::format("multiple assignments to name '{}' in pattern", name), pattern.span);
  };
  ForEachSubpattern(pattern, [&](const Pattern& part) {
    for (const std::string_view name : NamesOf(part)) add(name);
  });
  if (const auto* capture = pattern.If<CapturePattern>()) add(capture->name);
  if (const auto* as = pattern.If<AsPattern>()) add(as->name);
  if (const auto* mapping = pattern.If<MappingPattern>(); mapping && !mapping->rest.empty()) {
    add(mapping->rest);
  }
  return names;
}

}  // namespace espalier::script
