// ClampProof: whether the operands of an And may forget that their repeats end.
//
// Without its bounds an And has at least the beginnings that it had. It has no more of up to
// num_bytes bytes if each of them can be completed within few repeats: a large bound leaves
// room for these behind any num_bytes bytes. So its automaton is walked that far, once.
//
// Thread safety: none.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "grammar/regex/emptiness.h"

namespace espalier {

class ClampProof {
 public:
  // Repeats that may still follow wherever a bound has been forgotten.
  static constexpr std::uint32_t kRoom = 16;

  // All must outlive this object.
  ClampProof(TermBuilder& builder, Derivatives& derivatives, Emptiness& emptiness)
      : builder_(builder),
        store_(builder.store()),
        derivatives_(derivatives),
        emptiness_(emptiness) {}

  // True if what follows each beginning of `clamped` of up to num_bytes bytes has a string
  // with no more than kRoom times of any repeat. false may also mean "not known".
  bool Holds(RegexId clamped, std::uint32_t num_bytes);
  std::size_t size_bytes() const;

 private:
  RegexId Bounded(RegexId id);
  RegexId BoundedChain(RegexId id);
  RegexId BoundedChildren(RegexId id);
  bool Explore(RegexId root, std::uint32_t num_bytes);

  TermBuilder& builder_;
  TermStore& store_;
  Derivatives& derivatives_;
  Emptiness& emptiness_;
  std::unordered_map<RegexId, RegexId> bounded_;
  std::unordered_map<std::uint64_t, bool> holds_;  // num_bytes << 32 | term
};

}  // namespace espalier
