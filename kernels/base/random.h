// Counter-based random numbers: a draw is a pure function of its coordinates,
// so it depends on no order of calls, no batch and no thread.
//
// Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as
// 1, 2, 3" (SC 2011), Philox4x32-10.
//
// Thread safety: pure functions.
#pragma once

#include <array>
#include <cstdint>

namespace espalier {

std::array<std::uint32_t, 4> Philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key);

// The draw in [0, 1), a multiple of 2^-53, for the token at `position` of choice
// `choice` of a request with `seed`.
double UniformDraw(std::uint64_t seed, std::uint32_t choice, std::uint64_t position);

// The seed of child number `index` of something that has `seed`: a row of a
// batch, a fork, a gen. Different paths from one root give unrelated seeds.
std::uint64_t ChildSeed(std::uint64_t seed, std::uint64_t index);

}  // namespace espalier
