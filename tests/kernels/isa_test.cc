// Every instruction set and every number of threads gives the reference's bits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/kernels.h"
#include "tests/kernels/random_tensor.h"

namespace espalier {
namespace {

using test::RandomFloats;
using test::RandomTensor;

std::vector<std::uint32_t> BitsOf(const std::vector<float>& x) {
  std::vector<std::uint32_t> bits(x.size());
  if (!x.empty()) std::memcpy(bits.data(), x.data(), x.size() * sizeof(float));
  return bits;
}

// One Kernels under test, and the reference on one thread.
struct Pair {
  Pair(const std::string& isa, int num_threads, Precision precision) : pool(num_threads), one(1) {
    tested = MakeKernels({.isa = isa, .precision = precision}, pool).value();
    reference = MakeKernels({.isa = "scalar", .precision = precision}, one).value();
  }

  // Runs fn(kernels) -> vector<float> on both and compares.
  template <typename Fn>
  void Compare(const Fn& fn, const std::string& what) {
    const std::vector<float> expected = fn(*reference);
    const std::vector<float> actual = fn(*tested);
    ASSERT_EQ(expected.size(), actual.size());
    const auto expected_bits = BitsOf(expected);
    const auto actual_bits = BitsOf(actual);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(expected_bits[i], actual_bits[i])
          << what << " at " << i << ": " << actual[i] << " instead of " << expected[i];
    }
  }

