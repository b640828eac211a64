// SchemaIndex: where the schemas of some documents stand, by JSON pointer, URI and anchor.
//
// A document is walked once, through the places where its draft's keywords hold schemas; so
// an $id inside an enum names nothing. A reference may also lead to a value elsewhere (below
// an unknown keyword), which is then walked as a schema from there on. Other documents are
// taken in when a reference first leads to them: those of the settings, and the metaschemas
// of the drafts.
//
// A name that two schemas have is refused when something refers to it.
//
// Cost: O(bytes of the documents) for walking, O(length) for a reference. The walk keeps a
// stack of its own. Values are referred to, not copied: the root and the
// texts of the documents must outlive the index.
//
// Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grammar/schema/dialect.h"
#include "grammar/schema/json.h"
#include "grammar/schema/json_index.h"
#include "grammar/schema/keyword_table.h"
#include "kernels/base/status.h"

namespace espalier {

using LocationId = std::uint32_t;
using ResourceId = std::uint32_t;

// Longer URIs are no names, and more resources are not kept: bounds on the memory that a
// document's URIs take.
inline constexpr std::size_t kMaxUriBytes = 2048;
inline constexpr std::size_t kMaxResources = 10'000;

struct SchemaAnchor {
  LocationId location;
  bool dynamic = false;    // $dynamicAnchor; "" stands for $recursiveAnchor
  bool ambiguous = false;  // several schemas have the name
};

// A schema with a URI of its own, or the root of a document.
struct SchemaResource {
  std::string uri;  // absolute where it can be; empty for a root without $id
  Dialect dialect;
  LocationId root = 0;
  bool ambiguous = false;  // several schemas have the URI
  Status dialect_status;   // what is wrong with its $schema
  std::map<std::string_view, SchemaAnchor, std::less<>> anchors;
};

struct SchemaLocation {
  const Json* value;  // an object or a boolean
  ResourceId resource;
  std::uint32_t step;  // the last one on the way to it
};

struct RefTarget {
  LocationId location;
  std::string_view dynamic_anchor;  // the name if a $dynamicAnchor was referred to
};

class SchemaIndex {
 public:
  // `documents` as in SchemaSettings.
  SchemaIndex(const std::map<std::string, std::string>* documents, std::size_t max_depth)
      : documents_(documents), max_depth_(max_depth) {}

  LocationId AddRoot(const Json& root, Draft default_draft);

  const SchemaLocation& location(LocationId id) const { return locations_[id]; }
  const SchemaResource& resource(ResourceId id) const { return resources_[id]; }
  std::size_t num_locations() const { return locations_.size(); }
  std::size_t num_resources() const { return resources_.size(); }
  // True if the limits left a schema without the URI that its $id gives it.
  bool has_lost_uris() const { return has_lost_uris_; }

  // A value that stands where a keyword holds a schema. Empty if it is neither object nor
  // boolean.
  std::optional<LocationId> Find(const Json& value) const;
  // "/properties/a"; in other documents than the root "uri#/...".
  std::string Pointer(LocationId id) const;

  // kInvalidArgument: nothing stands there, or no schema; kUnsupported: the document is
  // unknown; kLimit. The reference is seen from a schema of `from`. The anchor's name is a
  // view of a document.
  Result<RefTarget> Resolve(ResourceId from, std::string_view reference);

 private:
  // One token on the way from the root of a document.
  struct Step {
    std::uint32_t parent;
    std::string_view name;    // of a member; of a document's first step its URI
    std::uint32_t index = 0;  // of an element, where name.data() is null
  };
  static constexpr std::uint32_t kNoStep = ~std::uint32_t{0};
  struct Frame {
    const Json* value;
    std::uint32_t step;
    ResourceId resource;
    bool is_document = false;  // whose resource is made already
  };

  ResourceId AddDocument(std::string_view uri, const Json& root, Dialect dialect);
  std::uint32_t AddStep(Step step);
  LocationId Walk(Frame start);
  void Enter(Frame frame, LocationId location, std::vector<Frame>& frames);
  void AddSchemasOf(const Keyword& keyword, Frame below, std::vector<Frame>& frames);
  ResourceId EnterResource(const Frame& frame, LocationId location);
  void AddAnchors(const Json& schema, ResourceId resource, LocationId location);

  struct DialectOrError {
    Dialect dialect;
    Status status;
  };
  DialectOrError ReadDialect(const Json& schema, Dialect inherited);
  static DialectOrError ReadMetaschema(const Json& metaschema, Dialect inherited);

  Result<const Json*> FindDocument(std::string_view uri);
  Result<ResourceId> FindResource(ResourceId from, std::string_view uri);
  Result<RefTarget> FollowPointer(ResourceId resource, const std::string& pointer);
  LocationId WalkUnknown(LocationId known, const std::vector<Step>& way, const Json& value);
  // Null if nothing stands there; else `step` gets the token.
  const Json* Below(const Json& value, const std::string& token, Step& step);

  const std::map<std::string, std::string>* documents_;
  std::size_t max_depth_;
  std::map<std::string, Json, std::less<>> parsed_;  // documents and metaschemas, by URI
  bool has_lost_uris_ = false;
  std::map<std::string, ResourceId, std::less<>> by_uri_;
  std::vector<SchemaResource> resources_;
  std::vector<SchemaLocation> locations_;
  std::vector<Step> steps_;
  std::unordered_map<const Json*, LocationId> by_value_;
  JsonIndex members_;
};

}  // namespace espalier
