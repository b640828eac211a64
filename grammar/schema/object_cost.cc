// The shortest way to complete an object: the required keys, and then whatever satisfies
// what is still pending. Alternatives are tried in turn and the first that works is taken,
// so the cost is that of a way that exists; there is none only if all have failed.
#include <algorithm>
#include <optional>
#include <utility>

#include "grammar/saturating.h"
#include "grammar/schema/object_walk.h"

namespace espalier {

// Members that are to come.
struct ObjectWalk::Plan {
  struct Member {
    std::uint32_t at;  // of keys or classes
    GoalId goal;
  };
  std::vector<Member> keys;  // sorted
  std::vector<Member> others;

  const Member* Find(std::uint32_t key) const {
    const auto place = std::ranges::lower_bound(keys, key, {}, &Member::at);
    return place == keys.end() || place->at != key ? nullptr : &*place;
  }

  void SetKey(std::uint32_t key, GoalId goal) {
    const auto place = std::ranges::lower_bound(keys, key, {}, &Member::at);
    if (place != keys.end() && place->at == key) {
      place->goal = goal;
    } else {
      keys.insert(place, {key, goal});
    }
  }

  std::uint64_t size() const { return keys.size() + others.size(); }
};

struct ObjectWalk::Planner {
  // A member more, or more that is asked of one.
  struct Change {
    enum class Kind : std::uint8_t { kKey, kOther } kind;
    Plan::Member member;
  };
  using Changes = std::vector<Change>;

  ObjectWalk& walk;
  const ObjectShape& shape;
  const ObjectState& state;
  CostSource& costs;

