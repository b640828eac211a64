// The emulator finds what it is there to find: each kernel here has one fault of a kind that
// people write, beside one that is right.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

#include "kernels/cuda/device.h"
#include "tests/kernels/random_tensor.h"

namespace espalier::emulated {
namespace {

using ::testing::HasSubstr;

constexpr int kThreads = 64;

// y[i] = x[63 - i] by way of shared memory.
template <bool has_barrier>
__global__ void Reverse(Global<const float> x, Global<float> y) {
  ESP_SHARED(float, tile, kThreads);
  const auto i = static_cast<int>(threadIdx.x);
  tile[i] = x[i];
  if (has_barrier) __syncthreads();
  y[i] = tile[kThreads - 1 - i];
}

struct Arrays {
  Arrays() : x(kThreads), y(kThreads) { std::iota(x.begin(), x.end(), 1.0f); }
  Global<const float> in() const { return {x.data(), std::ssize(x)}; }
  Global<float> out() { return {y.data(), std::ssize(y)}; }
  std::vector<float> x;
  std::vector<float> y;
};

TEST(EmulateTest, BarrierOrdersSharedMemory) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Arrays a;
    Stream stream(seed);
    Launch(stream, {}, kThreads, Reverse<true>, a.in(), a.out());
    EXPECT_EQ(stream.Wait(), "");
    EXPECT_EQ(a.y, std::vector<float>(a.x.rbegin(), a.x.rend()));
  }
}

TEST(EmulateTest, ForgottenBarrierGivesNan) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Arrays a;
    Stream stream(seed);
    Launch(stream, {}, kThreads, Reverse<false>, a.in(), a.out());
    EXPECT_EQ(stream.Wait(), "");
    bool any_nan = false;
    for (const float y : a.y) any_nan = any_nan || std::isnan(y);
    EXPECT_TRUE(any_nan) << seed;
  }
}

__global__ void HalfOfThemSync() {
  if (threadIdx.x < 40) __syncthreads();
}

TEST(EmulateTest, DeadlockTellsWhoWaitsWhere) {
  Stream stream(1);
  Launch(stream, {}, kThreads, HalfOfThemSync);
  EXPECT_THAT(stream.Wait(), HasSubstr("deadlock: threads 0-39 wait at __syncthreads ("));
  EXPECT_THAT(stream.Wait(), HasSubstr("threads 40-63 returned"));
}

__global__ void TwoBarriers() {
  if (threadIdx.x < 32) {
    __syncthreads();
  } else {
    __syncthreads();
  }
}

TEST(EmulateTest, DivergentBarrierTellsBothPlaces) {
  Stream stream(1);
  Launch(stream, {}, kThreads, TwoBarriers);
  EXPECT_THAT(stream.Wait(), HasSubstr("divergent barrier: threads 0-31 wait at __syncthreads ("));
  EXPECT_THAT(stream.Wait(), HasSubstr("; threads 32-63 wait at __syncthreads ("));
}

__global__ void PastTheEnd(Global<const float> x, Global<float> y) {
  const auto i = static_cast<int>(threadIdx.x);
  y[i] = x[i + 1];
}

TEST(EmulateTest, OutOfBoundsTellsTheElementAndStopsAllThatFollows) {
  Arrays a;
  Stream stream(1);
  Launch(stream, {}, kThreads, PastTheEnd, a.in(), a.out());
  EXPECT_EQ(stream.Wait(), "element 64 of 64 in global memory, in thread 63 of block (0, 0, 0)");
  const std::vector<float> before = a.y;
  Launch(stream, {}, kThreads, Reverse<true>, a.in(), a.out());
  EXPECT_EQ(a.y, before);
}

__global__ void PastTheTile() {
  ESP_SHARED(int, tile, 4);
  tile[static_cast<int>(threadIdx.x)] = 1;
}

TEST(EmulateTest, SharedMemoryIsCheckedToo) {
  Stream stream(1);
  Launch(stream, {}, 32, PastTheTile);
  EXPECT_THAT(stream.Wait(), HasSubstr("of 4 in shared memory"));
}

__global__ void TooMuchShared() {
  ESP_SHARED(float, tile, 12 * 1024 + 1);
  tile[0] = 1;
}

TEST(EmulateTest, SharedMemoryHasALimit) {
  Stream stream(1);
  Launch(stream, {}, 32, TooMuchShared);
  EXPECT_THAT(stream.Wait(), HasSubstr("more shared memory"));
}

__global__ void ShuffleOfSome(Global<int> out) {
  const auto lane = static_cast<int>(threadIdx.x);
  if (lane != 7) out[lane] = __shfl_xor_sync(kFullMask, lane, 1);
}

__global__ void ShuffleOfHalfMask(Global<int> out) {
  const auto lane = static_cast<int>(threadIdx.x);
  out[lane] = __shfl_xor_sync(0xffffu, lane, 1);
}

