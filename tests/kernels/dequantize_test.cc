// Known answers of the `gguf` package (0.17) for fixed bytes; tests/conformance/dequantize.py
// compares with it over many random blocks.
#include "kernels/quant/dequantize.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <string>

#include "kernels/quant/formats.h"
#include "tests/kernels/random_tensor.h"

namespace espalier {
namespace {

constexpr int kNumBlocks = 4;

// The bytes that the answers were made from: a linear congruential stream, then halves
// 0.0123 * (block + 1), negative where block + index of the half is odd.
std::vector<std::uint8_t> FixedBlocks(DType dtype) {
  const auto block_bytes = static_cast<std::size_t>(Traits(dtype).block_bytes);
  std::vector<std::uint8_t> bytes(block_bytes * kNumBlocks);
  std::uint32_t state = 1;
  for (std::uint8_t& b : bytes) {
    state = state * 1664525u + 1013904223u;
    b = static_cast<std::uint8_t>(state >> 24);
  }
  const test::HalvesOfBlock halves = test::HalvesOf(dtype);
  for (int block = 0; block < kNumBlocks; ++block) {
    int index = 0;
    for (const int at : {halves.first, halves.second}) {
      if (at < 0) continue;
      const double sign = (block + index++) % 2 != 0 ? -1 : 1;
      const std::uint16_t half = FloatToHalf(static_cast<float>((block + 1) * 0.0123 * sign));
      const std::size_t offset = static_cast<std::size_t>(block) * block_bytes;
      std::memcpy(&bytes[offset + static_cast<std::size_t>(at)], &half, 2);
    }
  }
  return bytes;
}

// FNV-1a over the floats' bytes.
std::uint64_t HashOf(const std::vector<float>& values) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const float value : values) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    for (int i = 0; i < 4; ++i) hash = (hash ^ ((bits >> (8 * i)) & 0xff)) * 0x100000001b3u;
  }
  return hash;
}

struct KnownAnswer {
  DType dtype;
  std::uint32_t bits_of_first;
  std::uint32_t bits_of_second;
  std::uint64_t hash;
};

class KnownAnswerTest : public testing::TestWithParam<KnownAnswer> {};

TEST_P(KnownAnswerTest, EqualsTheGgufPackage) {
  const KnownAnswer& known = GetParam();
  const std::vector<std::uint8_t> bytes = FixedBlocks(known.dtype);
  const std::int64_t columns = std::int64_t{Traits(known.dtype).block_size} * kNumBlocks;
  std::vector<float> values(static_cast<std::size_t>(columns));
  DequantizeRow({bytes.data(), known.dtype, 1, columns}, 0, values.data());
  EXPECT_EQ(std::bit_cast<std::uint32_t>(values[0]), known.bits_of_first);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(values[1]), known.bits_of_second);
  EXPECT_EQ(HashOf(values), known.hash);
}

INSTANTIATE_TEST_SUITE_P(
    Formats, KnownAnswerTest,
    testing::Values(KnownAnswer{DType::kQ4_0, 3182448640u, 3175710720u, 0x29e614305d4f8589u},
                    KnownAnswer{DType::kQ4_1, 1040877568u, 1042528256u, 0xdb54760e4d88b2b3u},
                    KnownAnswer{DType::kQ5_0, 1033314304u, 3167322112u, 0x17a9cf565f469811u},
                    KnownAnswer{DType::kQ5_1, 1024925696u, 1019838464u, 0x1e2c8689a83b50ddu},
                    KnownAnswer{DType::kQ8_0, 3217550592u, 3211741184u, 0x93d654f6bdba8873u},
                    KnownAnswer{DType::kQ4_K, 1072233472u, 1056694272u, 0xdfef5bc617a68c30u},
                    KnownAnswer{DType::kQ5_K, 1066043392u, 1083439616u, 0xe5c9f5ef690a955eu},
                    KnownAnswer{DType::kQ6_K, 3244418688u, 1065424384u, 0x32f1df43b717927bu}),
    [](const auto& info) { return std::string(Traits(info.param.dtype).name); });

TEST(DequantizeTest, RowsOfFloatTypes) {
  const std::vector<std::uint16_t> halves = {0x3c00, 0xc000, 0x0001, 0x7bff};
  float out[2];
  DequantizeRow({halves.data(), DType::kF16, 2, 2}, 1, out);
  EXPECT_EQ(out[0], 0x1p-24f);
  EXPECT_EQ(out[1], 65504.0f);
  DequantizeRow({halves.data(), DType::kBF16, 2, 2}, 0, out);
  EXPECT_EQ(out[1], -2.0f);
  const std::vector<float> floats = {1.5f, 2.5f, 3.5f, 4.5f};
  DequantizeRow({floats.data(), DType::kF32, 2, 2}, 1, out);
  EXPECT_EQ(out[0], 3.5f);
}

TEST(DequantizeTest, EveryCodeFitsItsBits) {
  for (const DTypeTraits& type : kDTypeTraits) {
    if (!IsQuantized(type.dtype)) continue;
    const test::RandomTensor tensor(type.dtype, 1, type.block_size * 50, 1);
    WithBlock(type.dtype, [&]<typename Block>() {
      const auto* blocks = reinterpret_cast<const Block*>(tensor.view.data);
      for (int b = 0; b < 50; ++b) {
        std::int8_t weights[Block::kSize];
        blocks[b].Unpack(weights);
        for (const int w : weights) {
          if (Block::kCodeBits == 8) continue;
          ASSERT_GE(w + Block::kZero, 0) << type.name;
          ASSERT_LT(w + Block::kZero, 1 << Block::kCodeBits) << type.name;
        }
      }
    });
  }
}

TEST(DequantizeTest, WeightIsTheElementThatUnpackGives) {
  for (const DTypeTraits& traits : kDTypeTraits) {
    if (!IsQuantized(traits.dtype)) continue;
    const test::RandomTensor tensor(traits.dtype, 1, 512, 17);
    WithBlock(traits.dtype, [&]<typename Block>() {
      const auto* blocks = static_cast<const Block*>(tensor.view.data);
      for (int b = 0; b < 512 / Block::kSize; ++b) {
        std::int8_t weights[Block::kSize];
        blocks[b].Unpack(weights);
        for (int i = 0; i < Block::kSize; ++i) {
          ASSERT_EQ(blocks[b].Weight(i), weights[i]) << traits.name << " " << i;
        }
      }
    });
  }
}

}  // namespace
}  // namespace espalier
