// What a schema asks for that cannot be enforced, found by a walk over all of it.
//
// The walk goes through the schema in its order and carries the types that a value may have, so
// a keyword that no value can meet is no problem.
//
// Thread safety: none.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
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
    SchemaTypes types;
  };

  void Reach(SchemaId schema, SchemaTypes types);
  void Look(const Visit& visit);
  void CheckStrings(const SchemaNode& node);
  void CheckMembers(const SchemaNode& node);
  void CheckElements(const SchemaNode& node);
  void ReachInPlace(const SchemaNode& node, SchemaTypes types);
  void ReachDynamic(const DynamicRef& ref, SchemaTypes types);
  void CheckFormat(const std::string& format, std::string pointer);
  void CheckPattern(const std::string& pattern, const std::string& pointer);
  void Add(Code code, std::string pointer, std::string message);

  const SchemaDocument& document_;
  const FormatUse format_;
  TextRegex& text_;
  Fuel& fuel_;
  std::vector<Visit> open_;
  std::vector<SchemaTypes> reached_;                         // [schema]
  std::vector<std::uint8_t> checked_;                        // [schema]: keywords of its own
  std::map<std::string_view, SchemaTypes> anchors_reached_;  // by name
  std::unordered_set<std::string> refused_;                  // pointers of problems
  const bool uses_unevaluated_;
};

}  // namespace espalier
