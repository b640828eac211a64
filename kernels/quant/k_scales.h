// The eight 6-bit scales and minima that q4_k and q5_k pack into 12 bytes.
#pragma once

#include <cstdint>

namespace espalier {

// Scales 0..3 and minima 0..3 are the low 6 bits of bytes 0..3 and 4..7. The top 2 bits
// of those bytes are bits 4 and 5 of scales and minima 4..7, whose low 4 bits share
// bytes 8..11.
constexpr int KScale(const std::uint8_t* packed, int sub) {
  if (sub < 4) return packed[sub] & 63;
  return (packed[sub + 4] & 15) | ((packed[sub - 4] >> 6) << 4);
}

constexpr int KMin(const std::uint8_t* packed, int sub) {
  if (sub < 4) return packed[sub + 4] & 63;
  return (packed[sub + 4] >> 4) | ((packed[sub] >> 6) << 4);
}

}  // namespace espalier
