// Mixing of integers into hashes.
//
// Thread safety: a pure function.
#pragma once

#include <cstdint>

namespace espalier {

// The finalizer of MurmurHash3 over the sum of both: every bit of the result depends on
// every bit of either.
constexpr std::uint64_t Mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9e3779b97f4a7c15u + b;
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdu;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53u;
  x ^= x >> 33;
  return x;
}

}  // namespace espalier
