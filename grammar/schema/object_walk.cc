#include "grammar/schema/object_walk.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace espalier {
namespace {

constexpr std::size_t kMaxSteps = 256;  // of one member

bool HasBit(const std::vector<std::uint64_t>& bits, std::uint32_t i) {
  return ((bits[i / 64] >> (i % 64)) & 1) != 0;
}

}  // namespace

ObjectState ObjectWalk::Start(const ObjectShape& shape, std::uint32_t id) {
  ObjectState state;
  state.shape = id;
  state.seen.assign(shape.keys.size() / 64 + 1, 0);
  state.differs = shape.differs;
  state.pending.resize(shape.clauses.size());
  std::iota(state.pending.begin(), state.pending.end(), 0u);
  return state;
}

// `key` has not come yet and still may.
bool ObjectWalk::IsOpen(const ObjectShape& shape, const ObjectState& state,
                        std::uint32_t key) const {
  if (shape.keys[key].use == ObjectKey::Use::kForbidden) return false;
  if (order_ == PropertyOrder::kSchema) return key >= state.position;
  return !HasBit(state.seen, key);
}

bool ObjectWalk::IsSafe(const ObjectShape& shape, const ObjectState& state) {
  return state.pending.empty() && state.differs.empty() && shape.max == kNoLimit &&
         state.count >= shape.min;
}

bool ObjectWalk::MayClose(const ObjectShape& shape, const ObjectState& state) const {
  if (state.count < shape.min || state.count > shape.max) return false;
  for (std::uint32_t key = 0; key < shape.keys.size(); ++key) {
    if (shape.keys[key].use == ObjectKey::Use::kRequired && IsOpen(shape, state, key)) return false;
  }
  for (const std::uint32_t clause : state.pending) {
    const std::vector<std::uint32_t>& absent = shape.clauses[clause].absent;
    if (std::none_of(absent.begin(), absent.end(),
                     [&](std::uint32_t key) { return IsOpen(shape, state, key); })) {
      return false;
    }
  }
  return std::none_of(state.differs.begin(), state.differs.end(), [&](ConstantId id) {
    return goals_.constant(id).members.size() == state.count;
  });
}

// Keys from the position up to `end` will not come any more.
void ObjectWalk::Skip(const ObjectShape& shape, ObjectState& state, std::uint32_t end) const {
  if (order_ == PropertyOrder::kAny) return;
  std::erase_if(state.pending, [&](std::uint32_t clause) {
    const std::vector<std::uint32_t>& absent = shape.clauses[clause].absent;
    return std::any_of(absent.begin(), absent.end(),
                       [&](std::uint32_t key) { return key >= state.position && key < end; });
  });
  if (!state.differs.empty()) {
    std::erase_if(state.differs, [&](ConstantId id) {
      for (std::uint32_t key = state.position; key < end; ++key) {
        if (goals_.MemberOf(id, goals_.name(shape.keys[key].name)) != nullptr) return true;
      }
      return false;
    });
  }
  state.position = end;
}

// One more member; the number is kept only as far as something asks for it.
void ObjectWalk::Count(const ObjectShape& shape, ObjectState& state) const {
  ++state.count;
  state.is_first = false;
  if (shape.max == kNoLimit && state.differs.empty()) {
    state.count = std::min(state.count, shape.min);
  }
}

ObjectState ObjectWalk::AfterKey(const ObjectShape& shape, ObjectState state,
                                 std::uint32_t key) const {
  Skip(shape, state, key);
  if (order_ == PropertyOrder::kSchema) {
    state.position = key + 1;
  } else {
    state.seen[key / 64] |= std::uint64_t{1} << (key % 64);
  }
  const std::string& name = goals_.name(shape.keys[key].name);
  std::erase_if(state.differs, [&](ConstantId id) { return goals_.MemberOf(id, name) == nullptr; });
  Count(shape, state);
  return state;
}

