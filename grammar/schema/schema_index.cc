#include "grammar/schema/schema_index.h"

#include <algorithm>
#include <utility>

#include "grammar/schema/uri.h"

namespace espalier {
namespace {

using Kind = Json::Kind;

bool CanBeSchema(const Json& value) { return value.kind == Kind::kObject || value.is_boolean(); }

const std::string* FindText(const Json& schema, std::string_view keyword) {
  const Json* value = schema.Find(keyword);
  return value != nullptr && value->kind == Kind::kString ? &value->string : nullptr;
}

// The URI reference that names `schema`; null if nothing does. Up to draft 7, $ref hides it.
const std::string* FindId(const Json& schema, Draft draft) {
  const std::string* id = FindText(schema, draft == Draft::k4 ? "id" : "$id");
  if (id == nullptr) return nullptr;
  return draft <= Draft::k7 && schema.Find("$ref") != nullptr ? nullptr : id;
}

bool NamesResource(const std::string& id) { return !SplitFragment(id).uri.empty(); }

}  // namespace

LocationId SchemaIndex::AddRoot(const Json& root, Draft default_draft) {
  return resources_[AddDocument("", root, {.draft = default_draft})].root;
}

std::optional<LocationId> SchemaIndex::Find(const Json& value) const {
  const auto found = by_value_.find(&value);
  return found == by_value_.end() ? std::nullopt : std::optional(found->second);
}

std::string SchemaIndex::Pointer(LocationId id) const {
  std::vector<std::uint32_t> way;
  for (std::uint32_t step = locations_[id].step; step != kNoStep; step = steps_[step].parent) {
    way.push_back(step);
  }
  std::string pointer(steps_[way.back()].name);
  if (!pointer.empty()) pointer += '#';
  way.pop_back();
  for (; !way.empty(); way.pop_back()) {
    const Step& step = steps_[way.back()];
    pointer += '/';
    pointer += step.name.data() == nullptr ? std::to_string(step.index) : EscapedToken(step.name);
  }
  return pointer;
}

std::uint32_t SchemaIndex::AddStep(Step step) {
  steps_.push_back(step);
  return static_cast<std::uint32_t>(steps_.size() - 1);
}

ResourceId SchemaIndex::AddDocument(std::string_view uri, const Json& root, Dialect dialect) {
  const auto id = static_cast<ResourceId>(resources_.size());
  const std::string_view name = by_uri_.emplace(uri, id).first->first;  // which stays
  resources_.push_back({.uri = std::string(uri),
                        .dialect = dialect,
                        .root = static_cast<LocationId>(locations_.size()),
                        .dialect_status = Status(),
                        .anchors = {}});
  if (root.kind == Kind::kObject) {
    const DialectOrError read = ReadDialect(root, dialect);
    resources_[id].dialect = read.dialect;
    resources_[id].dialect_status = read.status;
    const std::string* own = FindId(root, read.dialect.draft);
    if (own != nullptr && NamesResource(*own)) {
      resources_[id].uri = ResolveUri(uri, SplitFragment(*own).uri);
      by_uri_.emplace(resources_[id].uri, id);
    }
  }
  const std::uint32_t step = AddStep({.parent = kNoStep, .name = name});
  Walk({.value = &root, .step = step, .resource = id, .is_document = true});
  return id;
}

// A way in document order; a place that is known already is not entered again.
LocationId SchemaIndex::Walk(Frame start) {
  const auto first = static_cast<LocationId>(locations_.size());
  std::vector<Frame> frames = {start};
  while (!frames.empty()) {
    const Frame frame = frames.back();
    frames.pop_back();
    const auto location = static_cast<LocationId>(locations_.size());
    if (!by_value_.emplace(frame.value, location).second) continue;
    locations_.push_back({.value = frame.value, .resource = frame.resource, .step = frame.step});
    if (frame.value->kind == Kind::kObject) Enter(frame, location, frames);
  }
  return first;
}

void SchemaIndex::Enter(Frame frame, LocationId location, std::vector<Frame>& frames) {
  frame.resource = EnterResource(frame, location);
  locations_[location].resource = frame.resource;
  AddAnchors(*frame.value, frame.resource, location);
  const auto before = static_cast<std::ptrdiff_t>(frames.size());
  for (const auto& [name, value] : frame.value->members) {
    const Keyword* keyword = FindKeyword(name, resources_[frame.resource].dialect);
    if (keyword == nullptr || keyword->subschemas == Subschemas::kNone) continue;
    const Frame below = {.value = &value,
                         .step = AddStep({.parent = frame.step, .name = name}),
                         .resource = frame.resource};
    AddSchemasOf(*keyword, below, frames);
  }
  std::reverse(frames.begin() + before, frames.end());
}

void SchemaIndex::AddSchemasOf(const Keyword& keyword, Frame below, std::vector<Frame>& frames) {
  const auto add = [&](const Json& value, std::uint32_t step) {
    if (!CanBeSchema(value)) return;
    frames.push_back({.value = &value, .step = step, .resource = below.resource});
  };
  const Json& value = *below.value;
  const bool one = keyword.subschemas == Subschemas::kOne ||
                   (keyword.subschemas == Subschemas::kOneOrList && value.kind != Kind::kArray);
  if (one) {
    add(value, below.step);
  } else if (keyword.subschemas == Subschemas::kMap) {
    for (const auto& member : value.members) {
      add(member.value, AddStep({.parent = below.step, .name = member.name}));
    }
  } else {
    for (std::uint32_t i = 0; i < value.elements.size(); ++i) {
      add(value.elements[i], AddStep({.parent = below.step, .name = {}, .index = i}));
    }
  }
}

// The resource that `frame`'s schema belongs to: a new one if it names itself.
ResourceId SchemaIndex::EnterResource(const Frame& frame, LocationId location) {
  const SchemaResource& outer = resources_[frame.resource];
  if (frame.is_document) return frame.resource;
  const DialectOrError read = ReadDialect(*frame.value, outer.dialect);
  const std::string* id = FindId(*frame.value, read.dialect.draft);
  if (id == nullptr || !NamesResource(*id)) return frame.resource;
  std::string uri = ResolveUri(outer.uri, SplitFragment(*id).uri);
  if (resources_.size() >= kMaxResources || uri.size() > kMaxUriBytes) {
    has_lost_uris_ = true;
    return frame.resource;
  }
  const auto resource = static_cast<ResourceId>(resources_.size());
  const auto [known, is_new] = by_uri_.emplace(uri, resource);
  if (!is_new) resources_[known->second].ambiguous = true;
  resources_.push_back({.uri = std::move(uri),
                        .dialect = read.dialect,
                        .root = location,
                        .dialect_status = read.status,
                        .anchors = {}});
  return resource;
}

void SchemaIndex::AddAnchors(const Json& schema, ResourceId id, LocationId location) {
  SchemaResource& resource = resources_[id];
  const auto add = [&](std::string_view name, bool dynamic) {
    if (name.empty() || name.front() == '/') return;
    SchemaAnchor& anchor =
        resource.anchors.try_emplace(name, SchemaAnchor{.location = location}).first->second;
    anchor.dynamic = anchor.dynamic || dynamic;
    anchor.ambiguous = anchor.location != location;
  };
  const Draft draft = resource.dialect.draft;
  if (draft <= Draft::k7) {
    const std::string* own = FindId(schema, draft);
    if (own != nullptr) add(SplitFragment(*own).fragment.value_or(""), false);
    return;
  }
  if (const std::string* name = FindText(schema, "$anchor")) add(*name, false);
  if (draft == Draft::k2019) {
    const Json* recursive = schema.Find("$recursiveAnchor");
    if (recursive != nullptr && recursive->kind == Kind::kTrue && location == resource.root) {
      resource.anchors.try_emplace("", SchemaAnchor{.location = location, .dynamic = true});
    }
  } else if (const std::string* name = FindText(schema, "$dynamicAnchor")) {
    add(*name, true);
  }
}

SchemaIndex::DialectOrError SchemaIndex::ReadDialect(const Json& schema, Dialect inherited) {
  const std::string* uri = FindText(schema, "$schema");
  if (uri == nullptr) return {.dialect = inherited, .status = Status()};
  const DraftOfUri found = FindDraft(*uri);
  if (found.draft) return {.dialect = {.draft = *found.draft}, .status = Status()};
  if (!found.too_old.empty()) {
    return {.dialect = inherited,
            .status = Status(Code::kUnsupported, "draft " + std::string(found.too_old) +
                                                     " is not supported; drafts 4, 6, 7, 2019-09 "
                                                     "and 2020-12 are")};
  }
  const Result<const Json*> metaschema = FindDocument(SplitFragment(*uri).uri);
  if (metaschema.ok()) return ReadMetaschema(**metaschema, inherited);
  return {.dialect = inherited, .status = Status()};
}

// The draft of a metaschema that is none of the drafts' own, less the vocabularies that it
// leaves out.
SchemaIndex::DialectOrError SchemaIndex::ReadMetaschema(const Json& metaschema, Dialect inherited) {
  DialectOrError read = {.dialect = {.draft = inherited.draft}, .status = Status()};
  if (const std::string* uri = FindText(metaschema, "$schema")) {
    read.dialect.draft = FindDraft(*uri).draft.value_or(inherited.draft);
  }
  const Json* used = metaschema.Find("$vocabulary");
  if (used == nullptr || read.dialect.draft < Draft::k2019) return read;
  read.dialect.vocabularies = 0;
  for (const auto& [uri, required] : used->members) {
    const std::optional<Vocabularies> known = FindVocabularies(uri);
    read.dialect.vocabularies |= known.value_or(0);
    if (!known && required.kind == Kind::kTrue) {
      read.status = Status(Code::kUnsupported,
                           "the metaschema requires the unknown vocabulary " + QuotedText(uri));
    }
  }
  return read;
}

}  // namespace espalier