  ThreadPool pool;
  ThreadPool one;
  std::unique_ptr<Kernels> tested;
  std::unique_ptr<Kernels> reference;
};

struct Setup {
  std::string isa;
  int num_threads;
};

class IsaTest : public testing::TestWithParam<Setup> {
 protected:
  Pair MakePair(Precision precision = Precision::kQuantized) {
    return Pair(GetParam().isa, GetParam().num_threads, precision);
  }
};

std::vector<Setup> AllSetups() {
  std::vector<Setup> setups;
  for (const std::string_view isa : AvailableIsas()) {
    for (const int threads : {1, 2, 3}) setups.push_back({std::string(isa), threads});
  }
  return setups;
}

INSTANTIATE_TEST_SUITE_P(All, IsaTest, testing::ValuesIn(AllSetups()), [](const auto& info) {
  return info.param.isa + "_" + std::to_string(info.param.num_threads);
});

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

TEST_P(IsaTest, LinearOfEveryDtypeAndShape) {
  for (const Precision precision : {Precision::kQuantized, Precision::kExact}) {
    Pair pair = MakePair(precision);
    for (const DTypeTraits& type : kDTypeTraits) {
      for (const int rows : {1, 7, 8, 9, 31, 70}) {
        const int num_tokens = 1 + (rows * 5 + type.block_size) % 11;
        const std::int64_t columns = std::int64_t{type.block_size} * (1 + rows % 3);
        const RandomTensor w(type.dtype, rows, columns, static_cast<unsigned>(rows));
        const auto x = RandomFloats(static_cast<std::size_t>(columns * num_tokens), 5, 3);
        pair.Compare([&](Kernels& k) { return LinearOf(k, w.view, x, num_tokens); },
                     std::string(type.name) + " rows " + std::to_string(rows));
      }
    }
  }
}

TEST_P(IsaTest, LinearOfOneToSeventyTokens) {
  Pair pair = MakePair();
  for (const DType dtype : {DType::kQ4_1, DType::kQ6_K, DType::kQ8_0, DType::kF16}) {
    const RandomTensor w(dtype, 41, 512, 1);
    for (int num_tokens = 1; num_tokens <= 70; num_tokens += num_tokens < 10 ? 1 : 6) {
      const auto x = RandomFloats(static_cast<std::size_t>(512 * num_tokens), 2);
      pair.Compare([&](Kernels& k) { return LinearOf(k, w.view, x, num_tokens); },
                   std::string(Traits(dtype).name) + " tokens " + std::to_string(num_tokens));
    }
  }
}

TEST_P(IsaTest, LinearOfExtremeCodesAndActivations) {
  Pair pair = MakePair();
  for (const DTypeTraits& type : kDTypeTraits) {
    if (type.block_size == 1) continue;
    RandomTensor w(type.dtype, 9, 512, 1);
    for (const int fill : {0x00, 0x7f, 0x80, 0xff}) {
      for (std::size_t i = 0; i < w.bytes.size(); ++i) {
        const auto in_block = static_cast<int>(i % static_cast<std::size_t>(type.block_bytes));
        const auto halves = test::HalvesOf(type.dtype);
        const bool is_half = in_block / 2 == halves.first / 2 ||
                             (halves.second >= 0 && in_block / 2 == halves.second / 2);
        if (!is_half) w.bytes[i] = static_cast<std::uint8_t>(fill);
      }
      for (const float value : {127.0f, -127.0f, 1e-9f, 3e38f, 0.0f, -0.0f}) {
        const std::vector<float> x(512 * 5, value);
        pair.Compare([&](Kernels& k) { return LinearOf(k, w.view, x, 5); }, type.name);
      }
    }
  }
}

TEST_P(IsaTest, FloatLinearOfOddWidths) {
  Pair pair = MakePair();
  for (const DType dtype : {DType::kF32, DType::kF16, DType::kBF16}) {
    for (const int columns : {1, 2, 3, 33, 100}) {
      const RandomTensor w(dtype, 37, columns, 3);
      const auto x = RandomFloats(static_cast<std::size_t>(columns * 9), 4);
      pair.Compare([&](Kernels& k) { return LinearOf(k, w.view, x, 9); }, Traits(dtype).name);
    }
  }
}

// What fused ops leave: their rows, and layers of several shapes that read them.
std::vector<float> FusedOf(Kernels& kernels, const std::vector<RandomTensor>& weights,
                           const std::vector<float>& x, int num_tokens) {
  const auto width = static_cast<int>(weights[0].view.columns);
  const auto activations = kernels.NewActivations(num_tokens, width);
  std::vector<float> rows(x.size());
  kernels.RmsNormQuantize(x.data(), x.data(), 1e-5f, {num_tokens, width, rows.data()},
                          *activations);
  std::vector<std::unique_ptr<Matrix>> matrices;
  std::vector<std::vector<float>> outputs;
  for (const RandomTensor& weight : weights) {
    matrices.push_back(kernels.Pack(weight.view));
    outputs.emplace_back(static_cast<std::size_t>(weight.view.rows * num_tokens), 0.5f);
  }
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<LinearTask> tasks;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const bool adds = i % 2 == 1;
      tasks.push_back(
          {matrices[i].get(), outputs[i].data(), adds ? LinearOutput::kAdd : LinearOutput::kStore});
    }
    kernels.Linear(tasks, *activations);
    kernels.SiluMulQuantize(rows.data(), x.data(), {num_tokens, width, rows.data()}, *activations);
  }
  for (const auto& output : outputs) rows.insert(rows.end(), output.begin(), output.end());
  return rows;
}

TEST_P(IsaTest, FusedOps) {
  for (const Precision precision : {Precision::kQuantized, Precision::kExact}) {
    Pair pair = MakePair(precision);
    for (const int num_tokens : {1, 2, 5, 33}) {
      std::vector<RandomTensor> weights;
      for (const int rows : {64, 33, 7, 200}) {
        weights.emplace_back(rows == 7 ? DType::kQ8_0 : DType::kQ4_1, rows, 96, 1u);
      }
      const auto x = RandomFloats(static_cast<std::size_t>(num_tokens) * 96, 7);
      pair.Compare([&](Kernels& k) { return FusedOf(k, weights, x, num_tokens); },
                   "fused, tokens " + std::to_string(num_tokens));
    }
  }
}

