// Branch: one way to satisfy a goal with a value of one type, without Boolean connectives.
//
// The tableau (tableau.h) merges assertions into the part of the type that it works on.
// What is asked of members and elements stays a list of schemas here, so a branch is small
// however many properties they have.
//
// Thread safety: a value.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "grammar/schema/goal.h"
#include "grammar/schema/number_constraint.h"

namespace espalier {

inline constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

// A schema, and the scope in which its children are reached.
struct ScopedSchema {
  SchemaId schema;
  ScopeId scope;
  friend bool operator==(const ScopedSchema&, const ScopedSchema&) = default;
};

// Members, or elements, that none of `over` evaluates must satisfy `value`.
struct RestRule {
  std::vector<SchemaId> over;
  Literal value;
};

struct NumberPart {
  NumberConstraint constraint;
  std::optional<std::vector<ConstantId>> allowed;
  std::vector<ConstantId> forbidden;
};

// True of an object that has no member `name`; or that has one, whose value satisfies `value`.
struct MemberAtom {
  NameId name;
  Truth presence;
  std::optional<Literal> value;
  bool is_there() const { return presence == Truth::kHolds; }
  friend auto operator<=>(const MemberAtom&, const MemberAtom&) = default;
};
using MemberClause = std::vector<MemberAtom>;  // sorted; one of them is true

struct ObjectPart {
  std::vector<ScopedSchema> members;  // properties and patternProperties
  std::vector<RestRule> rest;
  std::vector<Literal> names;                      // of every name, as a string
  std::vector<NameId> required, forbidden;         // forbidden: must be absent
  std::vector<std::pair<NameId, NameId>> implied;  // first present: second, too
  std::vector<ScopedSchema> broken;                // whose member keywords must fail
  std::vector<RestRule> broken_rests;              // some such member must satisfy the value
  std::vector<MemberClause> clauses;
  std::uint64_t min = 0, max = kNoLimit;  // members
};

struct ContainsRule {
  Literal element;
  SchemaId owner;
  std::uint64_t min, max;
};

struct ArrayPart {
  std::vector<ScopedSchema> elements;  // prefixItems and items
  std::vector<RestRule> rest;
  std::vector<ContainsRule> contains;
  std::vector<ScopedSchema> broken;    // whose element keywords must fail
  std::vector<RestRule> broken_rests;  // some such element satisfies the value
  std::uint64_t min = 0, max = kNoLimit;
  bool unique = false;
  bool repeats = false;  // two elements are equal
};

struct Branch {
  NumberPart number;
  ObjectPart object;
  ArrayPart array;
  std::optional<ConstantId> equals;  // object or array
  std::vector<ConstantId> differs;   // objects or arrays
};

}  // namespace espalier
