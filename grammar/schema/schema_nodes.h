// SchemaNodes: the Network over the goals of a schema.
//
// A node is a goal's value, a place inside an object or array, or the end. Between `{` and
// `}` the nodes are
//
//   kObject ──key──▶ kMember ──call value──▶ kObject ...
//
// and where the text of a key or value matters it is captured: kAnyMember and kAnyOther
// stand for "one of these keys", kAfterMember and kAfterElement for "whatever the value
// was", and Captured() goes from there to the node that knows.
//
// Thread safety: none.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grammar/network.h"
#include "grammar/schema/array_walk.h"
#include "grammar/schema/object_walk.h"
#include "grammar/schema/schema_document.h"
#include "grammar/schema/schema_network.h"
#include "grammar/schema/shape_book.h"

namespace espalier {

class SchemaNodes final : public Network {
 public:
  // `set` and `fuel` must outlive the object.
  SchemaNodes(SchemaDocument document, const SchemaNetworkSettings& settings, RegexSet& set,
              Fuel& fuel);

  NodeId start() override;
  const Expansion& Expand(NodeId node) override;
  NodeId Captured(NodeId next, std::string_view text) override;
  bool Supposes(NodeId node) const override;
  std::uint64_t MinBytes(NodeId node) override;

  // JSON pointer of the schema that was being looked at when the fuel ran out.
  std::string ExhaustedAt() const;

  ShapeBook& book() { return book_; }

 private:
  enum class Kind : std::uint32_t {
    kDone,
    kValue,         // goal
    kObject,        // object state
    kMember,        // object state, key
    kOther,         // object state, class, name
    kAnyOther,      // object state, class: a name, captured
    kSupposed,      // object state behind a member whose name is not known
    kAfterMember,   // object state behind the member, name: its value, captured
    kArray,         // array state
    kElement,       // array state, behind a comma
    kAfterElement,  // array state behind the element, index: its value, captured
  };
  struct Place {
    Kind kind;
    std::uint32_t a = 0, b = 0, c = 0;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  static constexpr std::uint32_t kNoName = ~std::uint32_t{0};

  NodeId NodeOf(const Place& place);
  NodeId ObjectNode(const ObjectState& state);
  NodeId ArrayNode(const ArrayState& state);
  std::uint32_t Intern(const ObjectState& state);
  std::uint32_t Intern(const ArrayState& state);

  Expansion Make(const Place& place);
  Expansion MakeValue(GoalId goal);
  Expansion MakeObject(std::uint32_t state_id);
  Expansion MakeMember(std::uint32_t state_id, std::uint32_t key);
  Expansion MakeOther(std::uint32_t state_id, std::uint32_t name_class, NameId name);
  Expansion MakeArray(std::uint32_t state_id);
  Expansion MakeElement(std::uint32_t state_id);
  void AddKeyEdges(const ObjectState& state, std::uint32_t state_id, Expansion& out);
  void AddOtherEdges(const ObjectState& state, std::uint32_t state_id, Expansion& out);
  void AddMemberCalls(const std::vector<ObjectWalk::Step>& steps, NameId name, Expansion& out);

  NodeId CapturedOther(std::uint32_t state_id, std::uint32_t name_class, std::string_view text);
  NodeId CapturedMember(std::uint32_t state_id, NameId name, std::string_view text);
  NodeId CapturedElement(std::uint32_t state_id, std::uint32_t at, std::string_view text);
  RegexId KeyText(RegexId names, const ObjectState& state);
  RegexId NameText(NameId name, const ObjectState& state);
  std::uint64_t MinOfExpansion(const Expansion& expansion);
  std::uint64_t MinOfAnyOther(const Place& place);

  const SchemaDocument document_;
  RegexSet& set_;
  Fuel& fuel_;
  TextRegex text_;
  ShapeBook book_;
  std::deque<Place> places_;
  std::deque<std::unique_ptr<const Expansion>> expansions_;
  std::map<Place, NodeId> nodes_;
  std::deque<ObjectState> object_states_;
  std::deque<ArrayState> array_states_;
  std::unordered_map<NameId, RegexId> first_names_, names_;  // texts of keys: the first, others
  std::map<std::vector<std::uint64_t>, std::uint32_t> object_ids_, array_ids_;
};

}  // namespace espalier
