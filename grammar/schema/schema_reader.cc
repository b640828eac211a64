#include "grammar/schema/schema_reader.h"

#include <utility>

#include "grammar/schema/keyword_table.h"
#include "grammar/schema/schema_cycles.h"

namespace espalier {
namespace {

constexpr std::size_t kMaxProblems = 1000;
constexpr std::size_t kMaxPointerBytes = std::size_t{32} << 20;  // of all nodes together

}  // namespace

SchemaReader::SchemaReader(const Json& root, const SchemaSettings& settings, Draft draft)
    : settings_(settings), index_(settings.documents, settings.max_depth) {
  document_.root_ = NodeOf(index_.AddRoot(root, draft)).value_or(0);
}

SchemaDocument SchemaReader::Read() && {
  while (num_read_ < document_.nodes_.size() && !stopped_) {
    ReadNode(static_cast<SchemaId>(num_read_++));
    if (num_read_ == document_.nodes_.size() && document_.has_dynamic_refs_) ReadDynamicAnchors();
  }
  document_.dynamic_anchors_.resize(index_.num_resources());
  if (index_.has_lost_uris()) {
    Refuse({.code = Code::kLimit,
            .pointer = "",
            .message = "more than " + std::to_string(kMaxResources) +
                       " schemas have an $id, or one is longer than " +
                       std::to_string(kMaxUriBytes) + " bytes"});
  }
  for (const SchemaId id : EndlessReferences(document_.nodes_)) {
    Refuse({.code = Code::kInvalidArgument,
            .pointer = document_.nodes_[id].pointer,
            .message = "the schema refers to itself without end"});
  }
  return std::move(document_);
}

void SchemaReader::Refuse(SchemaProblem problem) {
  std::vector<SchemaProblem>& problems = document_.problems_;
  if (problems.size() < kMaxProblems) problems.push_back(std::move(problem));
  if (problems.size() == kMaxProblems) {
    problems.push_back(
        {.code = Code::kLimit, .pointer = "", .message = "further problems are not listed"});
  }
}

void SchemaReader::StopAtLimit(std::string pointer, std::string message) {
  if (!std::exchange(stopped_, true)) {
    Refuse({.code = Code::kLimit, .pointer = std::move(pointer), .message = std::move(message)});
  }
}

std::optional<SchemaId> SchemaReader::NodeAt(const Json& value) {
  const std::optional<LocationId> location = index_.Find(value);
  return location ? NodeOf(*location) : std::nullopt;
}

std::optional<SchemaId> SchemaReader::NodeOf(LocationId location) {
  if (node_of_location_.size() <= location) node_of_location_.resize(index_.num_locations());
  std::optional<SchemaId>& id = node_of_location_[location];
  if (id) return id;
  if (document_.nodes_.size() >= settings_.max_nodes) {
    StopAtLimit("", "more than " + std::to_string(settings_.max_nodes) + " schemas");
    return {};
  }
  id = static_cast<SchemaId>(document_.nodes_.size());
  document_.nodes_.emplace_back();
  location_of_node_.push_back(location);
  return id;
}

void SchemaReader::ReadNode(SchemaId id) {
  const LocationId at = location_of_node_[id];
  const SchemaLocation location = index_.location(at);
  SchemaNode node;
  node.pointer = index_.Pointer(at);
  node.resource = location.resource;
  pointer_bytes_ += node.pointer.size();
  if (pointer_bytes_ > kMaxPointerBytes) {
    StopAtLimit("", "the JSON pointers of the schemas are too long");
  }
  ReachResource(location.resource);
  const SchemaResource& resource = index_.resource(location.resource);
  if (resource.root == at && !resource.dialect_status.ok()) {
    Refuse({.code = resource.dialect_status.code(),
            .pointer = node.pointer + "/$schema",
            .message = resource.dialect_status.message()});
  }
  if (location.value->kind == Json::Kind::kObject) {
    ReadKeywords(*location.value, node);
  } else {
    node.boolean = location.value->kind == Json::Kind::kTrue;
  }
  document_.nodes_[id] = std::move(node);
}

void SchemaReader::ReadKeywords(const Json& schema, SchemaNode& node) {
  const Dialect dialect = index_.resource(node.resource).dialect;
  const bool ref_alone = dialect.draft <= Draft::k7 && schema.Find("$ref") != nullptr;
  KeywordUse use = {.reader = *this, .schema = schema, .node = node, .dialect = dialect};
  for (const auto& [name, value] : schema.members) {
    if (ref_alone && name != "$ref") continue;
    const Keyword* keyword = FindKeyword(name, dialect);
    if (keyword == nullptr || keyword->read == nullptr) continue;
    use.keyword = name;
    use.value = &value;
    keyword->read(use);
  }
}

void SchemaReader::ReachResource(ResourceId id) {
  if (is_reached_.size() <= id) is_reached_.resize(index_.num_resources());
  if (is_reached_[id]) return;
  is_reached_[id] = true;
  with_anchors_.push_back(id);
}

// A dynamic reference may lead to any dynamic anchor of a resource on the way to it.
void SchemaReader::ReadDynamicAnchors() {
  for (const ResourceId id : std::exchange(with_anchors_, {})) {
    if (document_.dynamic_anchors_.size() <= id) document_.dynamic_anchors_.resize(id + 1);
    for (const auto& [name, anchor] : index_.resource(id).anchors) {
      const std::optional<SchemaId> node = anchor.dynamic ? NodeOf(anchor.location) : std::nullopt;
      if (node) document_.dynamic_anchors_[id].emplace(name, *node);
    }
  }
}

std::optional<SchemaReader::Target> SchemaReader::Resolve(KeywordUse& use,
                                                          std::string_view reference) {
  const Result<RefTarget> found = index_.Resolve(use.node.resource, reference);
  if (!found.ok()) {
    Refuse({.code = found.status().code(),
            .pointer = use.node.pointer + "/" + std::string(use.keyword),
            .message = "cannot follow " + QuotedText(reference) + ": " + found.status().message()});
    return {};
  }
  const std::optional<SchemaId> id = NodeOf(found->location);
  if (!id) return {};
  return Target{.id = *id, .dynamic_anchor = found->dynamic_anchor};
}

bool SchemaReader::IsRecursiveAnchor(const SchemaNode& node) const {
  return index_.resource(node.resource).anchors.contains("");
}

}  // namespace espalier