ObjectState ObjectWalk::AfterOther(const ObjectShape& shape, ObjectState state,
                                   const Other& other) const {
  Skip(shape, state, static_cast<std::uint32_t>(shape.keys.size()));
  if (other.name.has_value()) {
    const std::string& name = goals_.name(*other.name);
    std::erase_if(state.differs,
                  [&](ConstantId id) { return goals_.MemberOf(id, name) == nullptr; });
    state.others.insert(std::lower_bound(state.others.begin(), state.others.end(), *other.name),
                        *other.name);
  } else {
    state.differs.clear();
  }
  Count(shape, state);
  return state;
}

ObjectState ObjectWalk::WithValue(const ObjectShape& shape, ObjectState state, NameId name,
                                  const Json& value) const {
  std::erase_if(state.differs, [&](ConstantId id) {
    const Json* member = goals_.MemberOf(id, goals_.name(name));
    return member == nullptr || !JsonEqual(*member, value);
  });
  if (shape.max == kNoLimit && state.differs.empty()) {
    state.count = std::min(state.count, shape.min);
  }
  return state;
}

// The ways of one member. They tell apart all that pending clauses ask of its value, so no two
// of them are ways of one value, and what is pending behind each of them is known.
std::vector<ObjectWalk::Step> ObjectWalk::Steps(const ObjectShape& shape, const Step& first,
                                                Witnesses witnesses, std::uint32_t at,
                                                CostSource& costs) {
  std::vector<Step> steps = {first};
  for (const std::uint32_t clause : first.next.pending) {
    for (const ObjectClause::Witness& witness : shape.clauses[clause].*witnesses) {
      if (witness.at != at) continue;
      for (const Literal& literal : witness.more) {
        if (!AddCells(steps, literal, costs)) return {};
      }
    }
  }
  for (Step& step : steps) {
    std::erase_if(step.next.pending, [&](std::uint32_t clause) {
      const auto& all = shape.clauses[clause].*witnesses;
      return std::any_of(all.begin(), all.end(), [&](const ObjectClause::Witness& witness) {
        return witness.at == at && goals_.With(step.goal, witness.more) == step.goal;
      });
    });
  }
  return steps;
}

// Splits each step by what its value does to `literal`. False: there are too many.
bool ObjectWalk::AddCells(std::vector<Step>& steps, const Literal& literal, CostSource& costs) {
  const std::size_t num_steps = steps.size();
  for (std::size_t i = 0; i < num_steps; ++i) {
    const Literal other = literal.Negated();
    const GoalId holding = goals_.With(steps[i].goal, {&literal, 1});
    const GoalId failing = goals_.With(steps[i].goal, {&other, 1});
    if (holding == steps[i].goal || failing == steps[i].goal) continue;
    if (costs.Cost(holding) == kNoCost) {
      steps[i].goal = failing;
    } else if (costs.Cost(failing) == kNoCost) {
      steps[i].goal = holding;
    } else {
      steps.push_back(steps[i]);
      steps.back().goal = holding;
      steps[i].goal = failing;
    }
  }
  if (steps.size() > kMaxSteps) fuel_.Exhaust();
  return fuel_.Spend(steps.size());
}

// Keeps the value of `name` from leading into an object that must differ and cannot.
GoalId ObjectWalk::Distinguish(const ObjectShape& shape, const Step& step, NameId name,
                               CostSource& costs) {
  std::vector<Literal> other_values;
  for (const ConstantId id : step.next.differs) {
    const Json* value = goals_.MemberOf(id, goals_.name(name));
    if (value == nullptr) continue;
    const ObjectState same = WithValue(shape, step.next, name, *value);
    if (Cost(shape, same, costs) != kNoCost) continue;
    other_values.push_back({Claim::kEquals, Truth::kFails, goals_.Constant(*value), 0});
  }
  return goals_.With(step.goal, other_values);
}

// Drops the steps whose value, or what follows, cannot be.
void ObjectWalk::KeepPossible(const ObjectShape& shape, const ObjectState& from, CostSource& costs,
                              std::vector<Step>& steps) {
  const bool safe = IsSafe(shape, from);
  std::erase_if(steps, [&](const Step& step) {
    if (costs.Cost(step.goal) == kNoCost) return true;
    if (safe) return false;
    ObjectState next = step.next;
    next.differs.clear();
    return Cost(shape, next, costs) == kNoCost;
  });
}

