// SchemaReader: makes the nodes of a SchemaDocument, each location that is reached once.
//
// Nodes are read from a queue, so nesting costs no stack. A node's id is known before it is
// read: that is how cycles of references close.
//
// Thread safety: none.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/schema/dialect.h"
#include "grammar/schema/json.h"
#include "grammar/schema/keyword_use.h"
#include "grammar/schema/schema_document.h"
#include "grammar/schema/schema_index.h"

namespace espalier {

class SchemaReader {
 public:
  // `root` is an object or a boolean; it and the documents must outlive the reader.
  SchemaReader(const Json& root, const SchemaSettings& settings, Draft draft);

  SchemaDocument Read() &&;

  // For the functions that read keywords.
  void Refuse(SchemaProblem problem);
  // The node of a schema that stands where a keyword holds one. Empty at the limits.
  std::optional<SchemaId> NodeAt(const Json& value);
  // The node that `use`'s value refers to; empty, and a problem is listed, if it is none.
  struct Target {
    SchemaId id;
    std::string_view dynamic_anchor;
  };
  std::optional<Target> Resolve(KeywordUse& use, std::string_view reference);
  // True if `node` belongs to a resource that says $recursiveAnchor: true.
  bool IsRecursiveAnchor(const SchemaNode& node) const;
  void AddDynamicRef() { document_.has_dynamic_refs_ = true; }

 private:
  std::optional<SchemaId> NodeOf(LocationId location);
  void ReadNode(SchemaId id);
  void ReadKeywords(const Json& schema, SchemaNode& node);
  void ReachResource(ResourceId id);
  void ReadDynamicAnchors();
  void StopAtLimit(std::string pointer, std::string message);

  const SchemaSettings& settings_;
  SchemaIndex index_;
  SchemaDocument document_;
  std::vector<LocationId> location_of_node_;  // [size of document_]
  std::vector<std::optional<SchemaId>> node_of_location_;
  std::size_t num_read_ = 0;  // nodes before are read, the others wait
  std::size_t pointer_bytes_ = 0;
  bool stopped_ = false;                  // at a limit
  std::vector<bool> is_reached_;          // [resource]
  std::vector<ResourceId> with_anchors_;  // reached, dynamic anchors not read
};

}  // namespace espalier
