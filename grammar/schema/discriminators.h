// Discriminators: members by which objects of two schemas are told apart, such as
// {"kind": {"const": "circle"}}.
//
// A cheap test before the exact one: tagged unions are nested deeply and have many members,
// and all pairs of them must be known to be disjoint.
//
// Thread safety: none: what is found is kept.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "grammar/schema/goal.h"
#include "grammar/schema/member_index.h"
#include "grammar/schema/schema_document.h"

namespace espalier {

class Discriminators {
 public:
  // All must outlive the object.
  Discriminators(const SchemaDocument& document, MemberIndex& index, GoalTable& goals)
      : document_(document), index_(index), goals_(goals), tags_(document.size()) {}

  // True if both require a member and allow it different values. False: not found out.
  bool TellApart(SchemaId a, SchemaId b);

 private:
  using Values = std::vector<ConstantId>;  // sorted
  struct Tags {
    bool has_objects = true;
    std::map<NameId, Values> values;  // of required members with finitely many
  };

  const Tags& Of(SchemaId schema, std::size_t depth);
  Tags Compute(SchemaId schema, std::size_t depth);
  Tags OfAny(const std::vector<SchemaId>& schemas, std::size_t depth);
  std::optional<Values> ValuesOf(SchemaId schema);
  static void Restrict(Tags& tags, const Tags& more);

  const SchemaDocument& document_;
  MemberIndex& index_;
  GoalTable& goals_;
  std::vector<std::optional<Tags>> tags_;  // [schemas]
};

}  // namespace espalier
