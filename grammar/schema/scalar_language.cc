#include "grammar/schema/scalar_language.h"

#include <algorithm>
#include <utility>

#include "grammar/regex/pattern.h"
#include "grammar/schema/formats.h"

namespace espalier {
namespace {

constexpr std::size_t kMaxDepth = 512;  // of schemas that apply in place
constexpr SchemaTypes kScalarTypes =
    TypeBit(SchemaType::kNull) | TypeBit(SchemaType::kBoolean) | TypeBit(SchemaType::kString);

std::uint32_t ClampCount(std::uint64_t count) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, RegexSet::kUnbounded));
}

}  // namespace

// REQUIRES: the language has a string.
std::string ShortestString(RegexSet& set, RegexId regex) {
  std::string string;
  while (!set.nullable(regex)) {
    const std::uint64_t left = set.MinBytes(regex);
    RegexId next = RegexSet::kNothing;
    for (const ByteSet& bytes : set.ByteClasses(regex)) {
      const RegexId after = set.Derive(regex, bytes.first());
      if (after == RegexSet::kNothing || set.MinBytes(after) >= left) continue;
      next = after;
      string += static_cast<char>(bytes.first());
      break;
    }
    if (next == RegexSet::kNothing) break;
    regex = next;
  }
  return string;
}

ScalarLanguage::ScalarLanguage(const SchemaDocument& document, GoalTable& goals, TextRegex& text,
                               FormatUse format, Fuel& fuel)
    : document_(document), goals_(goals), text_(text), format_(format), fuel_(fuel) {}

Scalars ScalarLanguage::Of(GoalId goal) {
  const auto known = of_goal_.find(goal);
  if (known != of_goal_.end()) return known->second;
  Scalars scalars = All();
  for (const Literal& literal : goals_.literals(goal)) {
    if (scalars.plain == 0 && scalars.possible == RegexSet::kNothing) break;
    scalars = And(scalars, OfLiteral(literal));
  }
  if (!fuel_.exhausted()) of_goal_.emplace(goal, scalars);
  return scalars;
}

// Other claims are about one keyword of objects, arrays or numbers, so no goal has them.
Scalars ScalarLanguage::OfLiteral(const Literal& literal) {
  Scalars scalars;
  if (literal.claim == Claim::kSchema) scalars = OfSchema(literal.id, literal.scope);
  if (literal.claim == Claim::kEquals) scalars = OfValues({goals_.constant(literal.id)});
  return literal.holds() ? scalars : Not(scalars);
}

Scalars ScalarLanguage::OfSchema(SchemaId schema, ScopeId scope) {
  const auto key = std::pair(schema, scope);
  const auto known = schemas_.find(key);
  if (known != schemas_.end()) return known->second;
  // Too deep is out of fuel: kNothing may stand below a complement.
  if (depth_ == kMaxDepth) fuel_.Exhaust();
  if (!fuel_.Spend(1)) return {};
  schemas_.emplace(key, All());  // what a schema says of itself, in itself
  ++depth_;
  const Scalars scalars = Compute(schema, scope);
  --depth_;
  if (fuel_.exhausted()) {
    schemas_.erase(key);
    return {};
  }
  schemas_[key] = scalars;
  return scalars;
}

Scalars ScalarLanguage::Compute(SchemaId schema, ScopeId scope) {
  const SchemaNode& node = document_.node(schema);
  if (node.boolean.has_value()) return *node.boolean ? All() : Scalars{};
  if ((node.types.value_or(kAllTypes) & kScalarTypes) == 0) return {};
  const Scalars keywords = OfKeywords(node);
  if (keywords.plain == 0 && keywords.possible == RegexSet::kNothing) return {};
  return And(keywords, OfApplicators(node, scope));
}

Scalars ScalarLanguage::OfKeywords(const SchemaNode& node) {
  const SchemaTypes types = node.types.value_or(kAllTypes);
  const auto has = [types](SchemaType type) { return (types & TypeBit(type)) != 0; };
  Scalars scalars;
  if (has(SchemaType::kNull)) scalars.plain |= Scalars::kNull;
  if (has(SchemaType::kBoolean)) scalars.plain |= Scalars::kFalse | Scalars::kTrue;
  if (has(SchemaType::kString)) scalars = Or(scalars, StringKeywords(node));
  if (node.values.has_value()) scalars = And(scalars, OfValues(*node.values));
  if (node.constant.has_value()) scalars = And(scalars, OfValues({*node.constant}));
  return scalars;
}

Scalars ScalarLanguage::StringKeywords(const SchemaNode& node) {
  Scalars scalars = Strings(text_.AnyText());
  if (node.min_length.has_value() || node.max_length.has_value()) {
    const std::uint64_t min = node.min_length.value_or(0);
    const std::uint64_t max = node.max_length.value_or(RegexSet::kUnbounded);
    if (min > max || min >= RegexSet::kUnbounded) return {};
    scalars = Strings(text_.Length(ClampCount(min), ClampCount(max)));
  }
  if (node.pattern.has_value()) scalars = And(scalars, Strings(Pattern(*node.pattern)));
  if (node.format.has_value() && format_ != FormatUse::kAnnotate) {
    const std::optional<RegexId> format = FormatRegex(*node.format, text_);
    const std::optional<RegexId> bound = FormatBound(*node.format, text_);
    if (format.has_value()) scalars = And(scalars, {0, *format, *bound});
  }
  return scalars;
}