TEST_P(IsaTest, FusedOpsEqualTheirParts) {
  const Pair pair = MakePair();
  Kernels& kernels = *pair.tested;
  constexpr int kTokens = 3, kWidth = 64;
  const RandomTensor w(DType::kQ4_1, 40, kWidth, 1);
  const auto x = RandomFloats(std::size_t{kTokens} * kWidth, 2);
  const auto matrix = kernels.Pack(w.view);
  const auto activations = kernels.NewActivations(kTokens, kWidth);
  std::vector<float> normed(x.size()), parts(40 * kTokens, 0.25f), product(parts.size());
  kernels.RmsNorm(x.data(), x.data(), 1e-5f, kTokens, kWidth, normed.data());
  kernels.Quantize(normed.data(), kTokens, kWidth, *activations);
  kernels.Linear(*matrix, *activations, product.data());
  kernels.Add(product.data(), std::ssize(product), parts.data());

  std::vector<float> fused(parts.size(), 0.25f);
  kernels.RmsNormQuantize(x.data(), x.data(), 1e-5f, {kTokens, kWidth, normed.data()},
                          *activations);
  const LinearTask task{matrix.get(), fused.data(), LinearOutput::kAdd};
  kernels.Linear({&task, 1}, *activations);
  EXPECT_EQ(BitsOf(parts), BitsOf(fused));
}

TEST_P(IsaTest, RowOps) {
  Pair pair = MakePair();
  for (int width = 1; width <= 70; ++width) {
    const auto size = static_cast<std::size_t>(width) * 5;
    const auto x = RandomFloats(size, 1, 10);
    const auto y = RandomFloats(size, 2, 10);
    const std::string what = "width " + std::to_string(width);
    pair.Compare(
        [&](Kernels& k) {
          std::vector<float> out(size);
          k.RmsNorm(x.data(), y.data(), 1e-5f, 5, width, out.data());
          return out;
        },
        "RmsNorm " + what);
    pair.Compare(
        [&](Kernels& k) {
          std::vector<float> out = x;
          k.SiluMul(out.data(), y.data(), static_cast<std::int64_t>(size), out.data());
          k.Add(y.data(), static_cast<std::int64_t>(size), out.data());
          k.AddBias(y.data(), 5, width, out.data());
          return out;
        },
        "SiluMul, Add, AddBias " + what);
  }
}

TEST_P(IsaTest, SiluMulOverTheWholeRangeOfFloats) {
  Pair pair = MakePair();
  std::vector<float> x;
  for (std::uint64_t bits = 0; bits <= 0xffffffffu; bits += 65521) {
    const auto low = static_cast<std::uint32_t>(bits);
    float value;
    std::memcpy(&value, &low, 4);
    if (!std::isnan(value)) x.push_back(value);
  }
  const std::vector<float> ones(x.size(), 1.0f);
  pair.Compare(
      [&](Kernels& k) {
        std::vector<float> out(x.size());
        k.SiluMul(x.data(), ones.data(), static_cast<std::int64_t>(x.size()), out.data());
        for (float& v : out) v = std::isnan(v) ? 0 : v;
        return out;
      },
      "SiluMul");
}

TEST_P(IsaTest, Rope) {
  Pair pair = MakePair();
  for (const int head_dim : {2, 6, 16, 64, 80}) {
    for (const RopePairs pairs : {RopePairs::kNeighbours, RopePairs::kHalves}) {
      for (const int rotary_dim : {head_dim, head_dim / 4 * 2}) {
        const auto half = static_cast<std::size_t>(rotary_dim / 2);
        const auto cos = RandomFloats(half * 10, 1);
        const auto sin = RandomFloats(half * 10, 2);
        const RopeTable table{cos, sin, rotary_dim, pairs};
        const std::vector<std::int32_t> positions = {0, 9, 3};
        const auto x = RandomFloats(static_cast<std::size_t>(3 * 5 * head_dim), 3);
        pair.Compare(
            [&](Kernels& k) {
              std::vector<float> out = x;
              k.Rope(table, positions, 5, head_dim, out.data());
              return out;
            },
            "Rope " + std::to_string(head_dim));
      }
    }
  }
}

}  // namespace
}  // namespace espalier
