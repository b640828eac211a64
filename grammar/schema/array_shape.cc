#include "grammar/schema/array_shape.h"

#include <algorithm>
#include <utility>

namespace espalier {

std::optional<ArrayShape> ArrayShapeMaker::Make(const Branch& branch) {
  constexpr std::size_t kMaxRules = 64;  // contains rules and clauses are bits of a word
  ArrayShape shape;
  shape.min = branch.array.min;
  shape.max = branch.array.max;
  shape.unique = branch.array.unique;
  shape.repeats = branch.array.repeats;
  if (shape.unique && shape.repeats) return std::nullopt;
  shape.contains = branch.array.contains;
  shape.differs = branch.differs;
  std::size_t prefix = 0;
  for (const ScopedSchema& elements : branch.array.elements) {
    prefix = std::max(prefix, document_.node(elements.schema).prefix_items.size());
  }
  if (branch.equals.has_value()) {
    prefix = goals_.constant(*branch.equals).elements.size();
    shape.min = std::max<std::uint64_t>(shape.min, prefix);
    shape.max = std::min<std::uint64_t>(shape.max, prefix);
  }
  for (const RestRule& rule : branch.array.rest) shape.rests.push_back(RestOf(rule, shape));
  for (const ArrayRest& rest : shape.rests) prefix = std::max<std::size_t>(prefix, rest.first);
  if (!fuel_.Spend(1 + prefix) || shape.min > shape.max) return std::nullopt;
  for (std::size_t i = 0; i < prefix; ++i) shape.prefix.push_back(GoalAt(branch, i));
  shape.rest = GoalAt(branch, prefix);
  for (const ArrayRest& rest : shape.rests) {
    if (rest.unless != 0) continue;
    for (std::size_t i = rest.first; i < prefix; ++i) {
      shape.prefix[i] = goals_.With(shape.prefix[i], {&rest.value, 1});
    }
    shape.rest = goals_.With(shape.rest, {&rest.value, 1});
  }
  std::erase_if(shape.rests, [](const ArrayRest& rest) { return rest.unless == 0; });
  shape.horizon = std::max<std::uint64_t>({1, prefix, shape.min});
  if (shape.max != kNoLimit) shape.horizon = std::max(shape.horizon, shape.max);
  for (const ConstantId id : shape.differs) {
    shape.horizon = std::max<std::uint64_t>(shape.horizon, goals_.constant(id).elements.size() + 1);
  }
  if (!AddClauses(branch, shape)) return std::nullopt;
  if (shape.clauses.size() > kMaxRules || shape.contains.size() > kMaxRules) {
    fuel_.Exhaust();
  }
  if (fuel_.exhausted()) return std::nullopt;
  return shape;
}

GoalId ArrayShapeMaker::GoalAt(const Branch& branch, std::uint64_t index) {
  std::vector<Literal> literals;
  for (const ScopedSchema& elements : branch.array.elements) {
    const SchemaNode& node = document_.node(elements.schema);
    if (index < node.prefix_items.size()) {
      literals.push_back(goals_.Schema(node.prefix_items[index], elements.scope));
    } else if (node.items.has_value()) {
      literals.push_back(goals_.Schema(*node.items, elements.scope));
    }
  }
  if (branch.equals.has_value()) {
    const std::vector<Json>& elements = goals_.constant(*branch.equals).elements;
    if (index >= elements.size()) return goals_.Intern({Literal{}});
    literals.push_back({Claim::kEquals, Truth::kHolds, goals_.Constant(elements[index]), 0});
  }
  return goals_.Intern(std::move(literals));
}

// unevaluatedItems, behind what prefixes evaluate; elements that a `contains` matches are
// evaluated, too.
ArrayRest ArrayShapeMaker::RestOf(const RestRule& rule, const ArrayShape& shape) const {
  ArrayRest rest{0, rule.value, 0};
  for (const SchemaId schema : rule.over) {
    const SchemaNode& node = document_.node(schema);
    rest.first = std::max<std::uint64_t>(rest.first, node.prefix_items.size());
    if (!node.contains.has_value() || !node.contains_evaluates) continue;
    for (std::size_t i = 0; i < shape.contains.size(); ++i) {
      if (shape.contains[i].owner == schema) rest.unless |= std::uint64_t{1} << (i % 64);
    }
  }
  return rest;
}

bool ArrayShapeMaker::AddClauses(const Branch& branch, ArrayShape& shape) {
  for (const ScopedSchema& broken : branch.array.broken) {
    const SchemaNode& node = document_.node(broken.schema);
    ArrayClause clause;
    const auto add = [&](std::uint64_t first, std::uint64_t last, SchemaId child) {
      if (document_.node(child).boolean == true || first >= shape.max) return;
      clause.witnesses.push_back(
          {first, last, {goals_.Schema(child, broken.scope, Truth::kFails)}});
    };
    for (std::uint64_t i = 0; i < node.prefix_items.size(); ++i) add(i, i, node.prefix_items[i]);
    if (node.items.has_value()) add(node.prefix_items.size(), kNoLimit, *node.items);
    if (clause.witnesses.empty()) return false;
    shape.horizon = std::max<std::uint64_t>(shape.horizon, node.prefix_items.size());
    shape.clauses.push_back(std::move(clause));
  }
  for (const RestRule& rule : branch.array.broken_rests) {
    const ArrayRest rest = RestOf(rule, shape);
    ArrayClause::Witness witness{rest.first, kNoLimit, {rest.value}};
    for (std::size_t i = 0; i < shape.contains.size(); ++i) {
      if (((rest.unless >> (i % 64)) & 1) == 0) continue;
      witness.more.push_back(shape.contains[i].element.Negated());
    }
    shape.horizon = std::max(shape.horizon, rest.first);
    shape.clauses.push_back({{std::move(witness)}});
  }
  return true;
}

}  // namespace espalier
