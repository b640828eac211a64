// ObjectWalk: where one stands inside an object of a shape, and where one can go.
//
// A state remembers what the rest depends on: the keys that are used up, the names of
// other members (no name may come twice), how many there are, the clauses that are still
// to be satisfied, and the objects that this one has equalled so far and must not.
//
// Thread safety: none.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "grammar/constraint.h"
#include "grammar/schema/cost_source.h"
#include "grammar/schema/object_shape.h"

namespace espalier {

struct ObjectState {
  std::uint32_t shape = 0;
  std::uint32_t position = 0;          // kSchema: keys before it are used up
  std::vector<std::uint64_t> seen;     // kAny: keys, one bit each
  std::vector<NameId> others;          // names that are no keys, sorted
  std::uint64_t count = 0;             // members, as far as it matters
  std::vector<std::uint32_t> pending;  // clauses that are not satisfied yet, in order
  std::vector<ConstantId> differs;
  bool is_first = true;
};

class ObjectWalk {
 public:
  struct Step {  // a member whose value satisfies `goal`
    GoalId goal;
    ObjectState next;
  };
  // A name that is no key; without one, any name of the class.
  struct Other {
    std::uint32_t name_class;
    std::optional<NameId> name;
  };

  // All must outlive the walk. separator_bytes: of a comma and a colon, at least.
  ObjectWalk(GoalTable& goals, ScalarLanguage& scalars, PropertyOrder order,
             std::uint64_t separator_bytes, Fuel& fuel)
      : goals_(goals),
        scalars_(scalars),
        order_(order),
        separator_bytes_(separator_bytes),
        fuel_(fuel) {}

  static ObjectState Start(const ObjectShape& shape, std::uint32_t id);

  // Nothing but the required keys is left to be satisfied.
  static bool IsSafe(const ObjectShape& shape, const ObjectState& state);
  // The object may end here.
  bool MayClose(const ObjectShape& shape, const ObjectState& state) const;

  // Keys that may come next; each has a step.
  std::vector<std::uint32_t> NextKeys(const ObjectShape& shape, const ObjectState& state,
                                      CostSource& costs);
  // Names of a class that may come next; kNothing if none.
  RegexId NextNames(const ObjectShape& shape, const ObjectState& state, std::uint32_t name_class,
                    CostSource& costs);
  std::vector<Step> KeySteps(const ObjectShape& shape, const ObjectState& state, std::uint32_t key,
                             CostSource& costs);
  std::vector<Step> OtherSteps(const ObjectShape& shape, const ObjectState& state,
                               const Other& other, CostSource& costs);
  // Where `state` is if the value of `name`, its last member, is `value`.
  ObjectState WithValue(const ObjectShape& shape, ObjectState state, NameId name,
                        const Json& value) const;

  // Bytes of the shortest rest, with the closing brace; kNoCost if there is none.
  std::uint64_t Cost(const ObjectShape& shape, const ObjectState& state, CostSource& costs);

 private:
  struct Plan;     // object_cost.cc
  struct Planner;  // object_cost.cc
  using Witnesses = std::vector<ObjectClause::Witness> ObjectClause::*;

  GoalId GoalOf(const NameClass& name_class, const std::optional<NameId>& name);
  RegexId NamesOf(const ObjectShape& shape, const ObjectState& state, std::uint32_t name_class);
  bool IsOpen(const ObjectShape& shape, const ObjectState& state, std::uint32_t key) const;
  void Skip(const ObjectShape& shape, ObjectState& state, std::uint32_t end) const;
  void Count(const ObjectShape& shape, ObjectState& state) const;
  ObjectState AfterKey(const ObjectShape& shape, ObjectState state, std::uint32_t key) const;
  ObjectState AfterOther(const ObjectShape& shape, ObjectState state, const Other& other) const;
  std::vector<Step> Steps(const ObjectShape& shape, const Step& first, Witnesses witnesses,
                          std::uint32_t at, CostSource& costs);
  bool AddCells(std::vector<Step>& steps, const Literal& literal, CostSource& costs);
  GoalId Distinguish(const ObjectShape& shape, const Step& step, NameId name, CostSource& costs);
  void KeepPossible(const ObjectShape& shape, const ObjectState& from, CostSource& costs,
                    std::vector<Step>& steps);

  GoalTable& goals_;
  ScalarLanguage& scalars_;
  const PropertyOrder order_;
  const std::uint64_t separator_bytes_;
  Fuel& fuel_;
  std::unordered_map<std::uint32_t, RegexId> names_beside_keys_;  // by shape
};

}  // namespace espalier