std::vector<ObjectWalk::Step> ObjectWalk::KeySteps(const ObjectShape& shape,
                                                   const ObjectState& state, std::uint32_t key,
                                                   CostSource& costs) {
  const Step first{shape.keys[key].goal, AfterKey(shape, state, key)};
  std::vector<Step> steps = Steps(shape, first, &ObjectClause::keys, key, costs);
  for (Step& step : steps) step.goal = Distinguish(shape, step, shape.keys[key].name, costs);
  KeepPossible(shape, state, costs, steps);
  return steps;
}

// What is asked of the member of a class, as far as its name tells.
GoalId ObjectWalk::GoalOf(const NameClass& name_class, const std::optional<NameId>& name) {
  if (name_class.extras.empty() || !name.has_value()) return name_class.goal;
  const std::string spelling = EscapedText(goals_.name(*name));
  GoalId goal = name_class.goal;
  for (const NameClass::Extra& extra : name_class.extras) {
    if (!fuel_.Spend(1)) break;
    if (!scalars_.text().set().Matches(extra.pattern, spelling)) continue;
    goal = goals_.With(goal, extra.rules);
  }
  return goal;
}

std::vector<ObjectWalk::Step> ObjectWalk::OtherSteps(const ObjectShape& shape,
                                                     const ObjectState& state, const Other& other,
                                                     CostSource& costs) {
  const Step first{GoalOf(shape.classes[other.name_class], other.name),
                   AfterOther(shape, state, other)};
  std::vector<Step> steps = Steps(shape, first, &ObjectClause::classes, other.name_class, costs);
  if (other.name.has_value()) {
    for (Step& step : steps) step.goal = Distinguish(shape, step, *other.name, costs);
  }
  KeepPossible(shape, state, costs, steps);
  return steps;
}

std::vector<std::uint32_t> ObjectWalk::NextKeys(const ObjectShape& shape, const ObjectState& state,
                                                CostSource& costs) {
  std::vector<std::uint32_t> keys;
  for (std::uint32_t key = state.position; key < shape.keys.size(); ++key) {
    if (!IsOpen(shape, state, key)) continue;
    const bool possible = IsSafe(shape, state) ? costs.Cost(shape.keys[key].goal) != kNoCost
                                               : !KeySteps(shape, state, key, costs).empty();
    if (possible) keys.push_back(key);
    const bool required = shape.keys[key].use == ObjectKey::Use::kRequired;
    if (required && order_ == PropertyOrder::kSchema) break;
  }
  return keys;
}

// The names of a class, spelled out.
RegexId ObjectWalk::NamesOf(const ObjectShape& shape, const ObjectState& state,
                            std::uint32_t name_class) {
  if (shape.classes[name_class].names.has_value()) return *shape.classes[name_class].names;
  const auto [entry, inserted] = names_beside_keys_.try_emplace(state.shape, RegexSet::kNothing);
  if (inserted) entry->second = NamesBesideKeys(shape, goals_, scalars_.text());
  const RegexId names = entry->second;
  if (fuel_.exhausted()) names_beside_keys_.erase(entry);
  return names;
}

RegexId ObjectWalk::NextNames(const ObjectShape& shape, const ObjectState& state,
                              std::uint32_t name_class, CostSource& costs) {
  if (order_ == PropertyOrder::kSchema) {
    for (std::uint32_t key = state.position; key < shape.keys.size(); ++key) {
      if (shape.keys[key].use == ObjectKey::Use::kRequired) return RegexSet::kNothing;
    }
  }
  if (OtherSteps(shape, state, {name_class, std::nullopt}, costs).empty()) {
    return RegexSet::kNothing;
  }
  RegexSet& set = scalars_.text().set();
  RegexId names = NamesOf(shape, state, name_class);
  if (!state.others.empty()) {
    std::vector<std::string> others;
    for (const NameId name : state.others) others.push_back(goals_.name(name));
    names = set.And(names, scalars_.text().Not(scalars_.text().Literals(others)));
  }
  return set.IsNothing(names) ? RegexSet::kNothing : names;
}

}  // namespace espalier
