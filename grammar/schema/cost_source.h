// CostSource: how short a value of a goal can be.
#pragma once

#include <cstdint>
#include <optional>

#include "grammar/schema/branch.h"
#include "grammar/schema/goal.h"

namespace espalier {

inline constexpr std::uint64_t kNoCost = kNoLimit;  // no value

// Bytes of the shortest value of a goal that is known; kNoCost if there is no value.
class CostSource {
 public:
  virtual ~CostSource() = default;
  virtual std::uint64_t Cost(GoalId goal) = 0;
  // The null, boolean, number or string that is the shortest value of a goal, if one is known.
  virtual std::optional<ConstantId> ShortestScalar(GoalId goal) = 0;
  // False: the goal has fewer values than that, all different.
  virtual bool HasValues(GoalId goal, std::uint64_t num_values) = 0;
};

}  // namespace espalier
