// PlaceSet: where outputs stand in a network, as the states of one automaton over bytes
// that is built as far as it is walked.
//
// A place is a set of items. An item is the rest of the edge that the output is inside of,
// and where the walk goes on behind it: a node, and the stack to return to. A byte moves
// every item; where the rest of an edge may be empty, the walk also goes on behind it. So
// all ways to read an output are followed at once, none is cut off greedily, and two
// outputs with the same future have the same place: what is known of one (its moves, its
// mask) is known of the other.
//
// Captured edges and calls keep what they spell since their beginning. In a place made by
// Behind() what an item spelled may be unknown; then the walk goes on as if any text had
// been spelled, and the items are marked tentative where that may matter (Network::Supposes).
//
// Thread safety: none.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "grammar/captured_texts.h"
#include "grammar/fuel.h"
#include "grammar/integer_map.h"
#include "grammar/interner.h"
#include "grammar/mix.h"
#include "grammar/network.h"
#include "grammar/regex/regex_set.h"
#include "grammar/stack_set.h"

namespace espalier {

using PlaceId = std::uint32_t;

class PlaceSet {
 public:
  struct Item {
    RegexId regex;
    NodeId next;
    StackId stack;
    CapturedTexts::Id text;     // spelled so far, if a frame of the stack or the edge captures
    CapturedTexts::Id capture;  // kNone, or the text where the edge began
    std::uint32_t tentative;    // 1: reached by supposing an unknown text
    friend bool operator==(const Item&, const Item&) = default;
    friend std::uint64_t HashOf(const Item& item) {
      return Mix(Mix(std::uint64_t{item.regex} << 32 | item.next,
                     std::uint64_t{item.stack} << 32 | item.text),
                 std::uint64_t{item.capture} << 1 | item.tentative);
    }
  };

  static constexpr PlaceId kDead = 0;
  // Calls nest no deeper than this; a walk that would is out of fuel.
  static constexpr std::uint32_t kMaxDepth = 2'000;

  // All must outlive this object.
  PlaceSet(Network& network, RegexSet& regexes, Fuel& fuel);

  PlaceId start() const { return start_; }
  // Where `byte` leads; kDead if it may not follow, or fuel has run out.
  PlaceId Step(PlaceId place, std::uint8_t byte);
  // Where the walk goes on behind the edge of `item` once that is complete, from whatever
  // text it spelled.
  PlaceId Behind(const Item& item);

  // Valid until the next place is made.
  std::span<const Item> items(PlaceId place) const;
  bool can_end(PlaceId place) const { return notes_[place].can_end; }
  ByteSet FirstBytes(PlaceId place);
  // True if each way to read what led here supposed an unknown text.
  bool tentative(PlaceId place) const { return notes_[place].tentative; }
  std::uint64_t MinBytesToEnd(PlaceId place);

  std::size_t size() const { return places_.size(); }
  std::size_t size_bytes() const;

 private:
  struct Note {
    bool can_end;
    bool tentative;
    std::uint32_t first_bytes;  // in first_bytes_, or kNoFirstBytes
  };
  // A node that has been reached and not gone through yet.
  struct Element {
    NodeId node;
    StackId stack;
    CapturedTexts::Id text;
    std::uint32_t tentative;
  };
  static constexpr std::uint32_t kNoFirstBytes = ~std::uint32_t{0};
  static constexpr std::uint32_t kNoEnd = 2;

  void Complete(const Item& item);
  std::size_t IndexOf(const Element& element);
  void Reach(const Element& element);
  void Close();
  void GoThrough(const Element& element);
  void Return(const Element& element);
  void Enter(const Element& element, const Call& call);
  void GoOn(NodeId next, CapturedTexts::Id capture, Element element);
  static Item ItemOf(const Element& element, const Edge& edge);
  PlaceId Finish();
  std::uint64_t StackMinBytes(StackId stack);

  Network& network_;
  RegexSet& regexes_;
  Fuel& fuel_;
  CapturedTexts texts_;
  StackSet stacks_;
  Interner<Item> places_;  // a first item without a regex marks a place that may end
  std::vector<Note> notes_;
  std::vector<ByteSet> first_bytes_;
  IntegerMap moves_;                            // place << 8 | byte
  std::array<IntegerMap, 3> behind_;            // next << 32 | stack, by what is captured
  std::vector<std::uint64_t> stack_min_bytes_;  // by stack; 0: not known
  PlaceId start_ = kDead;

  // Scratch of the place being made.
  std::vector<Element> elements_;  // reached, at most one by (node, text, tentative)
  std::unordered_multimap<std::uint64_t, std::size_t> by_key_;  // elements_, where they are many
  std::vector<std::uint32_t> to_do_;                            // indices into elements_
  std::vector<Item> items_;
  std::uint32_t end_ = kNoEnd;  // tentative or not, if the output may end
};

}  // namespace espalier
