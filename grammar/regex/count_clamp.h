// CountClamp: forgets counts that a few bytes cannot tell from larger ones.
//
// Only counts at the head of a term are clamped: those that a byte can reach through a few
// steps (a code point that has begun, an escape), parts that may be empty, or alternatives.
// In And a count may decide what is alive: large bounds are forgotten where that is proven
// to change nothing (clamp_proof.h). In Not all counts stay.
//
// Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "grammar/regex/clamp_proof.h"
#include "grammar/regex/term_builder.h"

namespace espalier {

class CountClamp {
 public:
  // Both must outlive this object.
  CountClamp(TermBuilder& builder, ClampProof& proof)
      : builder_(builder), store_(builder.store()), proof_(proof) {}

  RegexId Apply(RegexId id, std::uint32_t num_bytes) { return Apply(id, {num_bytes, Where::kTop}); }
  std::size_t size_bytes() const;

 private:
  enum class Where : std::uint8_t { kTop, kInAnd };
  struct Reach {
    std::uint32_t num_bytes;
    Where where;
  };

  RegexId Apply(RegexId id, Reach reach);
  RegexId Compute(RegexId id, Reach reach);
  RegexId ApplyToChain(RegexId whole, Reach reach);
  RegexId ApplyToRepeat(RegexId id, Reach reach);
  RegexId ForgetBound(RegexId id, std::uint32_t num_bytes);
  RegexId ApplyToAnd(RegexId id, Reach reach);
  std::vector<RegexId> ApplyToChildren(RegexId id, Reach reach);

  TermBuilder& builder_;
  TermStore& store_;
  ClampProof& proof_;
  std::unordered_map<std::uint64_t, RegexId> known_;  // num_bytes << 33 | where << 32 | term
};

}  // namespace espalier
