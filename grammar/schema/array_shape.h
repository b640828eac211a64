// ArrayShape: one way that arrays may look, and ArrayWalk: where one stands inside one.
//
// A state remembers the index as far as goals and bounds depend on it, how many elements
// each `contains` has matched, the clauses that are still to be satisfied, the elements so
// far where they must be unique, and the arrays that this one has equalled so far and must
// not.
//
// Thread safety: none.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "grammar/schema/branch.h"
#include "grammar/schema/goal.h"
#include "grammar/schema/goal_costs.h"
#include "grammar/schema/tableau.h"

namespace espalier {

struct ArrayClause {  // some element does this
  struct Witness {
    std::uint64_t first, last;  // indexes, both included
    std::vector<Literal> more;  // that the element satisfies besides its goal
  };
  std::vector<Witness> witnesses;
};

// Elements from `first` that match none of some `contains` satisfy `value`.
struct ArrayRest {
  std::uint64_t first;
  Literal value;
  std::uint64_t unless;  // contains rules, one bit each
};

struct ArrayShape {
  std::vector<GoalId> prefix;
  GoalId rest = GoalTable::kAnyValue;  // of elements behind it
  std::vector<ContainsRule> contains;
  std::vector<ArrayRest> rests;
  std::vector<ArrayClause> clauses;
  std::vector<ConstantId> differs;
  std::uint64_t min = 0, max = kNoLimit;
  bool unique = false;
  std::uint64_t horizon = 0;  // indexes from here on are alike

  GoalId GoalAt(std::uint64_t index) const { return index < prefix.size() ? prefix[index] : rest; }
};

class ArrayShapeMaker {
 public:
  ArrayShapeMaker(const SchemaDocument& document, GoalTable& goals, Fuel& fuel)
      : document_(document), goals_(goals), fuel_(fuel) {}

  // Empty: no array is like that, or fuel ran out.
  std::optional<ArrayShape> Make(const Branch& branch);

 private:
  GoalId GoalAt(const Branch& branch, std::uint64_t index);
  ArrayRest RestOf(const RestRule& rule, const ArrayShape& shape) const;
  bool AddClauses(const Branch& branch, ArrayShape& shape);

  const SchemaDocument& document_;
  GoalTable& goals_;
  Fuel& fuel_;
};

struct ArrayState {
  std::uint32_t shape = 0;
  std::uint64_t index = 0;            // capped at the horizon
  std::vector<std::uint64_t> counts;  // of each contains rule, as far as it matters
  std::uint64_t pending = 0;          // clauses, one bit each
  std::vector<ConstantId> elements;   // unique: so far, sorted
  std::vector<ConstantId> differs;
};

class ArrayWalk {
 public:
  struct Step {  // an element that satisfies `goal`
    GoalId goal;
    ArrayState next;
  };

  // Both must outlive the walk. separator_bytes: of a comma, at least.
  ArrayWalk(GoalTable& goals, std::uint64_t separator_bytes, Fuel& fuel)
      : goals_(goals), separator_bytes_(separator_bytes), fuel_(fuel) {}

  static ArrayState Start(const ArrayShape& shape, std::uint32_t id);

  bool MayClose(const ArrayShape& shape, const ArrayState& state) const;
  std::vector<Step> Steps(const ArrayShape& shape, const ArrayState& state, CostSource& costs);
  // Where `state` is if its last element, at index `at`, is `value`.
  ArrayState WithValue(const ArrayShape& shape, ArrayState state, std::uint64_t at,
                       const Json& value);
  // True if WithValue says more than the step.
  static bool WantsValue(const ArrayShape& shape, const ArrayState& state) {
    return shape.unique || !state.differs.empty();
  }

  // Bytes of the shortest rest, with the closing bracket; kNoCost if there is none.
  std::uint64_t Cost(const ArrayShape& shape, const ArrayState& state, CostSource& costs);

 private:
  std::vector<Step> AllSteps(const ArrayShape& shape, const ArrayState& state);
  void Contain(const ArrayShape& shape, const ArrayState& state, std::size_t rule,
               std::vector<std::pair<Step, std::uint64_t>>& steps);
  void Satisfy(const ArrayShape& shape, std::uint64_t index, std::size_t clause,
               std::vector<std::pair<Step, std::uint64_t>>& steps);
  bool CanStayUnique(const ArrayShape& shape, const ArrayState& state, CostSource& costs);
  std::uint64_t PlainCost(const ArrayShape& shape, const ArrayState& state, CostSource& costs);
  std::uint64_t SearchedCost(const ArrayShape& shape, const ArrayState& state, CostSource& costs);

  GoalTable& goals_;
  const std::uint64_t separator_bytes_;
  Fuel& fuel_;
};

}  // namespace espalier
