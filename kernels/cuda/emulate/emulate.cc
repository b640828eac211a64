#include "kernels/cuda/emulate/emulate.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace espalier::emulated {
namespace {

// Element `i` of the halves in `words`.
float HalfOf(const LaneWords& words, int first_word, int i) {
  const std::uint32_t word = words[static_cast<std::size_t>(first_word + i / 2)];
  return HalfToFloat(static_cast<std::uint16_t>(i % 2 == 0 ? word : word >> 16));
}

// Lane 4 * (row % 8) + (k % 8) / 2 holds A's element (row, k): its words are rows 0..7 and
// 8..15 of k 0..7, then the same of k 8..15.
float ElementOfA(const WarpWords& words, int row, int k) {
  const LaneWords& lane = words[static_cast<std::size_t>(4 * (row % 8) + k % 8 / 2)];
  return HalfOf(lane, 0, 4 * (k / 8) + 2 * (row / 8) + k % 2);
}

float ElementOfB(const WarpWords& words, int k, int column) {
  const LaneWords& lane = words[static_cast<std::size_t>(4 * column + k % 8 / 2)];
  return HalfOf(lane, 4, 2 * (k / 8) + k % 2);
}

}  // namespace

void Stream::Run(const Dim3& grid, int num_threads, const std::function<void()>& body) {
  if (num_threads <= 0 || num_threads % kWarpSize != 0 || num_threads > 1024) {
    fault_ = fault_.empty() ? "a block of " + std::to_string(num_threads) + " threads" : fault_;
    return;
  }
  std::vector<unsigned> blocks(std::size_t{grid.x} * grid.y * grid.z);
  std::iota(blocks.begin(), blocks.end(), 0u);
  std::shuffle(blocks.begin(), blocks.end(), order_);
  for (const unsigned i : blocks) {
    if (!fault_.empty()) return;
    const Dim3 block = {i % grid.x, i / grid.x % grid.y, i / grid.x / grid.y};
    fault_ = ThreadBlock({grid, block, num_threads}, body, stacks_).Run(order_);
  }
}

const WarpWords& ExchangeAll(unsigned mask, const LaneWords& words,
                             const ThreadBlock::Place& place) {
  ThreadBlock& block = ThreadBlock::Current();
  if (mask != kFullMask) block.Fail("a warp function with a mask that is not full");
  return block.Exchange(words, place);
}

unsigned __ballot_sync(unsigned mask, bool predicate, std::source_location at) {
  const WarpWords& words = ExchangeAll(mask, {predicate ? 1u : 0u}, {"__ballot_sync", at});
  unsigned ballot = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) ballot |= words[lane][0] << lane;
  return ballot;
}

void Mma16x8x16(const std::uint32_t (&a)[4], const std::uint32_t (&b)[2], float (&c)[4],
                std::source_location at) {
  const WarpWords& words =
      ExchangeAll(kFullMask, {a[0], a[1], a[2], a[3], b[0], b[1]}, {"Mma16x8x16", at});
  const int lane = CurrentLane();
  for (int i = 0; i < 4; ++i) {
    const int row = lane / 4 + 8 * (i / 2);
    const int column = lane % 4 * 2 + i % 2;
    for (int k = 0; k < 16; ++k) {
      c[i] = std::fma(ElementOfA(words, row, k), ElementOfB(words, k, column), c[i]);
    }
  }
}

}  // namespace espalier::emulated
