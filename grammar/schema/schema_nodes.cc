#include "grammar/schema/schema_nodes.h"

#include <algorithm>
#include <utility>

#include "grammar/saturating.h"

namespace espalier {
namespace {

constexpr std::size_t kMaxCapturedDepth = 512;

const Expansion& NoExpansion() {
  static const Expansion kNone;
  return kNone;
}

std::vector<std::uint64_t> KeyOf(const ObjectState& state) {
  std::vector<std::uint64_t> key = {state.shape,    state.position,       state.count,
                                    state.is_first, state.pending.size(), state.others.size()};
  key.insert(key.end(), state.pending.begin(), state.pending.end());
  key.insert(key.end(), state.others.begin(), state.others.end());
  key.insert(key.end(), state.seen.begin(), state.seen.end());
  key.insert(key.end(), state.differs.begin(), state.differs.end());
  return key;
}

std::vector<std::uint64_t> KeyOf(const ArrayState& state) {
  std::vector<std::uint64_t> key = {state.shape,   state.index,
                                    state.pending, static_cast<std::uint64_t>(state.repeat),
                                    state.promise, state.elements.size()};
  key.insert(key.end(), state.elements.begin(), state.elements.end());
  key.insert(key.end(), state.counts.begin(), state.counts.end());
  key.insert(key.end(), state.differs.begin(), state.differs.end());
  return key;
}

// The string with which `text`, a key as it stands in an object, begins.
std::optional<std::string> NameIn(std::string_view text) {
  const std::size_t first = text.find('"');
  const std::size_t last = text.rfind('"');
  if (first == std::string_view::npos || first == last) return std::nullopt;
  const Result<Json> name = ParseJson(text.substr(first, last - first + 1), 1);
  if (!name.ok()) return std::nullopt;
  return name->string;
}

}  // namespace

SchemaNodes::SchemaNodes(SchemaDocument document, const SchemaNetworkSettings& settings,
                         RegexSet& set, Fuel& fuel)
    : document_(std::move(document)),
      set_(set),
      fuel_(fuel),
      text_(set, settings.forms == JsonForms::kAny ? Spelling::kJsonString
                                                   : Spelling::kJsonStringShortest),
      book_(document_, settings, text_, fuel) {}

NodeId SchemaNodes::start() {
  const Literal root = book_.goals().Schema(document_.root(), 0);
  return NodeOf({Kind::kValue, book_.goals().Intern({root})});
}

std::string SchemaNodes::ExhaustedAt() const {
  const std::optional<SchemaId> schema = book_.exhausted_at();
  return schema.has_value() ? document_.node(*schema).pointer : std::string();
}

NodeId SchemaNodes::NodeOf(const Place& place) {
  const auto [known, inserted] = nodes_.emplace(place, static_cast<NodeId>(places_.size()));
  if (inserted) {
    places_.push_back(place);
    expansions_.emplace_back();
  }
  return known->second;
}

std::uint32_t SchemaNodes::Intern(const ObjectState& state) {
  const auto id = static_cast<std::uint32_t>(object_states_.size());
  const auto [known, inserted] = object_ids_.emplace(KeyOf(state), id);
  if (inserted) object_states_.push_back(state);
  return known->second;
}

std::uint32_t SchemaNodes::Intern(const ArrayState& state) {
  const auto id = static_cast<std::uint32_t>(array_states_.size());
  const auto [known, inserted] = array_ids_.emplace(KeyOf(state), id);
  if (inserted) array_states_.push_back(state);
  return known->second;
}

NodeId SchemaNodes::ObjectNode(const ObjectState& state) {
  return NodeOf({Kind::kObject, Intern(state)});
}

NodeId SchemaNodes::ArrayNode(const ArrayState& state) {
  return NodeOf({Kind::kArray, Intern(state)});
}

// Out of fuel, a node has no ways on, and that is not remembered.
const Expansion& SchemaNodes::Expand(NodeId node) {
  if (expansions_[node] != nullptr) return *expansions_[node];
  Expansion expansion = Make(places_[node]);
  if (fuel_.exhausted()) return NoExpansion();
  expansions_[node] = std::make_unique<const Expansion>(std::move(expansion));
  return *expansions_[node];
}

Expansion SchemaNodes::Make(const Place& place) {
  switch (place.kind) {
    case Kind::kDone: return {.can_return = true, .edges = {}, .calls = {}};
    case Kind::kValue: return MakeValue(place.a);
    case Kind::kObject:
    case Kind::kSupposed: return MakeObject(place.a);
    case Kind::kMember: return MakeMember(place.a, place.b);
    case Kind::kOther: return MakeOther(place.a, place.b, place.c);
    case Kind::kAnyOther: return MakeOther(place.a, place.b, kNoName);
    case Kind::kAfterMember: {
      ObjectState state = object_states_[place.a];
      state.differs.clear();
      return MakeObject(Intern(state));
    }
    case Kind::kArray: return MakeArray(place.a);
    case Kind::kElement: return MakeElement(place.a);
    case Kind::kAfterElement: {
      ArrayState state = array_states_[place.a];
      state.differs.clear();
      state.repeat = Repeat::kSettled;
      state.elements.clear();
      return MakeArray(Intern(state));
    }
  }
  return {};
}

Expansion SchemaNodes::MakeValue(GoalId goal) {
  Expansion out;
  const RegexId scalars = book_.ScalarTexts(goal);
  if (scalars != RegexSet::kNothing) out.edges.push_back({scalars, NodeOf({Kind::kDone})});
  const auto objects = book_.Shapes(goal, SchemaType::kObject);
  for (const std::uint32_t id : objects.value_or(std::span<const std::uint32_t>())) {
    const ObjectState state = ObjectWalk::Start(book_.object(id), id);
    if (book_.object_walk().Cost(book_.object(id), state, book_) == kNoCost) continue;
    out.edges.push_back({book_.punctuation().open_object, ObjectNode(state)});
  }
  const auto arrays = book_.Shapes(goal, SchemaType::kArray);
  for (const std::uint32_t id : arrays.value_or(std::span<const std::uint32_t>())) {
    const ArrayState state = ArrayWalk::Start(book_.array(id), id);
    if (book_.array_walk().Cost(book_.array(id), state, book_) == kNoCost) continue;
    out.edges.push_back({book_.punctuation().open_array, ArrayNode(state)});
  }
  return out;
}

Expansion SchemaNodes::MakeObject(std::uint32_t state_id) {
  const ObjectState state = object_states_[state_id];
  const ObjectShape& shape = book_.object(state.shape);
  const Punctuation& marks = book_.punctuation();
  Expansion out;
  if (book_.object_walk().MayClose(shape, state)) {
    const RegexId close = state.is_first ? marks.close_empty_object : marks.close_object;
    out.edges.push_back({close, NodeOf({Kind::kDone})});
  }
  AddKeyEdges(state, state_id, out);
  AddOtherEdges(state, state_id, out);
  return out;
}

// A name in its quotation marks, with the comma before it and the colon behind it.
RegexId SchemaNodes::KeyText(RegexId names, const ObjectState& state) {
  const Punctuation& marks = book_.punctuation();
  const RegexId quote = set_.Literal("\"");
  const RegexId parts[] = {state.is_first ? RegexSet::kEmpty : marks.comma, quote, names, quote,
                           marks.colon};
  return set_.Concat(parts);
}

void SchemaNodes::AddKeyEdges(const ObjectState& state, std::uint32_t state_id, Expansion& out) {
  const ObjectShape& shape = book_.object(state.shape);
  for (const std::uint32_t key : book_.object_walk().NextKeys(shape, state, book_)) {
    out.edges.push_back(
        {NameText(shape.keys[key].name, state), NodeOf({Kind::kMember, state_id, key})});
  }
}

// A name is asked for in every state of its object in which it has not come yet, always
// with the same text.
RegexId SchemaNodes::NameText(NameId name, const ObjectState& state) {
  auto& known = state.is_first ? first_names_ : names_;
  const auto [entry, inserted] = known.emplace(name, RegexSet::kNothing);
  if (inserted) entry->second = KeyText(text_.Literal(book_.goals().name(name)), state);
  return entry->second;
}

void SchemaNodes::AddOtherEdges(const ObjectState& state, std::uint32_t state_id, Expansion& out) {
  const ObjectShape& shape = book_.object(state.shape);
  for (std::uint32_t i = 0; i < shape.classes.size(); ++i) {
    const RegexId names = book_.object_walk().NextNames(shape, state, i, book_);
    if (names == RegexSet::kNothing) continue;
    out.edges.push_back(
        {KeyText(names, state), NodeOf({Kind::kAnyOther, state_id, i}), Capture::kYes});
  }
}

void SchemaNodes::AddMemberCalls(const std::vector<ObjectWalk::Step>& steps, NameId name,
                                 Expansion& out) {
  for (const ObjectWalk::Step& step : steps) {
    const NodeId value = NodeOf({Kind::kValue, step.goal});
    if (step.next.differs.empty()) {
      const Kind kind = name == kNoName ? Kind::kSupposed : Kind::kObject;
      out.calls.push_back({value, NodeOf({kind, Intern(step.next)})});
    } else {
      const NodeId after = NodeOf({Kind::kAfterMember, Intern(step.next), name});
      out.calls.push_back({value, after, Capture::kYes});
    }
  }
}

Expansion SchemaNodes::MakeMember(std::uint32_t state_id, std::uint32_t key) {
  const ObjectState state = object_states_[state_id];
  const ObjectShape& shape = book_.object(state.shape);
  Expansion out;
  AddMemberCalls(book_.object_walk().KeySteps(shape, state, key, book_), shape.keys[key].name, out);
  return out;
}

Expansion SchemaNodes::MakeOther(std::uint32_t state_id, std::uint32_t name_class, NameId name) {
  const ObjectState state = object_states_[state_id];
  ObjectWalk::Other other{name_class, std::nullopt};
  if (name != kNoName) other.name = name;
  Expansion out;
  AddMemberCalls(book_.object_walk().OtherSteps(book_.object(state.shape), state, other, book_),
                 name, out);
  return out;
}

Expansion SchemaNodes::MakeArray(std::uint32_t state_id) {
  const ArrayState state = array_states_[state_id];
  const ArrayShape& shape = book_.array(state.shape);
  const Punctuation& marks = book_.punctuation();
  const bool is_first = state.index == 0;
  Expansion out;
  if (book_.array_walk().MayClose(shape, state)) {
    const RegexId close = is_first ? marks.close_empty_array : marks.close_array;
    out.edges.push_back({close, NodeOf({Kind::kDone})});
  }
  Expansion element = MakeElement(state_id);
  if (is_first) {
    out.calls = std::move(element.calls);
  } else if (!element.calls.empty()) {
    out.edges.push_back({marks.comma, NodeOf({Kind::kElement, state_id})});
  }
  return out;
}

Expansion SchemaNodes::MakeElement(std::uint32_t state_id) {
  const ArrayState state = array_states_[state_id];
  const ArrayShape& shape = book_.array(state.shape);
  const auto at = static_cast<std::uint32_t>(state.index);
  Expansion out;
  for (const ArrayWalk::Step& step : book_.array_walk().Steps(shape, state, book_)) {
    const NodeId value = NodeOf({Kind::kValue, step.goal});
    if (ArrayWalk::WantsValue(shape, step.next)) {
      const NodeId after = NodeOf({Kind::kAfterElement, Intern(step.next), at});
      out.calls.push_back({value, after, Capture::kYes});
    } else {
      out.calls.push_back({value, ArrayNode(step.next)});
    }
  }
  return out;
}

NodeId SchemaNodes::Captured(NodeId next, std::string_view text) {
  const Place place = places_[next];
  switch (place.kind) {
    case Kind::kAnyOther: return CapturedOther(place.a, place.b, text);
    case Kind::kAfterMember: return CapturedMember(place.a, place.b, text);
    case Kind::kAfterElement: return CapturedElement(place.a, place.b, text);
    default: return next;
  }
}

// In a safe object the name decides only which ones may come after the value, and what else is
// asked of that.
bool SchemaNodes::Supposes(NodeId node) const {
  const Place& place = places_[node];
  switch (place.kind) {
    case Kind::kSupposed:
    case Kind::kAfterMember:
    case Kind::kAfterElement: return true;
    case Kind::kAnyOther: {
      const ObjectState& state = object_states_[place.a];
      const ObjectShape& shape = book_.object(state.shape);
      return !ObjectWalk::IsSafe(shape, state) || !shape.classes[place.b].extras.empty();
    }
    default: return false;
  }
}

NodeId SchemaNodes::CapturedOther(std::uint32_t state_id, std::uint32_t name_class,
                                  std::string_view text) {
  const std::optional<std::string> name = NameIn(text);
  if (!name.has_value()) return kNoNode;
  return NodeOf({Kind::kOther, state_id, name_class, book_.goals().Name(*name)});
}

NodeId SchemaNodes::CapturedMember(std::uint32_t state_id, NameId name, std::string_view text) {
  const Result<Json> value = ParseJson(text, kMaxCapturedDepth);
  if (!value.ok()) return kNoNode;
  const ObjectState state = object_states_[state_id];
  return ObjectNode(
      book_.object_walk().WithValue(book_.object(state.shape), state, name, value.value()));
}

NodeId SchemaNodes::CapturedElement(std::uint32_t state_id, std::uint32_t at,
                                    std::string_view text) {
  const Result<Json> value = ParseJson(text, kMaxCapturedDepth);
  if (!value.ok()) return kNoNode;
  const ArrayState state = array_states_[state_id];
  return ArrayNode(
      book_.array_walk().WithValue(book_.array(state.shape), state, at, value.value()));
}

// REQUIRES: no node that `expansion` leads to leads back without a kObject, kArray or
// kValue.
std::uint64_t SchemaNodes::MinOfExpansion(const Expansion& expansion) {
  std::uint64_t best = kNoCost;
  for (const Call& call : expansion.calls) {
    best = std::min(best, SaturatingAdd(MinBytes(call.callee), MinBytes(call.next)));
  }
  return best;
}

// Whatever the name will ask for.
std::uint64_t SchemaNodes::MinOfAnyOther(const Place& place) {
  const ObjectState& state = object_states_[place.a];
  const NameClass& name_class = book_.object(state.shape).classes[place.b];
  const std::uint64_t min = MinOfExpansion(Expand(NodeOf(place)));
  if (name_class.extras.empty() || min == kNoCost) return min;
  const std::uint64_t least = book_.Cost(name_class.goal);
  const std::uint64_t most = std::max(least, book_.Cost(name_class.strictest));
  return SaturatingAdd(min, most - least);
}

std::uint64_t SchemaNodes::MinBytes(NodeId node) {
  const Place place = places_[node];
  switch (place.kind) {
    case Kind::kDone: return 0;
    case Kind::kValue: return book_.Cost(place.a);
    case Kind::kObject:
    case Kind::kSupposed:
    case Kind::kAfterMember: {
      ObjectState state = object_states_[place.a];
      return book_.object_walk().Cost(book_.object(state.shape), state, book_);
    }
    case Kind::kArray:
    case Kind::kAfterElement: {
      const ArrayState state = array_states_[place.a];
      return book_.array_walk().Cost(book_.array(state.shape), state, book_);
    }
    case Kind::kAnyOther: return MinOfAnyOther(place);
    default: return MinOfExpansion(Expand(node));
  }
}

}  // namespace espalier
