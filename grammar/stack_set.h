// StackSet: the stacks of return addresses that a nondeterministic walk of a network may
// have, all of them in one acyclic graph (a graph-structured stack: Tomita, "An efficient
// augmented-context-free parsing algorithm", 1987, section 3).
//
// A stack here stands for a set of plain stacks: it is a set of frames, each with what is
// below it, at most one frame a return address. Equal stacks have equal ids, so two walks
// that came to the same place are seen to be one.
//
// Thread safety: none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "grammar/captured_texts.h"
#include "grammar/integer_map.h"
#include "grammar/interner.h"
#include "grammar/mix.h"
#include "grammar/network.h"

namespace espalier {

using StackId = std::uint32_t;

class StackSet {
 public:
  struct Frame {
    NodeId node;                // where to go on; kNoNode: the output is complete
    CapturedTexts::Id capture;  // kNone, or the text at the call, to be captured at return
    StackId below;
    friend bool operator==(const Frame&, const Frame&) = default;
    friend std::uint64_t HashOf(const Frame& frame) {
      return Mix(std::uint64_t{frame.node} << 32 | frame.below, frame.capture);
    }
  };

  static constexpr StackId kEmpty = 0;   // no stack at all
  static constexpr StackId kBottom = 1;  // returning completes the output

  StackSet();

  // Valid until the next Push() or Union().
  std::span<const Frame> frames(StackId stack) const { return stacks_[stack]; }
  bool captures(StackId stack) const { return notes_[stack].captures; }
  std::uint32_t depth(StackId stack) const { return notes_[stack].depth; }

  StackId Push(const Frame& frame) { return Intern(std::span(&frame, 1)); }
  // The stacks of both. Recursive, as deep as the stacks are where they differ.
  StackId Union(StackId a, StackId b);

  std::size_t size_bytes() const;

 private:
  struct Note {
    bool captures;        // some frame of it or below it captures
    std::uint32_t depth;  // frames, in the longest of its stacks
  };

  StackId Intern(std::span<const Frame> frames);

  Interner<Frame> stacks_;
  std::vector<Note> notes_;  // by stack
  IntegerMap unions_;        // a << 32 | b, a < b
};

}  // namespace espalier
