// CountClamp: forgets counts that a few bytes cannot tell from larger ones.
//
// Only counts at the head of a term are clamped: those that a byte can reach through a few
// steps (a code point that has begun, an escape), parts that may be empty, or alternatives.
// In And and Not a count decides what is alive, and stays.
//
// Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "grammar/regex/term_builder.h"

namespace espalier {

class CountClamp {
 public:
  // `builder` must outlive this object.
  explicit CountClamp(TermBuilder& builder) : builder_(builder), store_(builder.store()) {}

  RegexId Apply(RegexId id, std::uint32_t num_bytes);
  std::size_t size_bytes() const;

 private:
  RegexId Compute(RegexId id, std::uint32_t num_bytes);
  RegexId ApplyToChain(RegexId whole, std::uint32_t num_bytes);
  RegexId ApplyToRepeat(RegexId id, std::uint32_t num_bytes);
  RegexId ApplyToOr(RegexId id, std::uint32_t num_bytes);

  TermBuilder& builder_;
  TermStore& store_;
  std::unordered_map<std::uint64_t, RegexId> known_;  // num_bytes << 32 | term
};

}  // namespace espalier
