// MemberIndex: the schema that `properties` of a node gives a name, in constant time.
//
// Thread safety: none: indexes are made at first use.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grammar/schema/schema_document.h"

namespace espalier {

class MemberIndex {
 public:
  // `document` must outlive the index.
  explicit MemberIndex(const SchemaDocument& document) : document_(document) {}

  std::optional<SchemaId> Find(SchemaId schema, std::string_view name);

 private:
  using Names = std::unordered_map<std::string_view, SchemaId>;

  const SchemaDocument& document_;
  std::unordered_map<SchemaId, Names> names_;  // of nodes with many properties
};

}  // namespace espalier
