#include "grammar/schema/schema_document.h"

#include <algorithm>

#include "grammar/schema/dialect.h"
#include "grammar/schema/schema_reader.h"

namespace espalier {

Result<SchemaDocument> SchemaDocument::Parse(std::string_view text,
                                             const SchemaSettings& settings) {
  const std::optional<Draft> draft = DraftNamed(settings.default_draft);
  if (!draft) {
    return Status(Code::kInvalidArgument, "no draft is named " +
                                              QuotedText(settings.default_draft) +
                                              "; there are 4, 6, 7, 2019-09 and 2020-12");
  }
  if (text.size() > settings.max_bytes) {
    return Status(Code::kLimit,
                  "schema: longer than " + std::to_string(settings.max_bytes) + " bytes");
  }
  Result<Json> root = ParseJson(text, settings.max_depth);
  if (!root.ok()) {
    return Status(root.status().code(), "schema: " + root.status().message());
  }
  if (root->kind != Json::Kind::kObject && !root->is_boolean()) {
    return Status(Code::kInvalidArgument, "schema: must be an object, true or false");
  }
  return SchemaReader(*root, settings, *draft).Read();
}

bool SchemaDocument::UsesUnevaluated() const {
  return std::ranges::any_of(nodes_, [](const SchemaNode& node) {
    return node.unevaluated_items.has_value() || node.unevaluated_properties.has_value();
  });
}

std::optional<SchemaId> SchemaDocument::DynamicAnchor(std::uint32_t resource,
                                                      std::string_view anchor) const {
  if (resource >= dynamic_anchors_.size()) return {};
  const auto found = dynamic_anchors_[resource].find(anchor);
  return found == dynamic_anchors_[resource].end() ? std::nullopt : std::optional(found->second);
}

}  // namespace espalier
