// Bytes as a schema: reading answers with a Status or a document whose ids all lead to nodes.
// The first byte picks the draft.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/schema/schema_document.h"
#include "kernels/base/check.h"

namespace {

using espalier::SchemaDocument;
using espalier::SchemaId;
using espalier::SchemaNode;

void CheckIds(const SchemaDocument& document, const SchemaNode& node) {
  const auto check = [&](SchemaId id) { ESP_CHECK(id < document.size()); };
  for (const auto& id : {node.ref, node.not_of, node.if_of, node.then_of, node.else_of, node.items,
                         node.contains, node.unevaluated_items, node.additional_properties,
                         node.property_names, node.unevaluated_properties}) {
    if (id) check(*id);
  }
  for (const auto* ids : {&node.all_of, &node.any_of, &node.one_of, &node.prefix_items}) {
    for (const SchemaId id : *ids) check(id);
  }
  for (const auto* named : {&node.properties, &node.pattern_properties, &node.dependent_schemas}) {
    for (const auto& member : *named) check(member.second);
  }
  if (!node.dynamic_ref) return;
  check(node.dynamic_ref->target);
  ESP_CHECK(document.has_dynamic_refs());
  ESP_CHECK(document.DynamicAnchor(document.node(node.dynamic_ref->target).resource,
                                   node.dynamic_ref->anchor));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static constexpr const char* kDrafts[] = {"4", "6", "7", "2019-09", "2020-12"};
  std::string_view text(reinterpret_cast<const char*>(data), size);
  espalier::SchemaSettings settings;
  settings.max_nodes = 1000;
  settings.max_depth = 64;
  if (!text.empty() && text.front() >= '0' && text.front() <= '4') {
    settings.default_draft = kDrafts[text.front() - '0'];
    text.remove_prefix(1);
  }
  const auto document = SchemaDocument::Parse(text, settings);
  if (!document.ok()) return 0;
  ESP_CHECK(document->root() < document->size());
  for (const auto& problem : document->problems()) {
    ESP_CHECK(!problem.message.empty());
    if (problem.code == espalier::Code::kLimit) return 0;
  }
  for (SchemaId id = 0; id < document->size(); ++id) CheckIds(*document, document->node(id));
  return 0;
}
