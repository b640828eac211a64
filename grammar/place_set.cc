#include "grammar/place_set.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "grammar/saturating.h"

namespace espalier {
namespace {

using Texts = CapturedTexts;

// Stands before a place's items where the output may end. No item has this regex.
PlaceSet::Item EndMark(std::uint32_t tentative) {
  return {.regex = RegexSet::kNothing,
          .next = kNoNode,
          .stack = StackSet::kEmpty,
          .text = Texts::kNone,
          .capture = Texts::kNone,
          .tentative = tentative};
}

auto KeyOf(const PlaceSet::Item& item) {
  return std::tie(item.regex, item.next, item.text, item.capture, item.tentative);
}

// Where a capture begins that opens inside a text that is being captured already, or not.
Texts::Id CaptureFrom(Texts::Id text) { return text == Texts::kNone ? Texts::kStart : text; }

bool IsReturnOnly(const Expansion& expansion) {
  return expansion.can_return && expansion.edges.empty() && expansion.calls.empty();
}

}  // namespace

PlaceSet::PlaceSet(Network& network, RegexSet& regexes, Fuel& fuel)
    : network_(network), regexes_(regexes), fuel_(fuel) {
  Finish();  // the place without items is kDead
  const NodeId first = network_.start();
  Reach({.node = first, .stack = StackSet::kBottom, .text = Texts::kNone, .tentative = 0});
  Close();
  start_ = Finish();
}

std::span<const PlaceSet::Item> PlaceSet::items(PlaceId place) const {
  return places_[place].subspan(notes_[place].can_end ? 1 : 0);
}

PlaceId PlaceSet::Step(PlaceId place, std::uint8_t byte) {
  const std::uint64_t key = std::uint64_t{place} << 8 | byte;
  if (const PlaceId* known = moves_.Find(key)) return *known;
  if (!fuel_.Spend(1 + items(place).size())) return kDead;
  const std::size_t num_items = items(place).size();
  for (std::size_t i = 0; i < num_items; ++i) {
    Item item = items(place)[i];
    item.regex = regexes_.Derive(item.regex, byte);
    if (item.regex == RegexSet::kNothing) continue;
    item.text = texts_.Append(item.text, byte);
    if (item.regex != RegexSet::kEmpty) items_.push_back(item);
    if (regexes_.nullable(item.regex)) Complete(item);
  }
  Close();
  const PlaceId next = Finish();
  if (fuel_.exhausted()) return kDead;
  moves_.Set(key, next);
  return next;
}

PlaceId PlaceSet::Behind(const Item& item) {
  Item unknown = item;
  if (unknown.text != Texts::kNone) unknown.text = Texts::kUnknown;
  if (unknown.capture != Texts::kNone) unknown.capture = Texts::kUnknown;
  const std::size_t kind = std::size_t{unknown.text} + unknown.capture;
  const std::uint64_t key = std::uint64_t{item.next} << 32 | item.stack;
  if (const PlaceId* known = behind_[kind].Find(key)) return *known;
  Complete(unknown);
  Close();
  const PlaceId place = Finish();
  if (fuel_.exhausted()) return kDead;
  behind_[kind].Set(key, place);
  return place;
}

void PlaceSet::Complete(const Item& item) {
  GoOn(item.next, item.capture,
       {.node = kNoNode, .stack = item.stack, .text = item.text, .tentative = item.tentative});
}

// Reaches `next`, with the stack and text of `element`; a capture that began at the text
// `capture` ends here.
void PlaceSet::GoOn(NodeId next, Texts::Id capture, Element element) {
  const bool is_known = capture != Texts::kUnknown && element.text != Texts::kUnknown;
  if (capture != Texts::kNone && is_known) {
    next = network_.Captured(next, texts_.Between(capture, element.text));
    if (next == kNoNode) return;
  }
  if (network_.Supposes(next)) element.tentative = 1;
  if (!stacks_.captures(element.stack)) element.text = Texts::kNone;
  element.node = next;
  Reach(element);
}

// The index of the element with this node and text; that of a new one if there is none.
std::size_t PlaceSet::IndexOf(const Element& element) {
  constexpr std::size_t kFew = 16;
  const auto key = [](const Element& of) {
    return Mix(std::uint64_t{of.node} << 32 | of.text, of.tentative);
  };
  const auto is_same = [&element](const Element& known) {
    return known.node == element.node && known.text == element.text &&
           known.tentative == element.tentative;
  };
  if (elements_.size() < kFew) {
    return static_cast<std::size_t>(std::ranges::find_if(elements_, is_same) - elements_.begin());
  }
  for (std::size_t i = by_key_.size(); i < elements_.size(); ++i) {
    by_key_.emplace(key(elements_[i]), i);
  }
  const auto [first, last] = by_key_.equal_range(key(element));
  const auto found = std::find_if(
      first, last, [&](const auto& entry) { return is_same(elements_[entry.second]); });
  return found == last ? elements_.size() : found->second;
}

void PlaceSet::Reach(const Element& element) {
  const std::size_t index = IndexOf(element);
  if (index == elements_.size()) {
    elements_.push_back(element);
  } else {
    StackId& known = elements_[index].stack;
    const StackId both = stacks_.Union(known, element.stack);
    if (both == known) return;
    known = both;
  }
  to_do_.push_back(static_cast<std::uint32_t>(index));
}

// Follows whatever needs no byte: calls, returns, and edges that may be empty.
void PlaceSet::Close() {
  while (!to_do_.empty()) {
    const Element element = elements_[to_do_.back()];
    to_do_.pop_back();
    if (!fuel_.Spend(1)) break;
    GoThrough(element);
  }
  to_do_.clear();
  for (const Element& element : elements_) {
    for (const Edge& edge : network_.Expand(element.node).edges) {
      if (edge.regex != RegexSet::kEmpty) items_.push_back(ItemOf(element, edge));
    }
  }
  elements_.clear();
  if (!by_key_.empty()) by_key_.clear();
}

PlaceSet::Item PlaceSet::ItemOf(const Element& element, const Edge& edge) {
  const bool captures = edge.capture == Capture::kYes;
  const Texts::Id from = captures ? CaptureFrom(element.text) : element.text;
  return {.regex = edge.regex,
          .next = edge.next,
          .stack = element.stack,
          .text = from,
          .capture = captures ? from : Texts::kNone,
          .tentative = element.tentative};
}

void PlaceSet::GoThrough(const Element& element) {
  const Expansion& expansion = network_.Expand(element.node);
  if (expansion.can_return) Return(element);
  for (const Call& call : expansion.calls) Enter(element, call);
  for (const Edge& edge : expansion.edges) {
    if (regexes_.nullable(edge.regex)) Complete(ItemOf(element, edge));
  }
}

void PlaceSet::Return(const Element& element) {
  const std::size_t num_frames = stacks_.frames(element.stack).size();
  for (std::size_t i = 0; i < num_frames; ++i) {
    const StackSet::Frame frame = stacks_.frames(element.stack)[i];
    if (frame.node == kNoNode) {
      end_ = std::min(end_, element.tentative);
      continue;
    }
    Element outer = element;
    outer.stack = frame.below;
    GoOn(frame.node, frame.capture, outer);
  }
}

void PlaceSet::Enter(const Element& element, const Call& call) {
  Element inner = element;
  inner.node = call.callee;
  const bool captures = call.capture == Capture::kYes;
  // A call in the last place returns to where its caller returns, so right recursion
  // needs no stack.
  if (captures || !IsReturnOnly(network_.Expand(call.next))) {
    if (captures) inner.text = CaptureFrom(element.text);
    if (stacks_.depth(element.stack) >= kMaxDepth) {
      fuel_.Exhaust();
      return;
    }
    inner.stack = stacks_.Push({.node = call.next,
                                .capture = captures ? inner.text : Texts::kNone,
                                .below = element.stack});
  }
  Reach(inner);
}

PlaceId PlaceSet::Finish() {
  std::ranges::sort(items_, [](const Item& a, const Item& b) { return KeyOf(a) < KeyOf(b); });
  std::size_t kept = 0;
  for (const Item& item : items_) {
    if (kept > 0 && KeyOf(items_[kept - 1]) == KeyOf(item)) {
      items_[kept - 1].stack = stacks_.Union(items_[kept - 1].stack, item.stack);
    } else {
      items_[kept++] = item;
    }
  }
  items_.resize(kept);
  const bool can_end = end_ != kNoEnd;
  if (can_end) items_.insert(items_.begin(), EndMark(end_));
  const PlaceId place = places_.Intern(items_);
  if (place == notes_.size()) {
    const bool tentative = std::ranges::all_of(items_, [](const Item& i) { return i.tentative; });
    notes_.push_back({.can_end = can_end, .tentative = tentative, .first_bytes = kNoFirstBytes});
  }
  items_.clear();
  end_ = kNoEnd;
  return place;
}

ByteSet PlaceSet::FirstBytes(PlaceId place) {
  if (notes_[place].first_bytes == kNoFirstBytes) {
    ByteSet bytes;
    for (const Item& item : items(place)) bytes |= regexes_.FirstBytes(item.regex);
    notes_[place].first_bytes = static_cast<std::uint32_t>(first_bytes_.size());
    first_bytes_.push_back(bytes);
  }
  return first_bytes_[notes_[place].first_bytes];
}

std::uint64_t PlaceSet::MinBytesToEnd(PlaceId place) {
  if (can_end(place)) return 0;
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (const Item& item : items(place)) {
    const std::uint64_t inside =
        SaturatingAdd(regexes_.MinBytes(item.regex), network_.MinBytes(item.next));
    least = std::min(least, SaturatingAdd(inside, StackMinBytes(item.stack)));
  }
  return least;
}

std::uint64_t PlaceSet::StackMinBytes(StackId stack) {
  if (stack < stack_min_bytes_.size() && stack_min_bytes_[stack] != 0) {
    return stack_min_bytes_[stack] - 1;
  }
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max() - 1;
  for (const StackSet::Frame& frame : stacks_.frames(stack)) {
    if (frame.node == kNoNode) {
      least = 0;
    } else {
      least =
          std::min(least, SaturatingAdd(network_.MinBytes(frame.node), StackMinBytes(frame.below)));
    }
  }
  if (fuel_.exhausted()) return least;  // not kept: it is too large
  if (stack >= stack_min_bytes_.size()) stack_min_bytes_.resize(stack + 1, 0);
  stack_min_bytes_[stack] = least + 1;
  return least;
}

std::size_t PlaceSet::size_bytes() const {
  std::size_t bytes = texts_.size_bytes() + stacks_.size_bytes() + places_.size_bytes() +
                      notes_.capacity() * sizeof(Note) + moves_.size_bytes() +
                      first_bytes_.capacity() * sizeof(ByteSet) +
                      stack_min_bytes_.capacity() * sizeof(std::uint64_t);
  for (const IntegerMap& map : behind_) bytes += map.size_bytes();
  return bytes;
}

}  // namespace espalier
