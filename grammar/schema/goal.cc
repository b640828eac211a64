#include "grammar/schema/goal.h"

#include <algorithm>
#include <utility>

#include "grammar/mix.h"

namespace espalier {

GoalTable::GoalTable(const SchemaDocument& document) : document_(document) {
  goals_.emplace_back();
  goal_ids_.emplace(std::vector<Literal>{}, kAnyValue);
  scopes_.emplace_back();
  scope_ids_.emplace(std::vector<std::uint32_t>{}, 0);
}

std::size_t GoalTable::LiteralsHash::operator()(const std::vector<Literal>& literals) const {
  std::uint64_t hash = 0;
  for (const Literal& literal : literals) {
    const auto claim = static_cast<std::uint64_t>(literal.claim) << 1 | (literal.holds() ? 1 : 0);
    hash = Mix(Mix(hash, std::uint64_t{literal.id} << 32 | literal.scope), claim);
  }
  return hash;
}

GoalId GoalTable::Intern(std::vector<Literal> literals) {
  std::erase_if(literals, [this](const Literal& literal) {
    return literal.claim == Claim::kSchema && document_.node(literal.id).boolean == literal.holds();
  });
  std::sort(literals.begin(), literals.end());
  literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
  const auto known = goal_ids_.find(literals);
  if (known != goal_ids_.end()) return known->second;
  const auto id = static_cast<GoalId>(goals_.size());
  goals_.push_back(literals);
  goal_ids_.emplace(std::move(literals), id);
  return id;
}

GoalId GoalTable::With(GoalId goal, std::span<const Literal> more) {
  if (more.empty()) return goal;
  std::vector<Literal> all = goals_[goal];
  all.insert(all.end(), more.begin(), more.end());
  return Intern(std::move(all));
}

Literal GoalTable::Schema(SchemaId schema, ScopeId from, Truth truth) {
  return {Claim::kSchema, truth, schema, Enter(from, document_.node(schema).resource)};
}

// Only the outermost occurrence of a resource matters, so scopes stay finite.
ScopeId GoalTable::Enter(ScopeId from, std::uint32_t resource) {
  if (!document_.has_dynamic_refs()) return 0;
  std::vector<std::uint32_t> scope = scopes_[from];
  if (std::find(scope.begin(), scope.end(), resource) != scope.end()) return from;
  scope.push_back(resource);
  const auto [place, inserted] = scope_ids_.emplace(scope, static_cast<ScopeId>(scopes_.size()));
  if (inserted) scopes_.push_back(std::move(scope));
  return place->second;
}

SchemaId GoalTable::Resolve(const DynamicRef& ref, ScopeId from) const {
  for (const std::uint32_t resource : scopes_[from]) {
    const std::optional<SchemaId> target = document_.DynamicAnchor(resource, ref.anchor);
    if (target.has_value()) return *target;
  }
  return ref.target;
}

ConstantId GoalTable::Constant(const Json& value) {
  const auto [place, inserted] =
      constant_ids_.emplace(CanonicalText(value), static_cast<ConstantId>(constants_.size()));
  if (inserted) constants_.push_back(value);
  return place->second;
}

const Json* GoalTable::MemberOf(ConstantId id, std::string_view name) {
  const JsonMember* member = members_.Find(constants_[id], name);
  return member == nullptr ? nullptr : &member->value;
}

NameId GoalTable::Name(std::string_view name) {
  const auto known = name_ids_.find(name);
  if (known != name_ids_.end()) return known->second;
  const auto id = static_cast<NameId>(names_.size());
  names_.emplace_back(name);
  name_ids_.emplace(names_.back(), id);
  return id;
}

}  // namespace espalier