TEST(EmulateTest, ShuffleWithAMissingLane) {
  std::vector<int> out(32);
  Stream stream(1);
  Launch(stream, {}, 32, ShuffleOfSome, Global<int>(out.data(), 32));
  EXPECT_THAT(stream.Wait(), HasSubstr("threads 0-6, 8-31 wait at __shfl_sync ("));
  EXPECT_THAT(stream.Wait(), HasSubstr("threads 7 returned"));
  Stream other(1);
  Launch(other, {}, 32, ShuffleOfHalfMask, Global<int>(out.data(), 32));
  EXPECT_THAT(other.Wait(), HasSubstr("mask that is not full"));
}

__global__ void WarpWordsOf(Global<int> out) {
  const auto i = static_cast<int>(threadIdx.x);
  int sum = i;
  for (int width = 16; width > 0; width /= 2) sum += __shfl_xor_sync(kFullMask, sum, width);
  const int below = __shfl_down_sync(kFullMask, i, 1);
  const unsigned odd = __ballot_sync(kFullMask, i % 2 == 1);
  const bool any = __any_sync(kFullMask, i == 40);
  const bool all = __all_sync(kFullMask, i < 32);
  out[i] = sum + 1000 * below + (odd == 0xaaaaaaaau ? 100000 : 0) + (any ? 200000 : 0) +
           (all ? 400000 : 0);
}

TEST(EmulateTest, WarpFunctionsStayInTheirWarp) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    std::vector<int> out(kThreads);
    Stream stream(seed);
    Launch(stream, {}, kThreads, WarpWordsOf, Global<int>(out.data(), kThreads));
    ASSERT_EQ(stream.Wait(), "");
    for (int i = 0; i < kThreads; ++i) {
      const int below = i % 32 == 31 ? i : i + 1;
      const int sum = i < 32 ? 496 : 496 + 32 * 32;
      EXPECT_EQ(out[static_cast<std::size_t>(i)],
                sum + 1000 * below + 100000 + (i < 32 ? 400000 : 200000));
    }
  }
}

__global__ void BlockIndices(Global<int> out) {
  const std::int64_t block =
      blockIdx.x + std::int64_t{gridDim.x} * (blockIdx.y + std::int64_t{gridDim.y} * blockIdx.z);
  out[block * blockDim.x + threadIdx.x] += 1;
}

TEST(EmulateTest, EachThreadOfTheGridRunsOnce) {
  std::vector<int> out(2 * 3 * 4 * 32);
  Stream stream(5);
  Launch(stream, {2, 3, 4}, 32, BlockIndices, Global<int>(out.data(), std::ssize(out)));
  EXPECT_EQ(stream.Wait(), "");
  EXPECT_EQ(out, std::vector<int>(out.size(), 1));
}

TEST(EmulateTest, BlockOfNoWholeWarpsIsRefused) {
  Stream stream(1);
  Launch(stream, {}, 48, TwoBarriers);
  EXPECT_EQ(stream.Wait(), "a block of 48 threads");
}

// c [16, 8] = a [16, 16] b [16, 8], with elements where PTX's layout has them.
__global__ void OneTile(Global<const float> a, Global<const float> b, Global<float> c) {
  const auto lane = static_cast<int>(threadIdx.x);
  const int row = lane / 4;
  const int k = lane % 4 * 2;
  const auto pair = [](float low, float high) {
    return ToHalf(low) | static_cast<std::uint32_t>(ToHalf(high)) << 16;
  };
  std::uint32_t words_a[4];
  for (int i = 0; i < 4; ++i) {
    const int at = (row + 8 * (i % 2)) * 16 + k + 8 * (i / 2);
    words_a[i] = pair(a[at], a[at + 1]);
  }
  std::uint32_t words_b[2];
  for (int i = 0; i < 2; ++i) {
    const int at = (k + 8 * i) * 8 + row;
    words_b[i] = pair(b[at], b[at + 8]);
  }
  float sums[4] = {};
  Mma16x8x16(words_a, words_b, sums);
  for (int i = 0; i < 4; ++i) c[(row + 8 * (i / 2)) * 8 + k + i % 2] = sums[i];
}

TEST(EmulateTest, TensorCoreTileIsTheProduct) {
  std::vector<float> a = test::RandomFloats(256, 1);
  std::vector<float> b = test::RandomFloats(128, 2);
  for (float& x : a) x = HalfToFloat(FloatToHalf(x));
  for (float& x : b) x = HalfToFloat(FloatToHalf(x));
  std::vector<float> c(128);
  Stream stream(3);
  Launch(stream, {}, 32, OneTile, Global<const float>(a.data(), 256),
         Global<const float>(b.data(), 128), Global<float>(c.data(), 128));
  ASSERT_EQ(stream.Wait(), "");
  for (std::size_t i = 0; i < 128; ++i) {
    float sum = 0;
    for (std::size_t k = 0; k < 16; ++k) sum = std::fma(a[i / 8 * 16 + k], b[k * 8 + i % 8], sum);
    EXPECT_EQ(std::memcmp(&c[i], &sum, sizeof sum), 0) << i;
  }
}

}  // namespace
}  // namespace espalier::emulated
