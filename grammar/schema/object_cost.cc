// The shortest way to complete an object: the required keys, and then whatever satisfies
// what is still pending. Alternatives are tried in turn and the first that works is taken,
// so the cost is that of a way that exists; there is none only if all have failed.
#include <algorithm>
#include <utility>

#include "grammar/schema/object_walk.h"

namespace espalier {

// Members that are to come.
struct ObjectWalk::Plan {
  struct Member {
    std::uint32_t at;  // of keys or classes
    GoalId goal;
  };
  std::vector<Member> keys, others;

  const Member* Find(std::uint32_t key) const {
    for (const Member& member : keys) {
      if (member.at == key) return &member;
    }
    return nullptr;
  }
};

struct ObjectWalk::Planner {
  const ObjectWalk& walk;
  const ObjectShape& shape;
  const ObjectState& state;
  CostSource& costs;

  std::uint64_t Complete(const Plan& plan);
  std::vector<Plan> ForClause(const Plan& plan, const ObjectClause& clause);
  std::vector<Plan> ForDiffering(const Plan& plan, const Json& value);
  std::vector<Plan> ForCount(const Plan& plan, std::uint64_t missing);
  bool IsSatisfied(const Plan& plan, const ObjectClause& clause) const;
  bool Differs(const Plan& plan, const Json& value) const;
  void AddKey(const Plan& plan, std::uint32_t key, GoalId goal, std::vector<Plan>& out);
  void AddOther(const Plan& plan, std::uint32_t name_class, GoalId goal, std::vector<Plan>& out);
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
  if (!walk.fuel_.Spend(1 + plan.keys.size() / 16)) return kNoCost;
  const std::uint64_t count = state.count + plan.keys.size() + plan.others.size();
  if (count > shape.max) return kNoCost;
  std::vector<Plan> plans;
  bool finished = false;
  for (std::size_t i = 0; i < shape.clauses.size() && plans.empty(); ++i) {
    if (((state.pending >> i) & 1) == 0 || IsSatisfied(plan, shape.clauses[i])) continue;
    plans = ForClause(plan, shape.clauses[i]);
    if (plans.empty()) return kNoCost;
  }
  for (std::size_t i = 0; i < state.differs.size() && plans.empty(); ++i) {
    const Json& value = walk.goals_.constant(state.differs[i]);
    if (Differs(plan, value)) continue;
    plans = ForDiffering(plan, value);
    if (plans.empty()) return kNoCost;
  }
  if (plans.empty() && count < shape.min) {
    plans = ForCount(plan, shape.min - count);
  } else if (plans.empty()) {
    finished = true;
  }
  if (finished) return CostOf(plan);
  for (const Plan& next : plans) {
    const std::uint64_t cost = Complete(next);
    if (cost != kNoCost) return cost;
  }
  return kNoCost;
}

bool ObjectWalk::Planner::IsSatisfied(const Plan& plan, const ObjectClause& clause) const {
  for (const std::uint32_t key : clause.absent) {
    const bool forbidden = shape.keys[key].use == ObjectKey::Use::kForbidden;
    if (forbidden || (walk.IsOpen(shape, state, key) && plan.Find(key) == nullptr)) return true;
  }
  const auto is_met = [&](const std::vector<ObjectClause::Witness>& witnesses,
                          const std::vector<Plan::Member>& members) {
    for (const ObjectClause::Witness& witness : witnesses) {
      for (const Plan::Member& member : members) {
        if (member.at != witness.at) continue;
        if (walk.goals_.With(member.goal, witness.more) == member.goal) return true;
      }
    }
    return false;
  };
  return is_met(clause.keys, plan.keys) || is_met(clause.classes, plan.others);
}

std::vector<ObjectWalk::Plan> ObjectWalk::Planner::ForClause(const Plan& plan,
                                                             const ObjectClause& clause) {
  std::vector<Plan> plans;
  for (const ObjectClause::Witness& witness : clause.keys) {
    if (!walk.IsOpen(shape, state, witness.at)) continue;
    const Plan::Member* planned = plan.Find(witness.at);
    const GoalId goal = planned == nullptr ? shape.keys[witness.at].goal : planned->goal;
    AddKey(plan, witness.at, walk.goals_.With(goal, witness.more), plans);
  }
  for (const ObjectClause::Witness& witness : clause.classes) {
    const GoalId goal = shape.classes[witness.at].goal;
    AddOther(plan, witness.at, walk.goals_.With(goal, witness.more), plans);
  }
  return plans;
}

// All members so far are those of `value`; is the object another one with the plan's?
bool ObjectWalk::Planner::Differs(const Plan& plan, const Json& value) const {
  if (state.count + plan.keys.size() + plan.others.size() != value.members.size()) return true;
  for (const Plan::Member& member : plan.keys) {
    const Json* same = value.Find(walk.goals_.name(shape.keys[member.at].name));
    if (same == nullptr) return true;
    const Literal other[] = {{Claim::kEquals, Truth::kFails, walk.goals_.Constant(*same), 0}};
    if (walk.goals_.With(member.goal, other) == member.goal) return true;
  }
  return false;
}

std::vector<ObjectWalk::Plan> ObjectWalk::Planner::ForDiffering(const Plan& plan,
                                                                const Json& value) {
  std::vector<Plan> plans;
  for (const Plan::Member& member : plan.keys) {
    const Json* same = value.Find(walk.goals_.name(shape.keys[member.at].name));
    if (same == nullptr) continue;
    const Literal other[] = {{Claim::kEquals, Truth::kFails, walk.goals_.Constant(*same), 0}};
    AddKey(plan, member.at, walk.goals_.With(member.goal, other), plans);
  }
  std::vector<Plan> more = ForCount(plan, 1);
  plans.insert(plans.end(), more.begin(), more.end());
  return plans;
}

// Plans with more members; as many as are missing where nothing else depends on them.
std::vector<ObjectWalk::Plan> ObjectWalk::Planner::ForCount(const Plan& plan,
                                                            std::uint64_t missing) {
  std::vector<Plan> plans;
  const bool is_free = state.pending == 0 && state.differs.empty();
  const std::uint64_t max_missing = is_free ? 10'000 : 256;
  if (missing > max_missing || !walk.fuel_.Spend(missing)) {
    walk.fuel_.Spend(kNoLimit);
    return plans;
  }
  if (is_free) {
    Plan all = plan;
    for (std::uint32_t key = 0; key < shape.keys.size() && missing > 0; ++key) {
      if (!walk.IsOpen(shape, state, key) || plan.Find(key) != nullptr) continue;
      if (costs.Cost(shape.keys[key].goal) == kNoCost) continue;
      all.keys.push_back({key, shape.keys[key].goal});
      --missing;
    }
    for (std::uint32_t i = 0; i < shape.classes.size() && missing > 0; ++i) {
      if (costs.Cost(shape.classes[i].goal) == kNoCost) continue;
      for (std::size_t n = 1; missing > 0 && HasNames(i, n); ++n, --missing) {
        all.others.push_back({i, shape.classes[i].goal});
      }
    }
    if (missing == 0) plans.push_back(std::move(all));
    return plans;
  }
  for (std::uint32_t key = 0; key < shape.keys.size(); ++key) {
    if (!walk.IsOpen(shape, state, key) || plan.Find(key) != nullptr) continue;
    AddKey(plan, key, shape.keys[key].goal, plans);
  }
  for (std::uint32_t i = 0; i < shape.classes.size(); ++i) {
    AddOther(plan, i, shape.classes[i].goal, plans);
  }
  return plans;
}

void ObjectWalk::Planner::AddKey(const Plan& plan, std::uint32_t key, GoalId goal,
                                 std::vector<Plan>& out) {
  if (costs.Cost(goal) == kNoCost) return;
  Plan next = plan;
  std::erase_if(next.keys, [key](const Plan::Member& member) { return member.at == key; });
  next.keys.push_back({key, goal});
  out.push_back(std::move(next));
}

void ObjectWalk::Planner::AddOther(const Plan& plan, std::uint32_t name_class, GoalId goal,
                                   std::vector<Plan>& out) {
  if (costs.Cost(goal) == kNoCost) return;
  Plan next = plan;
  next.others.push_back({name_class, goal});
  const auto same_class =
      std::count_if(next.others.begin(), next.others.end(),
                    [name_class](const Plan::Member& member) { return member.at == name_class; });
  if (HasNames(name_class, static_cast<std::size_t>(same_class))) out.push_back(std::move(next));
}

// True if the class has so many names that are not used.
bool ObjectWalk::Planner::HasNames(std::uint32_t name_class, std::size_t num_names) {
  RegexSet& set = walk.scalars_.text().set();
  RegexId names = shape.classes[name_class].names;
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
    total = AddCosts(total, AddCosts(CostOfKey(member.at), costs.Cost(member.goal)));
  }
  for (const Plan::Member& member : plan.others) {
    const std::uint64_t name = set.MinBytes(shape.classes[member.at].names);
    total = AddCosts(total, AddCosts(AddCosts(name, 2), costs.Cost(member.goal)));
  }
  const std::uint64_t members = plan.keys.size() + plan.others.size();
  total = AddCosts(total, members * walk.separator_bytes_);
  const bool drops_comma = state.is_first && members > 0;
  return drops_comma && total != kNoCost ? total - walk.separator_bytes_ / 2 : total;
}

}  // namespace espalier
