#include "runtime/cli/schema_keywords.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace espalier {
namespace {

bool IsWritten(bool value) { return value; }
template <typename T>
bool IsWritten(const std::optional<T>& value) {
  return value.has_value();
}
template <typename T>
bool IsWritten(const std::vector<T>& value) {
  return !value.empty();
}

struct Row {
  std::string_view keyword;
  bool (*is_written)(const SchemaNode& node);
};

template <auto member>
constexpr bool Has(const SchemaNode& node) {
  return IsWritten(node.*member);
}

bool Excludes(const std::optional<NumberBound>& bound) {
  return bound && bound->kind == NumberBound::Kind::kExclusive;
}
bool Includes(const std::optional<NumberBound>& bound) {
  return bound && bound->kind == NumberBound::Kind::kInclusive;
}

using N = SchemaNode;
constexpr Row kRows[] = {
    {"type", Has<&N::types>},
    {"enum", Has<&N::values>},
    {"const", Has<&N::constant>},
    {"$ref", Has<&N::ref>},
    {"$dynamicRef", Has<&N::dynamic_ref>},
    {"allOf", Has<&N::all_of>},
    {"anyOf", Has<&N::any_of>},
    {"oneOf", Has<&N::one_of>},
    {"not", Has<&N::not_of>},
    {"if", Has<&N::if_of>},
    {"then", Has<&N::then_of>},
    {"else", Has<&N::else_of>},
    {"minimum", [](const N& node) { return Includes(node.lower); }},
    {"exclusiveMinimum", [](const N& node) { return Excludes(node.lower); }},
    {"maximum", [](const N& node) { return Includes(node.upper); }},
    {"exclusiveMaximum", [](const N& node) { return Excludes(node.upper); }},
    {"multipleOf", Has<&N::multiple_of>},
    {"minLength", Has<&N::min_length>},
    {"maxLength", Has<&N::max_length>},
    {"pattern", Has<&N::pattern>},
    {"format", Has<&N::format>},
    {"prefixItems", Has<&N::prefix_items>},
    {"items", Has<&N::items>},
    {"contains", Has<&N::contains>},
    {"unevaluatedItems", Has<&N::unevaluated_items>},
    {"minItems", Has<&N::min_items>},
    {"maxItems", Has<&N::max_items>},
    {"minContains", Has<&N::min_contains>},
    {"maxContains", Has<&N::max_contains>},
    {"uniqueItems", Has<&N::unique_items>},
    {"properties", Has<&N::properties>},
    {"patternProperties", Has<&N::pattern_properties>},
    {"additionalProperties", Has<&N::additional_properties>},
    {"propertyNames", Has<&N::property_names>},
    {"unevaluatedProperties", Has<&N::unevaluated_properties>},
    {"required", Has<&N::required>},
    {"dependentRequired", Has<&N::dependent_required>},
    {"dependentSchemas", Has<&N::dependent_schemas>},
    {"minProperties", Has<&N::min_properties>},
    {"maxProperties", Has<&N::max_properties>},
};

}  // namespace

std::vector<KeywordPlace> AssertedKeywords(const SchemaDocument& document,
                                           const std::vector<std::string>& without) {
  std::vector<std::string> skipped = without;
  std::sort(skipped.begin(), skipped.end());
  std::vector<KeywordPlace> places;
  for (SchemaId id = 0; id < document.size(); ++id) {
    const SchemaNode& node = document.node(id);
    for (const auto& [keyword, is_written] : kRows) {
      if (!is_written(node)) continue;
      std::string pointer = node.pointer + "/" + std::string(keyword);
      if (std::binary_search(skipped.begin(), skipped.end(), pointer)) continue;
      places.push_back({std::move(pointer), keyword});
    }
  }
  return places;
}

}  // namespace espalier
