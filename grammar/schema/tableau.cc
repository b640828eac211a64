#include "grammar/schema/tableau.h"

#include <algorithm>
#include <utility>

namespace espalier {
namespace {

constexpr SchemaTypes kTypesUnknown = 0x80;
constexpr std::size_t kMaxTypesDepth = 32;

SchemaType TypeOf(const Json& value) {
  switch (value.kind) {
    case Json::Kind::kNull: return SchemaType::kNull;
    case Json::Kind::kFalse:
    case Json::Kind::kTrue: return SchemaType::kBoolean;
    case Json::Kind::kNumber: return SchemaType::kNumber;
    case Json::Kind::kString: return SchemaType::kString;
    case Json::Kind::kArray: return SchemaType::kArray;
    case Json::Kind::kObject: return SchemaType::kObject;
  }
  return SchemaType::kNull;
}

// Every value of `type` satisfies the schema, which shows at once.
bool SaysNothing(const SchemaNode& node, SchemaType type) {
  if (node.boolean.has_value()) return *node.boolean;
  const bool is_plain = (node.types.value_or(kAllTypes) & TypeBit(type)) != 0 &&
                        !node.values.has_value() && !node.constant.has_value() &&
                        !node.ref.has_value() && !node.dynamic_ref.has_value() &&
                        node.all_of.empty() && node.any_of.empty() && node.one_of.empty() &&
                        !node.not_of.has_value() && !node.if_of.has_value();
  if (!is_plain) return false;
  if (type == SchemaType::kNumber) {
    return !node.integer && !node.lower.has_value() && !node.upper.has_value() &&
           !node.multiple_of.has_value();
  }
  if (type == SchemaType::kArray) {
    return node.prefix_items.empty() && !node.items.has_value() && !node.contains.has_value() &&
           !node.unevaluated_items.has_value() && !node.min_items.has_value() &&
           !node.max_items.has_value() && !node.unique_items;
  }
  return node.properties.empty() && node.pattern_properties.empty() && node.required.empty() &&
         node.dependent_schemas.empty() && node.dependent_required.empty() &&
         !node.additional_properties.has_value() && !node.property_names.has_value() &&
         !node.unevaluated_properties.has_value() && !node.min_properties.has_value() &&
         !node.max_properties.has_value();
}

}  // namespace

Tableau::Tableau(const SchemaDocument& document, MemberIndex& index, GoalTable& goals,
                 GoalOracle& oracle, Fuel& fuel)
    : document_(document),
      goals_(goals),
      oracle_(oracle),
      fuel_(fuel),
      index_(index),
      clauses_(document, goals, fuel),
      decides_all_(document.UsesUnevaluated()),
      types_(document.size(), kTypesUnknown) {}

std::optional<std::vector<Branch>> Tableau::Expand(GoalId goal, SchemaType type, SplitUse use,
                                                   std::size_t max_steps) {
  std::vector<Branch> branches;
  if ((PossibleTypesOfGoal(goal) & TypeBit(type)) == 0) return branches;
  std::vector<Fork> forks;
  std::optional<Work> work = Work{type, {}, {}, goals_.literals(goal), {}, {}, {}};
  for (std::size_t steps = 0; work.has_value(); ++steps) {
    if (steps == max_steps || !fuel_.Spend(1)) return std::nullopt;
    if (Saturate(*work) && (use == SplitUse::kBranches || KeepClauses(*work))) {
      if (!work->splits.empty()) {
        forks.push_back(SplitSmallest(*std::move(work)));
      } else if (AddRests(*work)) {
        branches.push_back(std::move(work->branch));
      }
    }
    work = NextBranch(forks);
  }
  if (fuel_.exhausted()) return std::nullopt;
  return branches;
}

bool Tableau::Saturate(Work& work) {
  do {
    // In the order in which the schema has them: it becomes the order of members.
    while (!work.todo.empty()) {
      const std::vector<Literal> literals = std::move(work.todo);
      work.todo.clear();
      if (!AssertAll(work, literals)) return false;
    }
    if (!SimplifySplits(work)) return false;
  } while (!work.todo.empty());
  return !HasDeadMember(work);
}

bool Tableau::AssertAll(Work& work, const std::vector<Literal>& literals) {
  for (const Literal& literal : literals) {
    if (!fuel_.Spend(1)) return false;
    if (work.done.contains(literal.Negated())) return false;
    if (!work.done.insert(literal).second) continue;
    if (!Assert(work, literal)) return false;
  }
  return true;
}

bool Tableau::Assert(Work& work, const Literal& literal) {
  switch (literal.claim) {
    case Claim::kNever: return !literal.holds();
    case Claim::kSchema: return literal.holds() ? Holds(work, literal) : Fails(work, literal);
    case Claim::kEquals:
      if (literal.holds()) return HoldsEquals(work, literal.id);
      if (TypeOf(goals_.constant(literal.id)) != work.type) return true;
      if (work.type == SchemaType::kNumber) {
        work.branch.number.forbidden.push_back(literal.id);
      } else {
        work.branch.differs.push_back(literal.id);
      }
      return true;
    case Claim::kHasName:
      if (work.type != SchemaType::kObject) return !literal.holds();
      (literal.holds() ? work.branch.object.required : work.branch.object.forbidden)
          .push_back(literal.id);
      return true;
    default: return KeywordFails(work, literal);
  }
}

bool Tableau::IsContradicted(const Work& work, const Alternative& alternative) const {
  return std::any_of(alternative.begin(), alternative.end(), [&work](const Literal& literal) {
    return work.done.contains(literal.Negated());
  });
}

bool Tableau::IsEntailed(const Work& work, const Alternative& alternative) const {
  return std::all_of(alternative.begin(), alternative.end(), [&](const Literal& literal) {
    const bool is_schema = literal.claim == Claim::kSchema && literal.holds();
    return work.done.contains(literal) ||
           (is_schema && SaysNothing(document_.node(literal.id), work.type));
  });
}

// Drops what the branch already decides. A split that is down to one alternative is no
// split. False: one has none left.
bool Tableau::SimplifySplits(Work& work) {
  std::erase_if(work.splits, [&](Split& split) {
    std::erase_if(split, [&](const Alternative& a) { return IsContradicted(work, a); });
    return std::any_of(split.begin(), split.end(),
                       [&](const Alternative& a) { return IsEntailed(work, a); });
  });
  for (const Split& split : work.splits) {
    if (split.empty()) return false;
    if (split.size() == 1) {
      work.todo.insert(work.todo.end(), split.front().begin(), split.front().end());
    }
  }
  std::erase_if(work.splits, [](const Split& split) { return split.size() == 1; });
  return true;
}

// True if `properties` of several schemas leave a required member without a value: most
// combinations of tagged unions end here.
bool Tableau::HasDeadMember(const Work& work) {
  const ObjectPart& object = work.branch.object;
  if (object.members.size() < 2) return false;
  for (const NameId name : object.required) {
    std::vector<Literal> literals;
    for (const ScopedSchema& members : object.members) {
      const auto child = index_.Find(members.schema, goals_.name(name));
      if (child.has_value()) literals.push_back(goals_.Schema(*child, members.scope));
    }
    fuel_.Spend(1);
    if (literals.size() > 1 && oracle_.SurelyEmpty(goals_.Intern(std::move(literals)))) return true;
  }
  return false;
}

void Tableau::AddSplit(Work& work, Split split) {
  fuel_.Spend(split.size());
  work.splits.push_back(std::move(split));
}

// False: a split has no alternative that can be true. What unevaluated* looks at are subschemas,
// which clauses do not know.
bool Tableau::KeepClauses(Work& work) {
  if (work.type != SchemaType::kObject || decides_all_) return true;
  std::vector<Split> left;
  std::vector<MemberClause>& kept = work.branch.object.clauses;
  for (Split& split : work.splits) {
    const std::optional<std::vector<MemberClause>> clauses = clauses_.Of(split);
    if (clauses.has_value()) {
      if (!clauses->empty() && clauses->front().empty()) return false;
      kept.insert(kept.end(), clauses->begin(), clauses->end());
    } else {
      left.push_back(std::move(split));
    }
  }
  work.splits = std::move(left);
  return true;
}

Tableau::Fork Tableau::SplitSmallest(Work work) {
  const auto smallest =
      std::min_element(work.splits.begin(), work.splits.end(),
                       [](const Split& a, const Split& b) { return a.size() < b.size(); });
  Split split = std::move(*smallest);
  work.splits.erase(smallest);
  return {std::move(work), std::move(split)};
}

// Empty: all are done, or fuel ran out. Branches are made one by one, since those of all
// alternatives, each with the splits that are left, would take the memory of their product.
std::optional<Tableau::Work> Tableau::NextBranch(std::vector<Fork>& forks) {
  while (!forks.empty() && forks.back().next == forks.back().split.size()) forks.pop_back();
  if (forks.empty()) return std::nullopt;
  Fork& fork = forks.back();
  std::size_t num_copied = fork.work.done.size();
  for (const Split& split : fork.work.splits) num_copied += split.size();
  if (!fuel_.Spend(2 + num_copied / 8)) return std::nullopt;
  const Alternative& alternative = fork.split[fork.next++];
  Work branch = fork.next == fork.split.size() ? std::move(fork.work) : fork.work;
  branch.todo.insert(branch.todo.end(), alternative.begin(), alternative.end());
  return branch;
}

SchemaTypes Tableau::PossibleTypes(SchemaId schema) { return TypesOf(schema, 0); }

SchemaTypes Tableau::PossibleTypesOfGoal(GoalId goal) {
  SchemaTypes types = kAllTypes;
  for (const Literal& literal : goals_.literals(goal)) {
    if (!literal.holds()) continue;
    if (literal.claim == Claim::kSchema) types &= PossibleTypes(literal.id);
    if (literal.claim == Claim::kEquals) types &= TypeBit(TypeOf(goals_.constant(literal.id)));
    if (literal.claim == Claim::kNever) types = 0;
  }
  return types;
}

SchemaTypes Tableau::TypesOf(SchemaId schema, std::size_t depth) {
  if (depth > kMaxTypesDepth) return kAllTypes;
  if (types_[schema] != kTypesUnknown) return types_[schema];
  fuel_.Spend(1);
  const SchemaNode& node = document_.node(schema);
  if (node.boolean.has_value()) return *node.boolean ? kAllTypes : SchemaTypes{0};
  types_[schema] = kAllTypes;  // for schemas that refer to themselves
  SchemaTypes types = node.types.value_or(kAllTypes);
  if (node.values.has_value()) {
    SchemaTypes values = 0;
    for (const Json& value : *node.values) values |= TypeBit(TypeOf(value));
    types &= values;
  }
  if (node.constant.has_value()) types &= TypeBit(TypeOf(*node.constant));
  if (node.ref.has_value()) types &= TypesOf(*node.ref, depth + 1);
  for (const SchemaId part : node.all_of) types &= TypesOf(part, depth + 1);
  if (!node.any_of.empty()) types &= TypesOfAny(node.any_of, depth);
  if (!node.one_of.empty()) types &= TypesOfAny(node.one_of, depth);
  types_[schema] = types;
  return types;
}

SchemaTypes Tableau::TypesOfAny(const std::vector<SchemaId>& schemas, std::size_t depth) {
  SchemaTypes types = 0;
  for (const SchemaId schema : schemas) types |= TypesOf(schema, depth + 1);
  return types;
}

}  // namespace espalier
