// The reference against the mathematics of each op, as plain loops in double. How far
// each may be off is stated beside it, from the roundings that its rule allows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/kernels.h"
#include "kernels/quant/dequantize.h"
#include "tests/kernels/random_tensor.h"

namespace espalier {
namespace {

using test::RandomFloats;
using test::RandomTensor;

class ReferenceTest : public testing::Test {
 protected:
  std::unique_ptr<Kernels> Make(Precision precision = Precision::kQuantized) {
    return MakeKernels({.isa = "scalar", .precision = precision}, pool_).value();
  }
  ThreadPool pool_{2};
};

// x as quantized activations say it: blocks of 32 with step f16(max / 127).
std::vector<double> QuantizedActivations(const std::vector<float>& x) {
  std::vector<double> values(x.size());
  for (std::size_t b = 0; b < x.size(); b += 32) {
    float max = 0;
    for (std::size_t i = b; i < b + 32; ++i) max = std::max(max, std::fabs(x[i]));
    const double d = HalfToFloat(FloatToHalf(max / 127));
    for (std::size_t i = b; i < b + 32; ++i) values[i] = d == 0 ? 0 : std::rint(x[i] / d) * d;
  }
  return values;
}

// Worst error of y = w x, relative to the sum of |w x|, over all outputs.
double WorstLinearError(Kernels& kernels, const TensorView& w, const std::vector<float>& x,
                        const std::vector<double>& meant) {
  const auto width = static_cast<std::size_t>(w.columns);
  const auto num_tokens = static_cast<int>(x.size() / width);
  const auto matrix = kernels.Pack(w);
  const auto activations = kernels.NewActivations(num_tokens, static_cast<int>(width));
  kernels.Quantize(x.data(), num_tokens, static_cast<int>(width), *activations);
  std::vector<float> y(static_cast<std::size_t>(w.rows * num_tokens));
  kernels.Linear(*matrix, *activations, y.data());
  std::vector<float> row(width);
  double worst = 0;
  for (std::int64_t r = 0; r < w.rows; ++r) {
    DequantizeRow(w, r, row.data());
    for (int t = 0; t < num_tokens; ++t) {
      double sum = 0;
      double size = 1e-30;
      for (std::size_t k = 0; k < width; ++k) {
        const double product = row[k] * meant[static_cast<std::size_t>(t) * width + k];
        sum += product;
        size += std::fabs(product);
      }
      worst = std::max(worst, std::fabs(y[static_cast<std::size_t>(t * w.rows + r)] - sum) / size);
    }
  }
  return worst;
}

TEST_F(ReferenceTest, LinearEqualsDequantizedWeightsTimesQuantizedActivations) {
  const auto kernels = Make();
  for (const DTypeTraits& type : kDTypeTraits) {
    const RandomTensor w(type.dtype, 17, 768, 1);
    const auto x = RandomFloats(3 * 768, 2, 4);
    const std::vector<double> meant =
        type.block_size > 1 ? QuantizedActivations(x) : std::vector<double>(x.begin(), x.end());
    // 24 blocks (or 768 products) of float32 roundings.
    EXPECT_LT(WorstLinearError(*kernels, w.view, x, meant), 1e-5) << type.name;
  }
}

TEST_F(ReferenceTest, ExactLinearQuantizesNoActivation) {
  const auto kernels = Make(Precision::kExact);
  for (const DTypeTraits& type : kDTypeTraits) {
    const RandomTensor w(type.dtype, 17, 768, 1);
    const auto x = RandomFloats(3 * 768, 2, 4);
    const std::vector<double> meant(x.begin(), x.end());
    EXPECT_LT(WorstLinearError(*kernels, w.view, x, meant), 1e-5) << type.name;
  }
}

TEST_F(ReferenceTest, QuantizedActivationsAreCloseToTheFloats) {
  const auto kernels = Make();
  const RandomTensor w(DType::kQ8_0, 17, 768, 1);
  const auto x = RandomFloats(3 * 768, 2, 4);
  const std::vector<double> meant(x.begin(), x.end());
  EXPECT_LT(WorstLinearError(*kernels, w.view, x, meant), 1.0 / 127);
}

TEST_F(ReferenceTest, RmsNorm) {
  const auto kernels = Make();
  const auto x = RandomFloats(2 * 300, 1, 5);
  const auto weight = RandomFloats(300, 2);
  std::vector<float> y(x.size());
  kernels->RmsNorm(x.data(), weight.data(), 1e-5f, 2, 300, y.data());
  for (std::size_t row = 0; row < 2; ++row) {
    double squares = 0;
    for (std::size_t i = 0; i < 300; ++i) squares += std::pow(x[row * 300 + i], 2.0);
    const double scale = 1 / std::sqrt(squares / 300 + 1e-5);
    for (std::size_t i = 0; i < 300; ++i) {
      const double expected = x[row * 300 + i] * scale * weight[i];
      EXPECT_NEAR(y[row * 300 + i], expected, 1e-6 * std::fabs(expected));
    }
  }
}

TEST_F(ReferenceTest, SiluMulIsSiluTimesUp) {
  const auto kernels = Make();
  const auto gate = RandomFloats(1000, 1, 10);
  const auto up = RandomFloats(1000, 2, 10);
  std::vector<float> out(1000);
  kernels->SiluMul(gate.data(), up.data(), 1000, out.data());
  for (std::size_t i = 0; i < 1000; ++i) {
    const double expected = gate[i] / (1 + std::exp(-double{gate[i]})) * up[i];
    EXPECT_NEAR(out[i], expected, 1e-6 * std::fabs(expected) + 1e-30);
  }
}

TEST_F(ReferenceTest, RopeTurnsEachPair) {
  const auto kernels = Make();
  const std::vector<float> cos = {0.6f, 0.0f};
  const std::vector<float> sin = {0.8f, 1.0f};
  const std::vector<std::int32_t> position = {0};
  std::vector<float> x = {1, 2, 3, 4, 5, 6};
  kernels->Rope({cos, sin, 4, RopePairs::kNeighbours}, position, 1, 6, x.data());
  const std::vector<float> neighbours = {1 * .6f - 2 * .8f, 1 * .8f + 2 * .6f, -4, 3, 5, 6};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(x[i], neighbours[i], 1e-6);
  x = {1, 2, 3, 4, 5, 6};
  kernels->Rope({cos, sin, 4, RopePairs::kHalves}, position, 1, 6, x.data());
  const std::vector<float> halves = {1 * .6f - 3 * .8f, -4, 1 * .8f + 3 * .6f, 2, 5, 6};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(x[i], halves[i], 1e-6);
}

// Attention of two tokens of one row over float32 KV, against softmax in double.
TEST_F(ReferenceTest, AttentionIsSoftmaxOfScoresTimesV) {
  const auto kernels = Make();
  constexpr int kLength = 150, kDim = 16, kHeads = 4, kKvHeads = 2, kPage = 32, kPages = 5;
  const auto k = RandomFloats(kLength * kKvHeads * kDim, 1);
  const auto v = RandomFloats(kLength * kKvHeads * kDim, 2);
  const auto q = RandomFloats(2 * kHeads * kDim, 3, 2);
  std::vector<float> k_pool(kPages * kPage * kKvHeads * kDim), v_pool(k_pool.size());
  const KvLayer layer{k_pool.data(), v_pool.data(), DType::kF32, kKvHeads, kDim, kPage};
  const std::vector<PageId> pages = {PageId{3}, PageId{0}, PageId{4}, PageId{1}, PageId{2}};
  std::vector<std::int32_t> slots, slot_start = {0};
  for (int p = 0; p < kLength; ++p) {
    slots.push_back(Index(pages[static_cast<std::size_t>(p / kPage)]) * kPage + p % kPage);
    slot_start.push_back(p + 1);
  }
  kernels->StoreKv(k.data(), v.data(), slot_start, slots, layer);
  const std::vector<std::int32_t> start = {0, 2}, position = {100, kLength - 1},
                                  page_start = {0, 5};
  std::vector<float> out(q.size());
  kernels->PlanAttention({start, position, page_start, pages}, kPage);
  kernels->Attention(q.data(), layer, kHeads, 0.25f, out.data());
  for (int i = 0; i < 2 * kHeads * kDim; ++i) {
    const int head = i / kDim, dim = i % kDim, kv_head = head % kHeads / (kHeads / kKvHeads);
    double sum = 0, weighted = 0;
    for (int p = 0; p <= position[static_cast<std::size_t>(head / kHeads)]; ++p) {
      const int at = (p * kKvHeads + kv_head) * kDim;
      double dot = 0;
      for (int j = 0; j < kDim; ++j) {
        dot += double{q[static_cast<std::size_t>(head * kDim + j)]} *
               k[static_cast<std::size_t>(at + j)];
      }
      const double weight = std::exp(dot * 0.25);
      sum += weight;
      weighted += weight * v[static_cast<std::size_t>(at + dim)];
    }
    EXPECT_NEAR(out[static_cast<std::size_t>(i)], weighted / sum, 1e-5);
  }
}

TEST_F(ReferenceTest, EmbedGivesTheRows) {
  const auto kernels = Make();
  const RandomTensor table(DType::kQ8_0, 10, 64, 1);
  std::vector<float> out(2 * 64), row(64);
  kernels->Embed(table.view, std::vector<TokenId>{9, 0}, out.data());
  DequantizeRow(table.view, 9, row.data());
  EXPECT_TRUE(std::equal(row.begin(), row.end(), out.begin()));
  DequantizeRow(table.view, 0, row.data());
  EXPECT_TRUE(std::equal(row.begin(), row.end(), out.begin() + 64));
}

TEST(RegistryTest, NamesWhatThereIs) {
  ThreadPool pool(1);
  ASSERT_FALSE(AvailableIsas().empty());
  EXPECT_EQ(AvailableIsas().front(), "scalar");
  for (const std::string_view isa : AvailableIsas()) {
    EXPECT_EQ(MakeKernels({.isa = std::string(isa)}, pool).value()->isa(), isa);
  }
  EXPECT_EQ(MakeKernels({}, pool).value()->isa(), AvailableIsas().back());
  const auto unknown = MakeKernels({.isa = "sparc"}, pool);
  EXPECT_EQ(unknown.status().code(), Code::kUnsupported);
  EXPECT_NE(unknown.status().message().find("sparc"), std::string::npos);
  EXPECT_NE(unknown.status().message().find("scalar"), std::string::npos);
  EXPECT_EQ(MakeKernels({.device = "tpu"}, pool).status().code(), Code::kUnsupported);
}

}  // namespace
}  // namespace espalier
