#include "grammar/schema/cost_round.h"

#include <algorithm>

#include "grammar/saturating.h"

namespace espalier {

std::uint64_t CostRound::Solve(GoalId goal, SchemaType type) {
  const std::size_t root = EntryOf({goal, type});
  while ((!fresh_.empty() || !again_.empty()) && entries_[root].cost == kNoCost) {
    if (!book_.fuel_.Spend(1)) break;
    std::vector<std::size_t>& queue = fresh_.empty() ? again_ : fresh_;
    const std::size_t entry = queue.back();
    queue.pop_back();
    Evaluate(entry);
  }
  if (book_.fuel_.exhausted()) is_complete_ = false;
  Settle();
  return entries_[root].cost;
}

std::size_t CostRound::EntryOf(const TypedGoal& goal) {
  const auto [place, inserted] = entry_of_.emplace(goal, entries_.size());
  if (inserted) {
    fresh_.push_back(entries_.size());
    entries_.push_back({goal, kNoCost, {}, true});
  }
  return place->second;
}

void CostRound::Evaluate(std::size_t entry) {
  current_ = entry;
  entries_[entry].is_queued = false;
  const TypedGoal goal = entries_[entry].goal;
  const auto shapes = book_.Shapes(goal.first, goal.second);
  book_.NoteExhausted(goal.first);
  if (!shapes.has_value()) {
    is_complete_ = false;
    return;
  }
  std::uint64_t best = kNoCost;
  for (const std::uint32_t id : *shapes) {
    std::uint64_t cost = kNoCost;
    if (goal.second == SchemaType::kObject) {
      const ObjectShape& shape = book_.object(id);
      cost = book_.object_walk_.Cost(shape, ObjectWalk::Start(shape, id), *this);
    } else {
      const ArrayShape& shape = book_.array(id);
      cost = book_.array_walk_.Cost(shape, ArrayWalk::Start(shape, id), *this);
    }
    best = std::min(best, SaturatingAdd(cost, 1));
  }
  book_.NoteExhausted(goal.first);
  if (best == kNoCost || entries_[entry].cost != kNoCost) return;
  entries_[entry].cost = best;
  for (const std::size_t dependent : entries_[entry].dependents) {
    if (entries_[dependent].is_queued || entries_[dependent].cost != kNoCost) continue;
    entries_[dependent].is_queued = true;
    again_.push_back(dependent);
  }
}

std::uint64_t CostRound::Cost(GoalId goal) {
  const std::optional<std::uint64_t> scalar = book_.ScalarCost(goal);
  if (!scalar.has_value()) is_complete_ = false;
  if (scalar.value_or(kNoCost) != kNoCost) return *scalar;
  const std::uint64_t object = CostOf({goal, SchemaType::kObject});
  if (object != kNoCost) return object;
  return CostOf({goal, SchemaType::kArray});
}

std::uint64_t CostRound::CostOf(const TypedGoal& goal) {
  const auto settled = book_.costs_.find(goal);
  if (settled != book_.costs_.end()) return settled->second;
  const std::size_t entry = EntryOf(goal);
  if (entries_[entry].cost == kNoCost) entries_[entry].dependents.push_back(current_);
  return entries_[entry].cost;
}

// Values that were found exist; that one does not is known only when all was looked at.
void CostRound::Settle() {
  const bool all = fresh_.empty() && again_.empty() && is_complete_;
  for (const Entry& entry : entries_) {
    if (entry.cost != kNoCost || all) book_.costs_.emplace(entry.goal, entry.cost);
  }
}

}  // namespace espalier
