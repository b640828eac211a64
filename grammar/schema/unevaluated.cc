// unevaluatedProperties and unevaluatedItems: in a finished branch it is decided which
// in-place subschemas hold, so they become rules for what those do not evaluate.
#include <algorithm>
#include <set>

#include "grammar/schema/tableau.h"

namespace espalier {

const std::optional<SchemaId>& Tableau::RestOf(const Work& work, SchemaId schema) const {
  static constexpr std::optional<SchemaId> kNone;
  const SchemaNode& node = document_.node(schema);
  if (work.type == SchemaType::kObject) return node.unevaluated_properties;
  if (work.type == SchemaType::kArray) return node.unevaluated_items;
  return kNone;
}

// False: something unevaluated must be there, and everything is evaluated.
bool Tableau::AddRests(Work& work) {
  const bool object = work.type == SchemaType::kObject;
  for (const Literal& owner : work.unevaluated) {
    RestRule rule;
    if (!CollectEvaluating(work, owner, rule.over)) continue;
    rule.value = goals_.Schema(*RestOf(work, owner.id), owner.scope);
    (object ? work.branch.object.rest : work.branch.array.rest).push_back(std::move(rule));
  }
  for (const Literal& owner : work.broken) {
    RestRule rule;
    if (!CollectEvaluating(work, owner, rule.over)) return false;
    rule.value = goals_.Schema(*RestOf(work, owner.id), owner.scope, Truth::kFails);
    (object ? work.branch.object.broken_rests : work.branch.array.broken_rests)
        .push_back(std::move(rule));
  }
  return true;
}

// The schemas below `owner`, in place, that hold. False: one of them evaluates everything.
bool Tableau::CollectEvaluating(const Work& work, const Literal& owner,
                                std::vector<SchemaId>& over) {
  const bool object = work.type == SchemaType::kObject;
  std::set<Literal> seen = {owner};
  std::vector<Literal> open = {owner};
  while (!open.empty()) {
    const Literal literal = open.back();
    open.pop_back();
    const SchemaNode& node = document_.node(literal.id);
    const bool rest = object ? node.additional_properties.has_value() : node.items.has_value();
    const bool unevaluated =
        object ? node.unevaluated_properties.has_value() : node.unevaluated_items.has_value();
    if (rest || (unevaluated && literal.id != owner.id)) return false;
    over.push_back(literal.id);
    const auto follow = [&](SchemaId id) {
      const Literal child = goals_.Schema(id, literal.scope);
      if (work.done.contains(child) && seen.insert(child).second) open.push_back(child);
    };
    if (node.ref.has_value()) follow(*node.ref);
    if (node.dynamic_ref.has_value()) follow(goals_.Resolve(*node.dynamic_ref, literal.scope));
    for (const auto* parts : {&node.all_of, &node.any_of, &node.one_of}) {
      for (const SchemaId part : *parts) follow(part);
    }
    for (const auto& part : {node.if_of, node.then_of, node.else_of}) {
      if (part.has_value()) follow(*part);
    }
    for (const auto& [name, part] : node.dependent_schemas) follow(part);
  }
  return true;
}

}  // namespace espalier
