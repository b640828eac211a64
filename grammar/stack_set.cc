#include "grammar/stack_set.h"

#include <utility>

namespace espalier {
namespace {

bool SameReturn(const StackSet::Frame& a, const StackSet::Frame& b) {
  return a.node == b.node && a.capture == b.capture;
}

bool ReturnsBefore(const StackSet::Frame& a, const StackSet::Frame& b) {
  return a.node != b.node ? a.node < b.node : a.capture < b.capture;
}

}  // namespace

StackSet::StackSet() {
  Intern({});
  const Frame bottom = {.node = kNoNode, .capture = CapturedTexts::kNone, .below = kEmpty};
  Push(bottom);
}

StackId StackSet::Intern(std::span<const Frame> frames) {
  const StackId id = stacks_.Intern(frames);
  if (id < notes_.size()) return id;
  Note note = {.captures = false, .depth = 0};
  for (const Frame& frame : frames) {
    note.captures = note.captures || frame.capture != CapturedTexts::kNone ||
                    (frame.below != kEmpty && captures(frame.below));
    const std::uint32_t below = frame.below == kEmpty ? 0 : depth(frame.below);
    note.depth = std::max(note.depth, below + 1);
  }
  notes_.push_back(note);
  return id;
}

StackId StackSet::Union(StackId a, StackId b) {
  if (a == b || b == kEmpty) return a;
  if (a == kEmpty) return b;
  if (a > b) std::swap(a, b);
  const std::uint64_t key = std::uint64_t{a} << 32 | b;
  if (const StackId* known = unions_.Find(key)) return *known;

  const std::vector<Frame> left(frames(a).begin(), frames(a).end());
  const std::vector<Frame> right(frames(b).begin(), frames(b).end());
  std::vector<Frame> merged;
  merged.reserve(left.size() + right.size());
  std::ranges::merge(left, right, std::back_inserter(merged), ReturnsBefore);
  std::size_t kept = 0;
  for (const Frame& frame : merged) {
    if (kept > 0 && SameReturn(merged[kept - 1], frame)) {
      merged[kept - 1].below = Union(merged[kept - 1].below, frame.below);
    } else {
      merged[kept++] = frame;
    }
  }
  merged.resize(kept);
  const StackId result = Intern(merged);
  unions_.Set(key, result);
  return result;
}

std::size_t StackSet::size_bytes() const {
  return stacks_.size_bytes() + notes_.capacity() * sizeof(Note) + unions_.size_bytes();
}

}  // namespace espalier
