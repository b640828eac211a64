// What a schema asks for that cannot be enforced, found by a walk over all of it.
//
// The walk carries whether a schema is asked to hold or to fail, and for which types, so
// `uniqueItems` below a `not` is a problem and beside one is none.
//
// Thread safety: none.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "grammar/fuel.h"
#include "grammar/regex/text_regex.h"
#include "grammar/schema/goal.h"
#include "grammar/schema/schema_document.h"
#include "grammar/schema/schema_network.h"

namespace espalier {

class SchemaProblems {
 public:
  // All must outlive the object; `text` spells JSON strings.
  SchemaProblems(const SchemaDocument& document, FormatUse format, TextRegex& text, Fuel& fuel);

  void Walk();

  std::vector<SchemaProblem> problems;
  std::vector<std::string> unasserted;  // pointers of formats that assert nothing

 private:
  struct Visit {
    SchemaId schema;
    Truth truth;
    SchemaTypes types;
  };

  void Reach(SchemaId schema, Truth truth, SchemaTypes types);
  void Look(const Visit& visit);
  void CheckStrings(const SchemaNode& node);
  void CheckMembers(const SchemaNode& node, Truth truth);
  void CheckElements(const SchemaNode& node, Truth truth);
  void CheckFailing(const SchemaNode& node, SchemaTypes types);
  void ReachInPlace(const SchemaNode& node, Truth truth, SchemaTypes types);
  void ReachOneOf(const SchemaNode& node, Truth truth, SchemaTypes types);
  void ReachDynamic(const DynamicRef& ref, Truth truth, SchemaTypes types);
  void CheckFormat(const std::string& format, std::string pointer);
  void CheckPattern(const std::string& pattern, const std::string& pointer);
  SchemaTypes TypesOf(SchemaId schema) const;
  void Add(Code code, std::string pointer, std::string message);

  const SchemaDocument& document_;
  const FormatUse format_;
  TextRegex& text_;
  Fuel& fuel_;
  std::vector<Visit> open_;
  std::vector<SchemaTypes> reached_[2];  // [truth][schema]
  std::vector<std::uint8_t> checked_;    // [schema]: keywords of its own
  std::map<std::pair<std::string_view, Truth>, SchemaTypes> anchors_reached_;  // by name
  std::unordered_set<std::string> refused_;  // pointers of problems
  const bool uses_unevaluated_;
};

}  // namespace espalier
