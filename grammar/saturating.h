// Sums and products of counts that stop at the largest one, which stands for "no bound" or
// "none".
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <limits>

namespace espalier {

constexpr std::uint64_t SaturatingAdd(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  return a > kMost - b ? kMost : a + b;
}

constexpr std::uint64_t SaturatingMultiply(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  return b != 0 && a > kMost / b ? kMost : a * b;
}

}  // namespace espalier