RegexId ScalarLanguage::Pattern(const std::string& pattern) {
  const auto known = patterns_.find(pattern);
  if (known != patterns_.end()) return known->second;
  const Result<RegexId> compiled = CompilePattern(pattern, PatternDialect::kEcma, text_);
  const RegexId regex = compiled.ok() ? compiled.value() : RegexSet::kNothing;
  if (!fuel_.exhausted()) patterns_.emplace(pattern, regex);
  return regex;
}

bool ScalarLanguage::HasTexts(RegexId strings, std::vector<std::string> used,
                              std::size_t num_texts) {
  RegexSet& set = text_.set();
  if (!used.empty()) strings = set.And(strings, text_.Not(text_.Literals(used)));
  for (std::size_t n = 0; n < num_texts; ++n) {
    if (set.IsNothing(strings) || !fuel_.Spend(1)) return false;
    std::string spelling = "\"";
    spelling += ShortestString(set, strings);
    spelling += '"';
    const Result<Json> text = ParseJson(spelling, 1);
    if (!text.ok()) return false;
    strings = set.And(strings, text_.Not(text_.Literal(text->string)));
  }
  return true;
}

Scalars ScalarLanguage::OfValues(const std::vector<Json>& values) {
  Scalars scalars;
  std::vector<std::string> strings;
  for (const Json& value : values) {
    if (value.kind == Json::Kind::kNull) scalars.plain |= Scalars::kNull;
    if (value.kind == Json::Kind::kFalse) scalars.plain |= Scalars::kFalse;
    if (value.kind == Json::Kind::kTrue) scalars.plain |= Scalars::kTrue;
    if (value.kind == Json::Kind::kString) strings.push_back(value.string);
  }
  if (!strings.empty()) scalars = Or(scalars, Strings(text_.Literals(strings)));
  return scalars;
}

Scalars ScalarLanguage::OfApplicators(const SchemaNode& node, ScopeId scope) {
  const auto of = [&](SchemaId id) {
    const Literal literal = goals_.Schema(id, scope);
    return OfSchema(literal.id, literal.scope);
  };
  Scalars all = All();
  if (node.ref.has_value()) all = And(all, of(*node.ref));
  if (node.dynamic_ref.has_value()) all = And(all, of(goals_.Resolve(*node.dynamic_ref, scope)));
  for (const SchemaId part : node.all_of) all = And(all, of(part));
  if (!node.any_of.empty()) {
    Scalars any;
    std::vector<RegexId> strings, possible;
    for (const SchemaId part : node.any_of) {
      const Scalars scalars = of(part);
      any.plain |= scalars.plain;
      strings.push_back(scalars.strings);
      possible.push_back(scalars.possible);
    }
    any.strings = text_.set().Or(strings);
    any.possible = possible == strings ? any.strings : text_.set().Or(possible);
    all = And(all, any);
  }
  if (!node.one_of.empty()) all = And(all, OneOf(node.one_of, scope));
  if (node.not_of.has_value()) all = And(all, Not(of(*node.not_of)));
  if (node.if_of.has_value()) {
    const Scalars condition = of(*node.if_of);
    if (node.then_of.has_value()) all = And(all, Or(Not(condition), of(*node.then_of)));
    if (node.else_of.has_value()) all = And(all, Or(condition, of(*node.else_of)));
  }
  return all;
}

Scalars ScalarLanguage::OneOf(const std::vector<SchemaId>& schemas, ScopeId scope) {
  Scalars any;   // of one member or more
  Scalars more;  // of two or more
  for (const SchemaId schema : schemas) {
    const Literal literal = goals_.Schema(schema, scope);
    const Scalars scalars = OfSchema(literal.id, literal.scope);
    Scalars both = And(any, scalars);
    if (text_.set().IsNothing(both.possible)) both.strings = both.possible = RegexSet::kNothing;
    more = Or(more, both);
    any = Or(any, scalars);
  }
  if (more.plain == 0 && more.possible == RegexSet::kNothing) return any;
  return And(any, Not(more));
}

// Every language here is a part of AnyText, which RegexSet cannot know.
RegexId ScalarLanguage::OrOf(RegexId a, RegexId b) {
  const RegexId any = text_.AnyText();
  return a == any || b == any ? any : text_.set().Or(a, b);
}

RegexId ScalarLanguage::AndOf(RegexId a, RegexId b) {
  if (a == text_.AnyText()) return b;
  if (b == text_.AnyText()) return a;
  return text_.set().And(a, b);
}

Scalars ScalarLanguage::Or(const Scalars& a, const Scalars& b) {
  const RegexId strings = OrOf(a.strings, b.strings);
  const bool is_exact = a.strings == a.possible && b.strings == b.possible;
  return {static_cast<std::uint8_t>(a.plain | b.plain), strings,
          is_exact ? strings : OrOf(a.possible, b.possible)};
}

Scalars ScalarLanguage::And(const Scalars& a, const Scalars& b) {
  const RegexId strings = AndOf(a.strings, b.strings);
  const bool is_exact = a.strings == a.possible && b.strings == b.possible;
  return {static_cast<std::uint8_t>(a.plain & b.plain), strings,
          is_exact ? strings : AndOf(a.possible, b.possible)};
}

Scalars ScalarLanguage::Not(const Scalars& a) {
  const RegexId strings = text_.Not(a.possible);
  return {static_cast<std::uint8_t>(Scalars::kAllPlain & ~a.plain), strings,
          a.strings == a.possible ? strings : text_.Not(a.strings)};
}

}  // namespace espalier
