// ArrayWalk: where one stands inside an array of a shape, and where one can go.
//
// A state remembers the index as far as goals and bounds depend on it, how many elements
// each `contains` has matched, the clauses that are still to be satisfied, the elements so
// far where they must be unique or some must not, and the arrays that this one has equalled so far
// and must not.
//
// Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "grammar/fuel.h"
#include "grammar/schema/array_shape.h"
#include "grammar/schema/cost_source.h"
#include "grammar/schema/goal.h"
#include "grammar/schema/json.h"

namespace espalier {

// What is asked of elements that are equal.
enum class Repeat : std::uint8_t {
  kSettled,   // nothing
  kWanted,    // some element equals an earlier one
  kPromised,  // and can: one whose value is not known satisfied `promise`
};

struct ArrayState {
  std::uint32_t shape = 0;
  std::uint64_t index = 0;            // capped at the horizon
  std::vector<std::uint64_t> counts;  // of each contains rule, as far as it matters
  std::uint64_t pending = 0;          // clauses, one bit each
  std::vector<ConstantId> elements;   // unique, or a repeat is wanted: so far, sorted
  Repeat repeat = Repeat::kSettled;
  GoalId promise = GoalTable::kAnyValue;
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
    return shape.unique || state.repeat != Repeat::kSettled || !state.differs.empty();
  }

  // Bytes of the shortest rest, with the closing bracket; kNoCost if there is none.
  std::uint64_t Cost(const ArrayShape& shape, const ArrayState& state, CostSource& costs);

 private:
  std::vector<Step> AllSteps(const ArrayShape& shape, const ArrayState& state);
  void Contain(const ArrayShape& shape, const ArrayState& state, std::size_t rule,
               std::vector<std::pair<Step, std::uint64_t>>& steps);
  void Satisfy(const ArrayShape& shape, std::uint64_t index, std::size_t clause,
               std::vector<std::pair<Step, std::uint64_t>>& steps);
  std::vector<Step> WaysToRepeat(const ArrayState& state, const Step& step);
  void AddRepeat(const ArrayShape& shape, const Step& step, CostSource& costs,
                 std::vector<Step>& out);
  void AddPromise(const ArrayShape& shape, const Step& step, CostSource& costs,
                  std::vector<Step>& out);
  void AddLastChances(const ArrayShape& shape, const ArrayState& state, const Step& step,
                      CostSource& costs, std::vector<Step>& out);
  std::set<GoalId> LaterGoals(const ArrayShape& shape, const ArrayState& from, CostSource& costs);
  bool CanStayUnique(const ArrayShape& shape, const ArrayState& state, CostSource& costs);
  Step Differing(Step step, std::uint64_t index);
  std::uint64_t PlainCost(const ArrayShape& shape, const ArrayState& state, CostSource& costs);
  std::uint64_t SearchedCost(const ArrayShape& shape, const ArrayState& state, CostSource& costs);

  GoalTable& goals_;
  const std::uint64_t separator_bytes_;
  Fuel& fuel_;
};

}  // namespace espalier
