#include "grammar/schema/array_walk.h"

#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

#include "grammar/saturating.h"

namespace espalier {
namespace {

constexpr std::size_t kMaxSteps = 64;  // of one element

std::uint64_t Bit(std::size_t i) { return std::uint64_t{1} << i; }

// What the rest of an array depends on, but for its elements so far.
using StateKey = std::tuple<std::uint64_t, std::vector<std::uint64_t>, std::uint64_t,
                            std::vector<ConstantId>, Repeat, GoalId>;

StateKey KeyOf(const ArrayState& state) {
  return {state.index, state.counts, state.pending, state.differs, state.repeat, state.promise};
}

}  // namespace

ArrayState ArrayWalk::Start(const ArrayShape& shape, std::uint32_t id) {
  ArrayState state;
  state.shape = id;
  state.counts.assign(shape.contains.size(), 0);
  const std::size_t clauses = shape.clauses.size();
  state.pending = clauses == 64 ? ~std::uint64_t{0} : Bit(clauses) - 1;
  state.differs = shape.differs;
  if (shape.repeats) state.repeat = Repeat::kWanted;
  return state;
}

bool ArrayWalk::MayClose(const ArrayShape& shape, const ArrayState& state) const {
  if (state.index < shape.min || state.pending != 0) return false;
  if (state.repeat != Repeat::kSettled) return false;
  for (std::size_t i = 0; i < shape.contains.size(); ++i) {
    if (state.counts[i] < shape.contains[i].min) return false;
  }
  return std::none_of(state.differs.begin(), state.differs.end(), [&](ConstantId id) {
    return goals_.constant(id).elements.size() == state.index;
  });
}

// The ways in which an element matches a contains rule, or does not.
void ArrayWalk::Contain(const ArrayShape& shape, const ArrayState& state, std::size_t rule,
                        std::vector<std::pair<Step, std::uint64_t>>& steps) {
  const ContainsRule& contains = shape.contains[rule];
  const bool evaluates =
      std::any_of(shape.rests.begin(), shape.rests.end(), [&](const ArrayRest& rest) {
        return (rest.unless & Bit(rule)) != 0 && state.index >= rest.first;
      });
  const bool decides = contains.max != kNoLimit || evaluates;
  if (!decides && state.counts[rule] >= contains.min) return;
  const bool may_match = contains.max == kNoLimit || state.counts[rule] < contains.max;
  const std::size_t num_steps = steps.size();
  for (std::size_t i = 0; i < num_steps; ++i) {
    if (may_match) {
      auto matching = steps[i];
      matching.first.goal = goals_.With(matching.first.goal, {&contains.element, 1});
      matching.second |= Bit(rule);
      std::uint64_t& count = matching.first.next.counts[rule];
      ++count;
      if (contains.max == kNoLimit) count = std::min(count, contains.min);
      steps.push_back(std::move(matching));
    }
    if (!decides) continue;
    const Literal other = contains.element.Negated();
    steps[i].first.goal = goals_.With(steps[i].first.goal, {&other, 1});
  }
}

void ArrayWalk::Satisfy(const ArrayShape& shape, std::uint64_t index, std::size_t clause,
                        std::vector<std::pair<Step, std::uint64_t>>& steps) {
  const std::size_t num_steps = steps.size();
  for (const ArrayClause::Witness& witness : shape.clauses[clause].witnesses) {
    if (index < witness.first || index > witness.last) continue;
    for (std::size_t i = 0; i < num_steps; ++i) {
      auto satisfying = steps[i];
      satisfying.first.goal = goals_.With(satisfying.first.goal, witness.more);
      satisfying.first.next.pending &= ~Bit(clause);
      steps.push_back(std::move(satisfying));
    }
  }
}

// One more element in all ways, possible or not.
std::vector<ArrayWalk::Step> ArrayWalk::AllSteps(const ArrayShape& shape, const ArrayState& state) {
  if (state.index >= shape.max) return {};
  Step first{shape.GoalAt(state.index), state};
  first.next.index = std::min(state.index + 1, shape.horizon);
  std::erase_if(first.next.differs,
                [&](ConstantId id) { return goals_.constant(id).elements.size() <= state.index; });
  if (shape.unique) {
    std::vector<Literal> others;
    for (const ConstantId id : state.elements) {
      others.push_back({Claim::kEquals, Truth::kFails, id, 0});
    }
    first.goal = goals_.With(first.goal, others);
  }
  std::vector<std::pair<Step, std::uint64_t>> steps = {{std::move(first), 0}};
  const auto are_too_many = [&] {
    if (steps.size() > kMaxSteps) fuel_.Exhaust();
    return fuel_.exhausted();
  };
  for (std::size_t i = 0; i < shape.contains.size(); ++i) {
    Contain(shape, state, i, steps);  // may double them
    if (are_too_many()) return {};
  }
  for (std::size_t i = 0; i < shape.clauses.size(); ++i) {
    if ((state.pending & Bit(i)) != 0) Satisfy(shape, state.index, i, steps);
    if (are_too_many()) return {};
  }
  if (!fuel_.Spend(steps.size())) return {};
  std::vector<Step> all;
  for (auto& [step, matched] : steps) {
    for (const ArrayRest& rest : shape.rests) {
      if (state.index < rest.first || (rest.unless & matched) != 0) continue;
      step.goal = goals_.With(step.goal, {&rest.value, 1});
    }
    all.push_back(std::move(step));
  }
  return all;
}

std::vector<ArrayWalk::Step> ArrayWalk::Steps(const ArrayShape& shape, const ArrayState& state,
                                              CostSource& costs) {
  std::vector<Step> steps = AllSteps(shape, state);
  for (Step& step : steps) {
    std::vector<Literal> others;  // elements that would end in an array that must differ
    for (const ConstantId id : step.next.differs) {
      const Json& value = goals_.constant(id).elements[state.index];
      const ArrayState same = WithValue(shape, step.next, state.index, value);
      if (Cost(shape, same, costs) != kNoCost) continue;
      others.push_back({Claim::kEquals, Truth::kFails, goals_.Constant(value), 0});
    }
    step.goal = goals_.With(step.goal, others);
  }
  std::vector<Step> possible;
  for (Step& step : steps) {
    if (costs.Cost(step.goal) == kNoCost) continue;
    ArrayState next = step.next;
    next.differs.clear();
    if (Cost(shape, next, costs) != kNoCost) {
      if (next.repeat == Repeat::kWanted) {
        AddRepeat(shape, step, costs, possible);
        AddPromise(shape, step, costs, possible);
      }
      possible.push_back(std::move(step));
    } else if (next.repeat == Repeat::kWanted) {
      AddLastChances(shape, state, step, costs, possible);
    }
  }
  return possible;
}

// What the search for a shortest rest makes of a step while a repeat is wanted: the element is
// one of those so far, or the one that was promised, or is promised itself, or another one.
std::vector<ArrayWalk::Step> ArrayWalk::WaysToRepeat(const ArrayState& state, const Step& step) {
  std::vector<Step> ways = {step};
  if (state.repeat == Repeat::kSettled) return ways;
  const auto add = [&](GoalId goal, Repeat repeat, GoalId promise) {
    ways.push_back({goal, step.next});
    ways.back().next.repeat = repeat;
    ways.back().next.promise = promise;
  };
  for (const ConstantId id : state.elements) {
    const Literal same{Claim::kEquals, Truth::kHolds, id, 0};
    add(goals_.With(step.goal, {&same, 1}), Repeat::kSettled, GoalTable::kAnyValue);
  }
  if (state.repeat == Repeat::kPromised) {
    add(goals_.With(step.goal, goals_.literals(state.promise)), Repeat::kSettled,
        GoalTable::kAnyValue);
  } else {
    add(step.goal, Repeat::kPromised, step.goal);
  }
  fuel_.Spend(ways.size());
  return ways;
}

// The element repeats the shortest of the earlier ones that it can: the shortest way on, for
// those who look for it. That others repeat shows when they have been read.
void ArrayWalk::AddRepeat(const ArrayShape& shape, const Step& step, CostSource& costs,
                          std::vector<Step>& out) {
  Step repeat = step;
  repeat.next.repeat = Repeat::kSettled;
  repeat.next.elements.clear();
  if (Cost(shape, repeat.next, costs) == kNoCost) return;
  std::uint64_t least = kNoCost;
  for (const ConstantId id : step.next.elements) {
    const Literal same{Claim::kEquals, Truth::kHolds, id, 0};
    const GoalId goal = goals_.With(step.goal, {&same, 1});
    const std::uint64_t cost = costs.Cost(goal);
    if (cost >= least) continue;
    least = cost;
    repeat.goal = goal;
  }
  if (least != kNoCost) out.push_back(std::move(repeat));
}

// The element is the shortest, which can come again: another way for those who look for one.
void ArrayWalk::AddPromise(const ArrayShape& shape, const Step& step, CostSource& costs,
                           std::vector<Step>& out) {
  const std::optional<ConstantId> shortest = costs.ShortestScalar(step.goal);
  if (!shortest.has_value()) return;
  const Literal same{Claim::kEquals, Truth::kHolds, *shortest, 0};
  Step first{goals_.With(step.goal, {&same, 1}), step.next};
  first.next.repeat = Repeat::kPromised;
  first.next.promise = first.goal;
  if (Cost(shape, first.next, costs) != kNoCost) out.push_back(std::move(first));
}

// The goals that elements behind `from` may have, in all ways on that can be completed.
std::set<GoalId> ArrayWalk::LaterGoals(const ArrayShape& shape, const ArrayState& from,
                                       CostSource& costs) {
  std::set<GoalId> goals;
  std::set<StateKey> seen = {KeyOf(from)};
  std::vector<ArrayState> open = {from};
  while (!open.empty() && fuel_.Spend(4)) {
    const ArrayState at = std::move(open.back());
    open.pop_back();
    for (const Step& step : AllSteps(shape, at)) {
      if (costs.Cost(step.goal) == kNoCost || Cost(shape, step.next, costs) == kNoCost) continue;
      goals.insert(step.goal);
      if (seen.insert(KeyOf(step.next)).second) open.push_back(step.next);
    }
  }
  return goals;
}

// The element must be a repeat, or one that can still be repeated, for no others can.
void ArrayWalk::AddLastChances(const ArrayShape& shape, const ArrayState& state, const Step& step,
                               CostSource& costs, std::vector<Step>& out) {
  std::vector<Step> chances = {step};
  chances.front().next.repeat = Repeat::kSettled;
  if (Cost(shape, chances.front().next, costs) == kNoCost) return;
  // Which of them equal an array that it must differ from is not known.
  if (!shape.differs.empty()) return fuel_.Exhaust();
  chances.clear();
  for (const ConstantId id : state.elements) {
    const Literal same{Claim::kEquals, Truth::kHolds, id, 0};
    chances.push_back({goals_.With(step.goal, {&same, 1}), step.next});
    chances.back().next.repeat = Repeat::kSettled;
    chances.back().next.elements.clear();
  }
  std::set<GoalId> goals;
  ArrayState settled = step.next;
  settled.repeat = Repeat::kSettled;
  settled.elements.clear();
  for (const GoalId later : LaterGoals(shape, settled, costs)) {
    goals.insert(goals_.With(step.goal, goals_.literals(later)));
  }
  for (const GoalId goal : goals) {
    chances.push_back({goal, step.next});
    chances.back().next.repeat = Repeat::kPromised;
    chances.back().next.promise = goal;
  }
  for (Step& chance : chances) {
    if (costs.Cost(chance.goal) == kNoCost || Cost(shape, chance.next, costs) == kNoCost) continue;
    out.push_back(std::move(chance));
  }
}

ArrayState ArrayWalk::WithValue(const ArrayShape& shape, ArrayState state, std::uint64_t at,
                                const Json& value) {
  std::erase_if(state.differs, [&](ConstantId id) {
    const std::vector<Json>& elements = goals_.constant(id).elements;
    return at >= elements.size() || !JsonEqual(elements[at], value);
  });
  if (!shape.unique && state.repeat == Repeat::kSettled) return state;
  const ConstantId id = goals_.Constant(value);
  const auto place = std::lower_bound(state.elements.begin(), state.elements.end(), id);
  const bool is_repeat = place != state.elements.end() && *place == id;
  if (!is_repeat) state.elements.insert(place, id);
  if (shape.unique) return state;
  state.repeat = is_repeat ? Repeat::kSettled : Repeat::kWanted;
  state.promise = GoalTable::kAnyValue;
  if (is_repeat) state.elements.clear();
  return state;
}

std::uint64_t ArrayWalk::Cost(const ArrayShape& shape, const ArrayState& state, CostSource& costs) {
  bool plain = state.pending == 0 && state.differs.empty() && shape.rests.empty() &&
               state.repeat == Repeat::kSettled;
  for (std::size_t i = 0; i < shape.contains.size(); ++i) {
    const ContainsRule& contains = shape.contains[i];
    plain = plain && contains.max == kNoLimit && state.counts[i] >= contains.min;
  }
  if (shape.unique && !CanStayUnique(shape, state, costs)) return kNoCost;
  return plain ? PlainCost(shape, state, costs) : SearchedCost(shape, state, costs);
}

// The elements that must still come have enough values that differ. Goals that are not the
// same are taken as if they shared none.
bool ArrayWalk::CanStayUnique(const ArrayShape& shape, const ArrayState& state, CostSource& costs) {
  std::vector<Literal> others;
  for (const ConstantId id : state.elements) {
    others.push_back({Claim::kEquals, Truth::kFails, id, 0});
  }
  std::map<GoalId, std::uint64_t> wanted;
  const std::uint64_t prefix = shape.prefix.size();
  for (std::uint64_t at = state.index; at < std::min(shape.min, prefix); ++at) {
    ++wanted[shape.prefix[at]];
  }
  if (shape.min > std::max(state.index, prefix)) {
    wanted[shape.rest] += shape.min - std::max(state.index, prefix);
  }
  return std::all_of(wanted.begin(), wanted.end(), [&](const auto& want) {
    return costs.HasValues(goals_.With(want.first, others), want.second);
  });
}

// Only the minimum and the goals of the elements matter.
std::uint64_t ArrayWalk::PlainCost(const ArrayShape& shape, const ArrayState& state,
                                   CostSource& costs) {
  std::uint64_t total = 1;
  std::uint64_t at = state.index;
  for (; at < shape.min && at < shape.prefix.size(); ++at) {
    if (!fuel_.Spend(1)) return kNoCost;
    total = SaturatingAdd(total, SaturatingAdd(costs.Cost(shape.prefix[at]), separator_bytes_));
  }
  if (at < shape.min) {
    const std::uint64_t one = SaturatingAdd(costs.Cost(shape.rest), separator_bytes_);
    const std::uint64_t left = shape.min - at;
    if (one == kNoCost || one > kNoCost / left) return kNoCost;
    total = SaturatingAdd(total, one * left);
  }
  const bool drops_comma = state.index == 0 && shape.min > 0 && total != kNoCost;
  return drops_comma ? total - separator_bytes_ : total;
}

// The step with an element at `index` that tells the array from all that it must differ from.
ArrayWalk::Step ArrayWalk::Differing(Step step, std::uint64_t index) {
  for (const ConstantId id : step.next.differs) {
    const Literal differs{Claim::kEquals, Truth::kFails,
                          goals_.Constant(goals_.constant(id).elements[index]), 0};
    step.goal = goals_.With(step.goal, {&differs, 1});
  }
  step.next.differs.clear();
  return step;
}

// Dijkstra's algorithm over the states.
std::uint64_t ArrayWalk::SearchedCost(const ArrayShape& shape, const ArrayState& state,
                                      CostSource& costs) {
  using Entry = std::pair<std::uint64_t, StateKey>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  std::map<StateKey, ArrayState> states;
  std::map<StateKey, std::uint64_t> best;
  const auto reach = [&](std::uint64_t cost, const ArrayState& next) {
    StateKey key = KeyOf(next);
    const auto [place, inserted] = best.emplace(key, cost);
    if (!inserted && place->second <= cost) return;
    place->second = cost;
    states.emplace(key, next);
    open.emplace(cost, std::move(key));
  };
  reach(0, state);
  while (!open.empty()) {
    const auto [cost, key] = open.top();
    open.pop();
    if (!fuel_.Spend(4)) return kNoCost;
    if (best.at(key) != cost) continue;
    const ArrayState at = states.at(key);
    if (MayClose(shape, at)) return cost + 1;
    const std::uint64_t comma = at.index == 0 ? 0 : separator_bytes_;
    for (const Step& plain : AllSteps(shape, at)) {
      for (const Step& step : WaysToRepeat(at, plain)) {
        const std::uint64_t value = costs.Cost(step.goal);
        if (value != kNoCost) reach(cost + value + comma, step.next);
        if (step.next.differs.empty()) continue;
        const Step other = Differing(step, at.index);
        const std::uint64_t differing = costs.Cost(other.goal);
        if (differing != kNoCost) reach(cost + differing + comma, other.next);
      }
    }
  }
  return kNoCost;
}

}  // namespace espalier
