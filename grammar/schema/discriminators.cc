#include "grammar/schema/discriminators.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace espalier {
namespace {

constexpr std::size_t kMaxDepth = 32;

}  // namespace

bool Discriminators::TellApart(SchemaId a, SchemaId b) {
  const Tags& first = Of(a, 0);
  const Tags& second = Of(b, 0);
  for (const auto& [name, values] : first.values) {
    const auto other = second.values.find(name);
    if (other == second.values.end()) continue;
    Values shared;
    std::set_intersection(values.begin(), values.end(), other->second.begin(), other->second.end(),
                          std::back_inserter(shared));
    if (shared.empty()) return true;
  }
  return false;
}

const Discriminators::Tags& Discriminators::Of(SchemaId schema, std::size_t depth) {
  static const Tags kUnknown;
  if (depth > kMaxDepth) return kUnknown;
  if (tags_[schema].has_value()) return *tags_[schema];
  tags_[schema] = Tags();  // for schemas that refer to themselves
  Tags tags = Compute(schema, depth);
  tags_[schema] = std::move(tags);
  return *tags_[schema];
}

Discriminators::Tags Discriminators::Compute(SchemaId schema, std::size_t depth) {
  const SchemaNode& node = document_.node(schema);
  Tags tags;
  tags.has_objects =
      (node.types.value_or(kAllTypes) & TypeBit(SchemaType::kObject)) != 0 && node.boolean != false;
  if (!tags.has_objects) return tags;
  for (const std::string& name : node.required) {
    const std::optional<SchemaId> child = index_.Find(schema, name);
    if (!child.has_value()) continue;
    std::optional<Values> values = ValuesOf(*child);
    if (values.has_value()) tags.values.emplace(goals_.Name(name), std::move(*values));
  }
  if (node.ref.has_value()) Restrict(tags, Of(*node.ref, depth + 1));
  for (const SchemaId part : node.all_of) Restrict(tags, Of(part, depth + 1));
  if (!node.any_of.empty()) Restrict(tags, OfAny(node.any_of, depth));
  if (!node.one_of.empty()) Restrict(tags, OfAny(node.one_of, depth));
  return tags;
}

// What all of them require, with the values of any.
Discriminators::Tags Discriminators::OfAny(const std::vector<SchemaId>& schemas,
                                           std::size_t depth) {
  Tags any;
  any.has_objects = false;
  for (const SchemaId schema : schemas) {
    const Tags& tags = Of(schema, depth + 1);
    if (!tags.has_objects) continue;
    if (!any.has_objects) {
      any = tags;
      continue;
    }
    std::erase_if(any.values,
                  [&](const auto& entry) { return !tags.values.contains(entry.first); });
    for (auto& [name, values] : any.values) {
      const Values& more = tags.values.at(name);
      values.insert(values.end(), more.begin(), more.end());
    }
  }
  for (auto& [name, values] : any.values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
  }
  return any;
}

// The constants that a schema allows, if it lists them.
std::optional<Discriminators::Values> Discriminators::ValuesOf(SchemaId schema) {
  constexpr int kMaxRefs = 8;
  for (int i = 0; i < kMaxRefs; ++i) {
    const SchemaNode& node = document_.node(schema);
    if (node.constant.has_value()) return Values{goals_.Constant(*node.constant)};
    if (node.values.has_value()) {
      Values values;
      for (const Json& value : *node.values) values.push_back(goals_.Constant(value));
      std::sort(values.begin(), values.end());
      return values;
    }
    if (!node.ref.has_value()) return std::nullopt;
    schema = *node.ref;
  }
  return std::nullopt;
}

void Discriminators::Restrict(Tags& tags, const Tags& more) {
  tags.has_objects = tags.has_objects && more.has_objects;
  for (const auto& [name, values] : more.values) {
    const auto [place, inserted] = tags.values.emplace(name, values);
    if (inserted) continue;
    Values shared;
    std::set_intersection(place->second.begin(), place->second.end(), values.begin(), values.end(),
                          std::back_inserter(shared));
    place->second = std::move(shared);
  }
}

}  // namespace espalier
