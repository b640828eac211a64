// How many tokens two token strings have in common at their start.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

#include "kernels/base/types.h"

namespace espalier {

// Compares memory in blocks and looks at single tokens only inside the block that
// differs: a long edge is matched at the speed of memcmp.
inline int CommonPrefix(std::span<const TokenId> a, std::span<const TokenId> b) {
  constexpr std::size_t kBlock = 256;
  const std::size_t size = std::min(a.size(), b.size());
  std::size_t at = 0;
  while (at + kBlock <= size &&
         std::memcmp(a.data() + at, b.data() + at, kBlock * sizeof(TokenId)) == 0) {
    at += kBlock;
  }
  while (at < size && a[at] == b[at]) ++at;
  return static_cast<int>(at);
}

}  // namespace espalier
