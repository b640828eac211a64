// ScalarLanguage: the strings, booleans and null that a goal allows.
//
// These are closed under complement, so a schema is evaluated as it stands: anyOf is a
// union, not a complement, oneOf the values of exactly one member. Strings are languages
// over the inside of a JSON string (grammar/regex/text_regex.h), so they stay regexes however they
// are combined. A schema that refers to itself in place adds nothing to what it says besides.
//
// Thread safety: none.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "grammar/constraint.h"
#include "grammar/fuel.h"
#include "grammar/regex/regex_set.h"
#include "grammar/regex/text_regex.h"
#include "grammar/schema/goal.h"
#include "grammar/schema/schema_document.h"

namespace espalier {

// REQUIRES: the language has a string.
std::string ShortestString(RegexSet& set, RegexId regex);

struct Scalars {
  static constexpr std::uint8_t kNull = 1, kFalse = 2, kTrue = 4, kAllPlain = 7;

  std::uint8_t plain = 0;  // of null, false and true
  // Without the quotation marks. Some formats are known in part only: `strings` hold for
  // certain, and what is not `possible` fails for certain. Elsewhere the two are the same.
  RegexId strings = RegexSet::kNothing;
  RegexId possible = strings;
};

class ScalarLanguage {
 public:
  // All must outlive the object; `text` spells JSON strings.
  ScalarLanguage(const SchemaDocument& document, GoalTable& goals, TextRegex& text,
                 FormatUse format, Fuel& fuel);

  Scalars Of(GoalId goal);
  // The texts that a pattern finds itself in; kNothing if it cannot be compiled.
  RegexId Pattern(const std::string& pattern);
  // True if `strings` spells at least `num_texts` texts that are not among `used`.
  bool HasTexts(RegexId strings, std::vector<std::string> used, std::size_t num_texts);
  TextRegex& text() { return text_; }

 private:
  Scalars OfLiteral(const Literal& literal);
  Scalars OfSchema(SchemaId schema, ScopeId scope);
  Scalars Compute(SchemaId schema, ScopeId scope);
  Scalars OfKeywords(const SchemaNode& node);
  Scalars OfApplicators(const SchemaNode& node, ScopeId scope);
  Scalars OneOf(const std::vector<SchemaId>& schemas, ScopeId scope);
  Scalars OfValues(const std::vector<Json>& values);
  Scalars StringKeywords(const SchemaNode& node);

  // All texts, and nothing else.
  Scalars Strings(RegexId strings) const { return {0, strings, strings}; }
  Scalars All() const { return {Scalars::kAllPlain, text_.AnyText(), text_.AnyText()}; }
  RegexId OrOf(RegexId a, RegexId b);
  RegexId AndOf(RegexId a, RegexId b);
  Scalars Or(const Scalars& a, const Scalars& b);
  Scalars And(const Scalars& a, const Scalars& b);
  Scalars Not(const Scalars& a);

  const SchemaDocument& document_;
  GoalTable& goals_;
  TextRegex& text_;
  const FormatUse format_;
  Fuel& fuel_;
  std::size_t depth_ = 0;
  std::map<std::pair<SchemaId, ScopeId>, Scalars> schemas_;
  std::unordered_map<GoalId, Scalars> of_goal_;
  std::unordered_map<std::string, RegexId> patterns_;
};

}  // namespace espalier
