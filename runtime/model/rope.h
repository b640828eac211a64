// RopeAngles: the rotation of every (position, pair), with the scaling variants.
//
//   plain   angle = position * base^(-2i / rotary_dim)
//   linear  the frequency divided by a factor
//   yarn    between plain (fast pairs) and linear (slow pairs), and longer vectors
//   llama3  the frequency of pair i divided by the file's own factor i
//
// Sources: Su et al., "RoFormer" (2021), section 3.4.2; Peng et al., "YaRN" (2023),
// sections 3.2 and 3.3.
//
// Thread safety: immutable.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/model/config.h"

namespace espalier {

class RopeAngles {
 public:
  // `factors`: [rotary_dim / 2], or empty.
  RopeAngles(const RopeConfig& config, std::span<const float> factors);

  // Row i of cos and sin [positions.size(), num_pairs()] is of positions[i]. Angles
  // are doubles, rounded once. REQUIRES: positions in [0, 2^22].
  void Fill(std::span<const std::int32_t> positions, float* cos, float* sin) const;

  std::size_t num_pairs() const { return frequencies_.size(); }

 private:
  std::vector<double> frequencies_;  // radians a position
  double magnitude_ = 1.0;           // of cos and sin: YaRN's temperature
};

}  // namespace espalier
