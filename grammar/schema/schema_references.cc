// Following references: the part of SchemaIndex that takes a $ref to a place.
#include <algorithm>
#include <charconv>

#include "grammar/schema/metaschemas.h"
#include "grammar/schema/schema_index.h"
#include "grammar/schema/uri.h"

namespace espalier {
namespace {

using Kind = Json::Kind;

// An array index as RFC 6901 spells it.
std::optional<std::uint32_t> ArrayIndex(std::string_view token) {
  std::uint32_t index = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
  const bool whole = error == std::errc() && end == token.data() + token.size();
  if (!whole || (token.size() > 1 && token.front() == '0')) return {};
  return index;
}

}  // namespace

Result<const Json*> SchemaIndex::FindDocument(std::string_view uri) {
  if (const auto known = parsed_.find(uri); known != parsed_.end()) return &known->second;
  std::string_view text = FindMetaschema(uri);
  if (documents_ != nullptr) {
    const auto document = documents_->find(std::string(uri));
    if (document != documents_->end()) text = document->second;
  }
  if (text.empty()) {
    return Status(Code::kUnsupported,
                  "the schema has no " + QuotedText(uri) +
                      ", and documents are not fetched; put it into $defs with its $id");
  }
  Result<Json> parsed = ParseJson(text, max_depth_);
  if (!parsed.ok()) {
    return Status(parsed.status().code(), QuotedText(uri) + ": " + parsed.status().message());
  }
  return &parsed_.emplace(uri, std::move(*parsed)).first->second;
}

Result<ResourceId> SchemaIndex::FindResource(ResourceId from, std::string_view uri) {
  if (uri.empty()) return from;
  if (uri.size() > kMaxUriBytes) {
    return Status(Code::kLimit,
                  "the URI is longer than " + std::to_string(kMaxUriBytes) + " bytes");
  }
  const std::string absolute = ResolveUri(resources_[from].uri, uri);
  if (const auto known = by_uri_.find(absolute); known != by_uri_.end()) {
    if (!resources_[known->second].ambiguous) return known->second;
    return Status(Code::kInvalidArgument, "several schemas have the URI " + QuotedText(absolute));
  }
  ESP_ASSIGN_OR_RETURN(const Json* document, FindDocument(absolute));
  return AddDocument(absolute, *document, resources_[from].dialect);
}

Result<RefTarget> SchemaIndex::Resolve(ResourceId from, std::string_view reference) {
  const UriParts parts = SplitFragment(reference);
  ESP_ASSIGN_OR_RETURN(const ResourceId resource, FindResource(from, parts.uri));
  const std::string fragment = PercentDecoded(parts.fragment.value_or(""));
  if (fragment.empty() || fragment.front() == '/') return FollowPointer(resource, fragment);
  const auto& anchors = resources_[resource].anchors;
  const auto anchor = anchors.find(fragment);
  if (anchor == anchors.end()) {
    return Status(Code::kInvalidArgument, "no schema has the anchor " + QuotedText(fragment));
  }
  if (anchor->second.ambiguous) {
    return Status(Code::kInvalidArgument,
                  "several schemas have the anchor " + QuotedText(fragment));
  }
  return RefTarget{.location = anchor->second.location,
                   .dynamic_anchor = anchor->second.dynamic ? anchor->first : std::string_view()};
}

Result<RefTarget> SchemaIndex::FollowPointer(ResourceId resource, const std::string& pointer) {
  LocationId known = resources_[resource].root;
  const Json* value = locations_[known].value;
  std::vector<Step> way;  // from the last known place
  for (const std::string& token : PointerTokens(pointer)) {
    value = Below(*value, token, way.emplace_back());
    if (value == nullptr) {
      return Status(Code::kInvalidArgument, "nothing stands at " + QuotedText(pointer));
    }
    if (const std::optional<LocationId> at = Find(*value)) {
      known = *at;
      way.clear();
    }
  }
  if (value->kind != Kind::kObject && !value->is_boolean()) {
    return Status(Code::kInvalidArgument, "what stands there is no schema");
  }
  return RefTarget{.location = way.empty() ? known : WalkUnknown(known, way, *value),
                   .dynamic_anchor = {}};
}

LocationId SchemaIndex::WalkUnknown(LocationId known, const std::vector<Step>& way,
                                    const Json& value) {
  std::uint32_t last = locations_[known].step;
  for (Step step : way) {
    step.parent = last;
    last = AddStep(step);
  }
  return Walk({.value = &value, .step = last, .resource = locations_[known].resource});
}

const Json* SchemaIndex::Below(const Json& value, const std::string& token, Step& step) {
  if (value.kind == Kind::kObject) {
    const JsonMember* member = members_.Find(value, token);
    if (member == nullptr) return nullptr;
    step.name = member->name;
    return &member->value;
  }
  const std::optional<std::uint32_t> index = ArrayIndex(token);
  if (value.kind != Kind::kArray || !index || *index >= value.elements.size()) return nullptr;
  step.index = *index;
  return &value.elements[*index];
}

}  // namespace espalier
