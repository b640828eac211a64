// The source of the AVX-512-VNNI linear layers, with its intrinsics emulated, gives the
// reference's bits: on any machine. tests/kernels/isa_test.cc runs the real ones where they
// are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "kernels/cpu/avx2_ops.h"
#include "kernels/cpu/cpu_kernels.h"
#include "kernels/cpu/packed.h"
#include "kernels/quant/formats.h"
#include "tests/kernels/emulated_avx512.h"
#include "tests/kernels/random_tensor.h"

// The same source under another name.
#define avx512vnni avx512vnni_emulated
#include "kernels/cpu/linear_avx512vnni.cc"
#undef avx512vnni

namespace espalier {
namespace {

const CpuOps& EmulatedOps() {
  static const CpuOps kOps = [] {
    CpuOps ops = ScalarOps();
    ops.tile_bytes = PackedTileBytes;
    ops.pack_tiles = PackTiles;
    ops.linear = avx512vnni_emulated::Linear;
    return ops;
  }();
  return kOps;
}

std::vector<float> LinearOf(Kernels& kernels, const TensorView& weight, const std::vector<float>& x,
                            int num_tokens) {
  const auto width = static_cast<int>(weight.columns);
  const auto matrix = kernels.Pack(weight);
  const auto activations = kernels.NewActivations(num_tokens, width);
  kernels.Quantize(x.data(), num_tokens, width, *activations);
  std::vector<float> y(static_cast<std::size_t>(weight.rows * num_tokens), -7.0f);
  kernels.Linear(*matrix, *activations, y.data());
  return y;
}

void Compare(const TensorView& weight, const std::vector<float>& x, int num_tokens) {
  ThreadPool pool(1);
  const auto emulated = NewCpuKernels(EmulatedOps(), Precision::kQuantized, pool);
  const auto reference = NewCpuKernels(ScalarOps(), Precision::kQuantized, pool);
  const auto expected = LinearOf(*reference, weight, x, num_tokens);
  const auto actual = LinearOf(*emulated, weight, x, num_tokens);
  ASSERT_EQ(std::memcmp(expected.data(), actual.data(), expected.size() * sizeof(float)), 0)
      << Traits(weight.dtype).name << " " << weight.rows << " x " << weight.columns << ", "
      << num_tokens << " tokens";
}

TEST(LinearAvx512VnniTest, EveryFormatAndShape) {
  for (const DTypeTraits& type : kDTypeTraits) {
    if (type.block_size == 1) continue;
    for (const int rows : {1, 15, 16, 17, 31, 32, 33, 70}) {
      const int num_tokens = 1 + rows * 5 % 19;
      const std::int64_t columns = std::int64_t{type.block_size} * (1 + rows % 3);
      const test::RandomTensor w(type.dtype, rows, columns, static_cast<unsigned>(rows));
      const auto x = test::RandomFloats(static_cast<std::size_t>(columns * num_tokens), 5, 3);
      Compare(w.view, x, num_tokens);
    }
  }
}

TEST(LinearAvx512VnniTest, OneToTwentyTokens) {
  for (const DType dtype : {DType::kQ4_1, DType::kQ6_K, DType::kQ8_0}) {
    const test::RandomTensor w(dtype, 41, 256, 1);
    for (int num_tokens = 1; num_tokens <= 20; ++num_tokens) {
      Compare(w.view, test::RandomFloats(static_cast<std::size_t>(256 * num_tokens), 2),
              num_tokens);
    }
  }
}

TEST(LinearAvx512VnniTest, ExtremeCodesAndActivations) {
  for (const DTypeTraits& type : kDTypeTraits) {
    if (type.block_size == 1) continue;
    for (const int byte : {0x00, 0x7f, 0x80, 0xff}) {
      test::RandomTensor w(type.dtype, 33, 256, 1);
      const test::HalvesOfBlock halves = test::HalvesOf(type.dtype);
      for (std::size_t i = 0; i < w.bytes.size(); ++i) {
        const auto at = static_cast<int>(i % static_cast<std::size_t>(type.block_bytes));
        const bool is_half = (at | 1) == (halves.first | 1) || (at | 1) == (halves.second | 1);
        if (!is_half) w.bytes[i] = static_cast<std::uint8_t>(byte);
      }
      for (const float sign : {1.0f, -1.0f}) {
        Compare(w.view, std::vector<float>(256 * 3, sign), 3);
      }
    }
  }
}

}  // namespace
}  // namespace espalier
