// Keywords that speak of arrays.
#include "grammar/schema/keyword_readers.h"

namespace espalier {

void ReadItems(KeywordUse& use) {
  if (use.value->kind == Json::Kind::kArray) {
    return use.Refuse("must be a schema; a list of schemas is prefixItems since draft 2020-12");
  }
  use.node.items = use.Schema();
}

void ReadItemsOrTuple(KeywordUse& use) {
  if (use.value->kind != Json::Kind::kArray) {
    use.node.items = use.Schema();
    return;
  }
  // An empty tuple is against the metaschemas, but found and clear.
  if (!use.value->elements.empty()) use.node.prefix_items = use.Schemas();
  if (auto rest = use.Beside("additionalItems")) use.node.items = rest->Schema();
}

void ReadPrefixItems(KeywordUse& use) { use.node.prefix_items = use.Schemas(); }

void ReadUnevaluatedItems(KeywordUse& use) { use.node.unevaluated_items = use.Schema(); }

void ReadContains(KeywordUse& use) {
  use.node.contains = use.Schema();
  use.node.contains_evaluates = use.dialect.draft >= Draft::k2020;
  if (auto least = use.Beside("minContains")) use.node.min_contains = least->Count();
  if (auto most = use.Beside("maxContains")) use.node.max_contains = most->Count();
}

void ReadMinItems(KeywordUse& use) { use.node.min_items = use.Count(); }

void ReadMaxItems(KeywordUse& use) { use.node.max_items = use.Count(); }

void ReadUniqueItems(KeywordUse& use) { use.node.unique_items = use.Flag().value_or(false); }

}  // namespace espalier