  std::uint64_t Complete(const Plan& plan);
  std::uint64_t FillUp(Plan plan);
  std::optional<Changes> Alternatives(const Plan& plan);
  Changes ForClause(const Plan& plan, const ObjectClause& clause);
  Changes ForDiffering(const Plan& plan, ConstantId id);
  Changes ForCount(const Plan& plan, std::uint64_t missing);
  bool IsSatisfied(const Plan& plan, const ObjectClause& clause) const;
  bool Differs(const Plan& plan, ConstantId id) const;
  void AddKey(std::uint32_t key, GoalId goal, Changes& out);
  void AddOther(const Plan& plan, std::uint32_t name_class, GoalId goal, Changes& out);
  std::uint64_t CostOf(const Plan& plan);
  std::uint64_t CostOfKey(std::uint32_t key) const;
  bool HasNames(std::uint32_t name_class, std::size_t num_names);
};

std::uint64_t ObjectWalk::Cost(const ObjectShape& shape, const ObjectState& state,
                               CostSource& costs) {
  Plan plan;
  for (std::uint32_t key = 0; key < shape.keys.size(); ++key) {
    if (shape.keys[key].use != ObjectKey::Use::kRequired || !IsOpen(shape, state, key)) continue;
    if (costs.Cost(shape.keys[key].goal) == kNoCost) return kNoCost;
    plan.keys.push_back({key, shape.keys[key].goal});
  }
  if (!fuel_.Spend(1 + shape.keys.size() / 16)) return kNoCost;
  return Planner{*this, shape, state, costs}.Complete(plan);
}

std::uint64_t ObjectWalk::Planner::Complete(const Plan& plan) {
  if (!walk.fuel_.Spend(1 + plan.size() / 16)) return kNoCost;
  if (state.count + plan.size() > shape.max) return kNoCost;
  if (state.pending.empty() && state.differs.empty()) return FillUp(plan);
  const std::optional<Changes> alternatives = Alternatives(plan);
  if (!alternatives.has_value()) return CostOf(plan);
  for (const Change& change : *alternatives) {
    Plan next = plan;
    if (change.kind == Change::Kind::kKey) {
      next.SetKey(change.member.at, change.member.goal);
    } else {
      next.others.push_back(change.member);
    }
    const std::uint64_t cost = Complete(next);
    if (cost != kNoCost) return cost;
  }
  return kNoCost;
}

// What would satisfy the first thing that is not; empty if all is satisfied.
std::optional<ObjectWalk::Planner::Changes> ObjectWalk::Planner::Alternatives(const Plan& plan) {
  for (const std::uint32_t clause : state.pending) {
    if (!IsSatisfied(plan, shape.clauses[clause])) return ForClause(plan, shape.clauses[clause]);
  }
  for (const ConstantId id : state.differs) {
    if (!Differs(plan, id)) return ForDiffering(plan, id);
  }
  const std::uint64_t count = state.count + plan.size();
  if (count < shape.min) return ForCount(plan, shape.min - count);
  return std::nullopt;
}

// Only the number of members is left to be satisfied: takes them as they come.
std::uint64_t ObjectWalk::Planner::FillUp(Plan plan) {
  constexpr std::uint64_t kMostMissing = 10'000;
  const std::uint64_t count = state.count + plan.size();
  std::uint64_t missing = shape.min - std::min(count, shape.min);
  if (missing > kMostMissing || !walk.fuel_.Spend(missing)) {
    walk.fuel_.Exhaust();
    return kNoCost;
  }
  const Plan required = plan;
  for (std::uint32_t key = 0; key < shape.keys.size() && missing > 0; ++key) {
    if (!walk.IsOpen(shape, state, key) || required.Find(key) != nullptr) continue;
    if (costs.Cost(shape.keys[key].goal) == kNoCost) continue;
    plan.keys.push_back({key, shape.keys[key].goal});
    --missing;
  }
  for (std::uint32_t i = 0; i < shape.classes.size() && missing > 0; ++i) {
    if (costs.Cost(shape.classes[i].strictest) == kNoCost) continue;
    for (std::size_t n = 1; missing > 0 && HasNames(i, n); ++n, --missing) {
      plan.others.push_back({i, shape.classes[i].strictest});
    }
  }
  return missing == 0 && state.count + plan.size() <= shape.max ? CostOf(plan) : kNoCost;
}

bool ObjectWalk::Planner::IsSatisfied(const Plan& plan, const ObjectClause& clause) const {
  for (const std::uint32_t key : clause.absent) {
    const bool forbidden = shape.keys[key].use == ObjectKey::Use::kForbidden;
    if (forbidden || (walk.IsOpen(shape, state, key) && plan.Find(key) == nullptr)) return true;
  }
  const auto is_met = [this](const ObjectClause::Witness& witness, const Plan::Member& member) {
    return walk.goals_.With(member.goal, witness.more) == member.goal;
  };
  const bool by_key = std::ranges::any_of(clause.keys, [&](const ObjectClause::Witness& witness) {
    const Plan::Member* member = plan.Find(witness.at);
    return member != nullptr && is_met(witness, *member);
  });
  if (by_key) return true;
  for (const ObjectClause::Witness& witness : clause.classes) {
    for (const Plan::Member& member : plan.others) {
      if (member.at == witness.at && is_met(witness, member)) return true;
    }
  }
  return false;
}

ObjectWalk::Planner::Changes ObjectWalk::Planner::ForClause(const Plan& plan,
                                                            const ObjectClause& clause) {
  Changes changes;
  for (const ObjectClause::Witness& witness : clause.keys) {
    if (!walk.IsOpen(shape, state, witness.at)) continue;
    const Plan::Member* planned = plan.Find(witness.at);
    const GoalId goal = planned == nullptr ? shape.keys[witness.at].goal : planned->goal;
    AddKey(witness.at, walk.goals_.With(goal, witness.more), changes);
  }
  for (const ObjectClause::Witness& witness : clause.classes) {
    const GoalId goal = shape.classes[witness.at].strictest;
    AddOther(plan, witness.at, walk.goals_.With(goal, witness.more), changes);
  }
  return changes;
}

// All members so far are those of a constant; is the object another one with the plan's?
bool ObjectWalk::Planner::Differs(const Plan& plan, ConstantId id) const {
  if (state.count + plan.size() != walk.goals_.constant(id).members.size()) return true;
  for (const Plan::Member& member : plan.keys) {
    const Json* same = walk.goals_.MemberOf(id, walk.goals_.name(shape.keys[member.at].name));
    if (same == nullptr) return true;
    const Literal other[] = {{Claim::kEquals, Truth::kFails, walk.goals_.Constant(*same), 0}};
    if (walk.goals_.With(member.goal, other) == member.goal) return true;
  }
  return false;
}

ObjectWalk::Planner::Changes ObjectWalk::Planner::ForDiffering(const Plan& plan, ConstantId id) {
  Changes changes;
  for (const Plan::Member& member : plan.keys) {
    const Json* same = walk.goals_.MemberOf(id, walk.goals_.name(shape.keys[member.at].name));
    if (same == nullptr) continue;
    const Literal other[] = {{Claim::kEquals, Truth::kFails, walk.goals_.Constant(*same), 0}};
    AddKey(member.at, walk.goals_.With(member.goal, other), changes);
  }
  const Changes more = ForCount(plan, 1);
  changes.insert(changes.end(), more.begin(), more.end());
  return changes;
}

// One member more, of those that are missing.
ObjectWalk::Planner::Changes ObjectWalk::Planner::ForCount(const Plan& plan,
                                                           std::uint64_t missing) {
  constexpr std::uint64_t kMostMissing = 256;
  Changes changes;
  if (missing > kMostMissing || !walk.fuel_.Spend(missing)) {
    walk.fuel_.Exhaust();
    return changes;
  }
  for (std::uint32_t key = 0; key < shape.keys.size(); ++key) {
    if (!walk.IsOpen(shape, state, key) || plan.Find(key) != nullptr) continue;
    AddKey(key, shape.keys[key].goal, changes);
  }
  for (std::uint32_t i = 0; i < shape.classes.size(); ++i) {
    AddOther(plan, i, shape.classes[i].strictest, changes);
  }
  return changes;
}

void ObjectWalk::Planner::AddKey(std::uint32_t key, GoalId goal, Changes& out) {
  if (costs.Cost(goal) != kNoCost) out.push_back({Change::Kind::kKey, {key, goal}});
}

void ObjectWalk::Planner::AddOther(const Plan& plan, std::uint32_t name_class, GoalId goal,
                                   Changes& out) {
  if (costs.Cost(goal) == kNoCost) return;
  const auto num_same =
      static_cast<std::size_t>(std::ranges::count(plan.others, name_class, &Plan::Member::at));
  if (HasNames(name_class, num_same + 1)) {
    out.push_back({Change::Kind::kOther, {name_class, goal}});
  }
}

// True if the class has so many names that are not used.
bool ObjectWalk::Planner::HasNames(std::uint32_t name_class, std::size_t num_names) {
  if (!shape.classes[name_class].names.has_value()) return true;
  RegexSet& set = walk.scalars_.text().set();
  const RegexId names = *shape.classes[name_class].names;
  if (set.IsInfiniteEverywhere(names)) return true;
  std::vector<std::string> used;
  for (const NameId name : state.others) used.push_back(walk.goals_.name(name));
  return walk.scalars_.HasTexts(names, std::move(used), num_names);
}

std::uint64_t ObjectWalk::Planner::CostOfKey(std::uint32_t key) const {
  return 2 + walk.goals_.name(shape.keys[key].name).size();
}

std::uint64_t ObjectWalk::Planner::CostOf(const Plan& plan) {
  RegexSet& set = walk.scalars_.text().set();
  std::uint64_t total = 1;
  for (const Plan::Member& member : plan.keys) {
    total = SaturatingAdd(total, SaturatingAdd(CostOfKey(member.at), costs.Cost(member.goal)));
  }
  for (const Plan::Member& member : plan.others) {
    const std::uint64_t name = set.MinBytes(walk.NamesOf(shape, state, member.at));
    total = SaturatingAdd(total, SaturatingAdd(SaturatingAdd(name, 2), costs.Cost(member.goal)));
  }
  const std::uint64_t members = plan.keys.size() + plan.others.size();
  total = SaturatingAdd(total, members * walk.separator_bytes_);
  const bool drops_comma = state.is_first && members > 0;
  return drops_comma && total != kNoCost ? total - walk.separator_bytes_ / 2 : total;
}

}  // namespace espalier
