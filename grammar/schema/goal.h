// Goals: what is asked of one value, as a set of literals that must all be true.
//
// A literal says that a schema, or one keyword of it, holds for the value or fails. Goals
// are interned, so equal sets have one id and a recursive schema has finitely many.
// Names and constant values are interned beside them.
//
// Thread safety: none.
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grammar/schema/json.h"
#include "grammar/schema/json_index.h"
#include "grammar/schema/schema_document.h"

namespace espalier {

using GoalId = std::uint32_t;
using NameId = std::uint32_t;      // of a member's name
using ConstantId = std::uint32_t;  // of a JSON value
using ScopeId = std::uint32_t;     // of a dynamic scope: the resources entered, outermost first

enum class Claim : std::uint8_t {
  kNever,    // no value
  kSchema,   // the schema as a whole
  kEquals,   // the value is the constant `id`
  kHasName,  // an object has a member of the name `id`
  // One keyword, or a group of them, of the schema `id`; only ever claimed to fail.
  kInteger,
  kValues,
  kConstant,
  kLower,
  kUpper,
  kMultiple,
  kMembers,  // properties, patternProperties, additionalProperties, propertyNames, required
  kMinProperties,
  kMaxProperties,
  kElements,  // prefixItems, items
  kMinItems,
  kMaxItems,
  kMinContains,
  kMaxContains,
  kUniqueItems,
  kRest,  // unevaluatedProperties, unevaluatedItems
};

enum class Truth : std::uint8_t { kFails, kHolds };

struct Literal {
  Claim claim = Claim::kNever;
  Truth truth = Truth::kHolds;
  std::uint32_t id = 0;
  ScopeId scope = 0;

  bool holds() const { return truth == Truth::kHolds; }
  Literal Negated() const { return {claim, holds() ? Truth::kFails : Truth::kHolds, id, scope}; }
  friend auto operator<=>(const Literal&, const Literal&) = default;
};

class GoalTable {
 public:
  static constexpr GoalId kAnyValue = 0;  // the empty goal

  // `document` must outlive the table.
  explicit GoalTable(const SchemaDocument& document);

  const SchemaDocument& document() const { return document_; }

  GoalId Intern(std::vector<Literal> literals);
  // `goal` and `more` together.
  GoalId With(GoalId goal, std::span<const Literal> more);
  const std::vector<Literal>& literals(GoalId goal) const { return goals_[goal]; }

  // The claim that `schema` holds, or fails, when it is reached from scope `from`.
  Literal Schema(SchemaId schema, ScopeId from, Truth truth = Truth::kHolds);
  // Where the $dynamicRef of a node leads in scope `from`.
  SchemaId Resolve(const DynamicRef& ref, ScopeId from) const;

  ConstantId Constant(const Json& value);
  const Json& constant(ConstantId id) const { return constants_[id]; }
  // The value of a member of a constant; null if it has none of that name. O(1)
  const Json* MemberOf(ConstantId id, std::string_view name);
  NameId Name(std::string_view name);
  const std::string& name(NameId id) const { return names_[id]; }

 private:
  struct LiteralsHash {
    std::size_t operator()(const std::vector<Literal>& literals) const;
  };
  ScopeId Enter(ScopeId from, std::uint32_t resource);

  const SchemaDocument& document_;
  std::deque<std::vector<Literal>> goals_;  // a deque: references stay valid
  std::unordered_map<std::vector<Literal>, GoalId, LiteralsHash> goal_ids_;
  std::deque<Json> constants_;  // a deque: the index refers to them
  JsonIndex members_;
  std::unordered_map<std::string, ConstantId> constant_ids_;  // by canonical text
  std::deque<std::string> names_;
  std::unordered_map<std::string_view, NameId> name_ids_;
  std::vector<std::vector<std::uint32_t>> scopes_;
  std::map<std::vector<std::uint32_t>, ScopeId> scope_ids_;
};

}  // namespace espalier
