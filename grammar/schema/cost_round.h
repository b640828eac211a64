// CostRound: one computation of the least fixpoint of costs (shape_book.h).
//
// Thread safety: none.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "grammar/schema/shape_book.h"

namespace espalier {

class CostRound final : public CostSource {
 public:
  explicit CostRound(ShapeBook& book) : book_(book) {}

  // The cost of the objects or arrays of a goal; stops as soon as it is known.
  std::uint64_t Solve(GoalId goal, SchemaType type);
  // False if something could not be looked into: a missing value may exist.
  bool is_complete() const { return is_complete_; }

  // As shapes ask for it while they are evaluated.
  std::uint64_t Cost(GoalId goal) override;
  std::optional<ConstantId> ShortestScalar(GoalId goal) override {
    return book_.ShortestScalar(goal);
  }
  bool HasValues(GoalId goal, std::uint64_t num_values) override {
    return Cost(goal) != kNoCost && book_.HasValues(goal, num_values);
  }

 private:
  using TypedGoal = ShapeBook::TypedGoal;
  struct Entry {
    TypedGoal goal;
    std::uint64_t cost = kNoCost;
    std::vector<std::size_t> dependents;
    bool is_queued = false;
  };

  std::size_t EntryOf(const TypedGoal& goal);
  std::uint64_t CostOf(const TypedGoal& goal);
  void Evaluate(std::size_t entry);
  void Settle();

  ShapeBook& book_;
  std::vector<Entry> entries_;
  std::map<TypedGoal, std::size_t> entry_of_;
  std::vector<std::size_t> fresh_;  // never evaluated
  std::vector<std::size_t> again_;  // a part of them has a value now
  std::size_t current_ = 0;
  bool is_complete_ = true;
};

}  // namespace espalier
