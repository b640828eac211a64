// Keywords that speak of objects.
#include "grammar/schema/keyword_readers.h"
#include "grammar/schema/uri.h"

namespace espalier {

void ReadProperties(KeywordUse& use) { use.node.properties = use.SchemasByName(); }

void ReadPatternProperties(KeywordUse& use) { use.node.pattern_properties = use.SchemasByName(); }

void ReadAdditionalProperties(KeywordUse& use) { use.node.additional_properties = use.Schema(); }

void ReadUnevaluatedProperties(KeywordUse& use) { use.node.unevaluated_properties = use.Schema(); }

void ReadPropertyNames(KeywordUse& use) { use.node.property_names = use.Schema(); }

void ReadRequired(KeywordUse& use) {
  if (use.value->is_boolean()) {
    return use.Refuse("must be a list of property names; true and false belong to draft 3");
  }
  use.node.required = use.TextsOf(*use.value, "");
}

void ReadDependentRequired(KeywordUse& use) {
  if (!use.IsObject()) return;
  for (const auto& [name, names] : use.value->members) {
    use.node.dependent_required.emplace_back(name, use.TextsOf(names, "/" + EscapedToken(name)));
  }
}

void ReadDependentSchemas(KeywordUse& use) {
  for (auto& dependent : use.SchemasByName()) {
    use.node.dependent_schemas.push_back(std::move(dependent));
  }
}

void ReadDependencies(KeywordUse& use) {
  if (!use.IsObject()) return;
  for (const auto& [name, value] : use.value->members) {
    if (value.kind == Json::Kind::kArray) {
      use.node.dependent_required.emplace_back(name, use.TextsOf(value, "/" + EscapedToken(name)));
    } else if (const auto schema = use.SchemaAt(value, name)) {
      use.node.dependent_schemas.emplace_back(name, *schema);
    }
  }
}

void ReadMinProperties(KeywordUse& use) { use.node.min_properties = use.Count(); }

void ReadMaxProperties(KeywordUse& use) { use.node.max_properties = use.Count(); }

}  // namespace espalier
