// SchemaDocument: a JSON Schema as a graph of typed nodes.
//
// All drafts come out in the words of 2020-12: boolean exclusiveMinimum, the array form of
// items, additionalItems, dependencies, definitions and id are rewritten when they are
// read; siblings of $ref are dropped where the draft says so. References are resolved, by
// pointer, $id, $anchor and (for tests) documents that stand beside the schema; a schema
// that is referred to twice is one node, so recursion is a cycle of ids.
//
// What is wrong or cannot be read is listed, all of it at once, each with its JSON
// pointer; nothing is dropped in silence. An unknown keyword is an annotation, as the
// specification says. Keywords that this table knows and the engine cannot enforce are
// problems. The keyword table is in keyword_table.cc.
//
// Thread safety: immutable.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/schema/decimal.h"
#include "grammar/schema/json.h"
#include "grammar/schema/number_constraint.h"
#include "kernels/base/status.h"

namespace espalier {

using SchemaId = std::uint32_t;

enum class SchemaType : std::uint8_t { kNull, kBoolean, kNumber, kString, kArray, kObject };

// A set of SchemaType, one bit each.
using SchemaTypes = std::uint8_t;
inline constexpr SchemaTypes kAllTypes = 0x3f;
constexpr SchemaTypes TypeBit(SchemaType type) {
  return static_cast<SchemaTypes>(1u << static_cast<unsigned>(type));
}

using NamedSchemas = std::vector<std::pair<std::string, SchemaId>>;

struct DynamicRef {
  std::string anchor;  // empty for $recursiveRef
  SchemaId target;     // where it leads if no outer resource says otherwise
};

// Only what was written; an absent keyword is empty.
struct SchemaNode {
  std::string pointer;          // "/properties/age"; of another document: "uri#/..."
  std::uint32_t resource = 0;   // the schema resource ($id) that it belongs to
  std::optional<bool> boolean;  // the schema true or false

  std::optional<SchemaTypes> types;
  bool integer = false;        // types has kNumber for "integer" alone: whole numbers only
  bool plain_integer = false;  // draft 4: and these only without a point or an exponent
  std::optional<std::vector<Json>> values;  // enum
  std::optional<Json> constant;             // const

  std::optional<SchemaId> ref;
  std::optional<DynamicRef> dynamic_ref;
  std::vector<SchemaId> all_of, any_of, one_of;
  std::optional<SchemaId> not_of, if_of, then_of, else_of;

  std::optional<NumberBound> lower, upper;
  std::optional<Decimal> multiple_of;

  std::optional<std::uint64_t> min_length, max_length;
  std::optional<std::string> pattern, format;

  std::vector<SchemaId> prefix_items;
  std::optional<SchemaId> items;  // of the elements behind prefix_items
  std::optional<SchemaId> contains, unevaluated_items;
  std::optional<std::uint64_t> min_items, max_items, min_contains, max_contains;
  bool unique_items = false;
  bool contains_evaluates = true;  // 2020-12: matched elements count as evaluated

  NamedSchemas properties, pattern_properties, dependent_schemas;
  std::optional<SchemaId> additional_properties, property_names, unevaluated_properties;
  std::vector<std::string> required;
  std::vector<std::pair<std::string, std::vector<std::string>>> dependent_required;
  std::optional<std::uint64_t> min_properties, max_properties;
};

struct SchemaProblem {
  Code code;            // kInvalidArgument, kUnsupported or kLimit
  std::string pointer;  // JSON pointer of the keyword
  std::string message;
};

struct SchemaSettings {
  std::string default_draft = "2020-12";
  // The texts of documents that $ref may reach, by URI; read when it does. Nothing is fetched.
  const std::map<std::string, std::string>* documents = nullptr;
  std::size_t max_bytes = std::size_t{1} << 20;
  std::size_t max_nodes = 100'000;
  std::size_t max_depth = 512;
};

class SchemaDocument {
 public:
  // Only text that is not a JSON schema at all is an error here; the rest are problems().
  static Result<SchemaDocument> Parse(std::string_view text, const SchemaSettings& settings);

  SchemaId root() const { return root_; }
  std::size_t size() const { return nodes_.size(); }
  const SchemaNode& node(SchemaId id) const { return nodes_[id]; }
  const std::vector<SchemaProblem>& problems() const { return problems_; }

  // The node that dynamic anchor `anchor` names in a resource; empty if it names none.
  std::optional<SchemaId> DynamicAnchor(std::uint32_t resource, std::string_view anchor) const;
  std::uint32_t num_resources() const {
    return static_cast<std::uint32_t>(dynamic_anchors_.size());
  }
  bool has_dynamic_refs() const { return has_dynamic_refs_; }
  // Some schema has unevaluatedItems or unevaluatedProperties. O(nodes)
  bool UsesUnevaluated() const;

 private:
  friend class SchemaReader;
  std::vector<SchemaNode> nodes_;
  std::vector<SchemaProblem> problems_;
  std::vector<std::map<std::string, SchemaId, std::less<>>> dynamic_anchors_;  // by resource
  SchemaId root_ = 0;
  bool has_dynamic_refs_ = false;
};

}  // namespace espalier
