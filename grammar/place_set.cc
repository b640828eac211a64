#include "grammar/place_set.h"

#include <algorithm>
#include <limits>
#include <tuple>

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

std::uint64_t SaturatingSum(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t sum = a + b;
  return sum < a ? std::numeric_limits<std::uint64_t>::max() : sum;
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
  if (capture == Texts::kUnknown || (capture != Texts::kNone && element.text == Texts::kUnknown)) {
    element.tentative = 1;
  } else if (capture != Texts::kNone) {
    next = network_.Captured(next, texts_.Between(capture, element.text));
    if (next == kNoNode) return;
  }
  if (!stacks_.captures(element.stack)) element.text = Texts::kNone;
  element.node = next;
  Reach(element);
}

void PlaceSet::Reach(const Element& element) {
  for (std::uint32_t i = 0; i < elements_.size(); ++i) {
    Element& known = elements_[i];
    if (known.node != element.node || known.text != element.text ||
        known.tentative != element.tentative) {
      continue;
    }
    const StackId both = stacks_.Union(known.stack, element.stack);
    if (both == known.stack) return;
    known.stack = both;
    to_do_.push_back(i);
    return;
  }
  elements_.push_back(element);
  to_do_.push_back(static_cast<std::uint32_t>(elements_.size() - 1));
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
        SaturatingSum(regexes_.MinBytes(item.regex), network_.MinBytes(item.next));
    least = std::min(least, SaturatingSum(inside, StackMinBytes(item.stack)));
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
          std::min(least, SaturatingSum(network_.MinBytes(frame.node), StackMinBytes(frame.below)));
    }
  }
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
