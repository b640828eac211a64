// Each op on each kind of device: the CPU's bits where the contract says so, and within what
// the rounding to halves allows, of sums in double, elsewhere. Checks are !(error <= bound), so
// that a NaN fails.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "kernels/quant/dequantize.h"
#include "tests/kernels/device_fixture.h"
#include "tests/kernels/random_tensor.h"

namespace espalier {
namespace {

using test::DeviceFixture;
using test::ExpectSameBytes;
using test::RandomFloats;
using test::RandomTensor;

class ConformanceTest : public DeviceFixture {};
INSTANTIATE_TEST_SUITE_P(All, ConformanceTest, test::kDeviceKinds, test::NameOf);

std::vector<float> Filled(std::size_t size) { return std::vector<float>(size, -7.0f); }

TEST_P(ConformanceTest, EmbedGivesTheRowsOfEveryDtype) {
  for (const DTypeTraits& traits : kDTypeTraits) {
    const int columns = 37 * traits.block_size;  // the last block of threads is not full
    const RandomTensor table(traits.dtype, 7, columns, 3);
    TensorView view = table.view;
    view.data = Put(table.bytes).data();
    const auto tokens = Put(std::vector<TokenId>{6, 0, 3, 3});
    const auto row = static_cast<std::size_t>(columns);
    const auto out = Put(Filled(4 * row));
    kernels().Embed(view, tokens, out.data());
    Finish();
    std::vector<float> expected(out.size());
    for (std::size_t i = 0; i < 4; ++i) DequantizeRow(table.view, tokens[i], &expected[row * i]);
    ExpectSameBytes<float>(expected, out, traits.name);
  }
}

TEST_P(ConformanceTest, RmsNorm) {
  for (const int width : {1, 15, 16, 576, 2048, 2049, 5000}) {
    for (const int num_rows : {1, 3}) {
      const auto size = static_cast<std::size_t>(width * num_rows);
      const auto x = Put(RandomFloats(size, 1, 3));
      const auto weight = Put(RandomFloats(static_cast<std::size_t>(width), 2));
      const auto y = Put(Filled(size));
      std::vector<float> expected(size);
      reference().RmsNorm(x.data(), weight.data(), 1e-5f, num_rows, width, expected.data());
      kernels().RmsNorm(x.data(), weight.data(), 1e-5f, num_rows, width, y.data());
      Finish();
      ExpectSameBytes<float>(expected, y, "width " + std::to_string(width));
      kernels().RmsNorm(x.data(), weight.data(), 1e-5f, num_rows, width, x.data());
      Finish();
      ExpectSameBytes<float>(expected, x, "in place, width " + std::to_string(width));
    }
  }
}

TEST_P(ConformanceTest, RopeOfBothPairings) {
  constexpr int kHeads = 3;
  for (const RopePairs pairs : {RopePairs::kNeighbours, RopePairs::kHalves}) {
    for (const int rotary_dim : {2, 48, 64}) {
      const auto angles = static_cast<std::size_t>(rotary_dim / 2 * 10);
      const auto cosines = Put(RandomFloats(angles, 4));
      const auto sines = Put(RandomFloats(angles, 5));
      const RopeTable table = {cosines, sines, rotary_dim, pairs};
      const auto position = Put(std::vector<std::int32_t>{9, 0, 4, 4, 1});
      std::vector<float> expected = RandomFloats(5 * kHeads * 64, 6);
      const auto x = Put(expected);
      reference().Rope(table, position, kHeads, 64, expected.data());
      kernels().Rope(table, position, kHeads, 64, x.data());
      Finish();
      ExpectSameBytes<float>(expected, x, "rotary_dim " + std::to_string(rotary_dim));
    }
  }
}

// Pages whose bytes are known, so that a store too many is seen.
struct Pages {
  Pages(DType dtype, int page_size, int num_pages) {
    layer = {nullptr, nullptr, dtype, 2, 24, page_size};
    const int bytes = num_pages * 2 * 24 * page_size * Traits(dtype).block_bytes;
    k.resize(static_cast<std::size_t>(bytes));
    v.resize(k.size());
    std::mt19937 rng(6);
    for (std::uint8_t& byte : k) byte = static_cast<std::uint8_t>(rng());
    for (std::uint8_t& byte : v) byte = static_cast<std::uint8_t>(rng());
  }
  KvLayer At(std::span<std::uint8_t> k_bytes, std::span<std::uint8_t> v_bytes) const {
    KvLayer there = layer;
    there.k = k_bytes.data();
    there.v = v_bytes.data();
    return there;
  }
  KvLayer layer;
  std::vector<std::uint8_t> k;
  std::vector<std::uint8_t> v;
};

TEST_P(ConformanceTest, StoreKvWritesTheSlotsAndNoOthers) {
  for (const DType dtype : {DType::kF16, DType::kF32}) {
    for (const int page_size : {1, 4, 16}) {
      Pages pages(dtype, page_size, 64 / page_size);
      const auto k_there = Put(pages.k);
      const auto v_there = Put(pages.v);
      const auto k = Put(RandomFloats(3 * 48, 7));
      const auto v = Put(RandomFloats(3 * 48, 8));
      const auto slot_start = Put(std::vector<std::int32_t>{0, 2, 2, 3});
      const auto slots = Put(std::vector<std::int32_t>{63, 0, 17});
      reference().StoreKv(k.data(), v.data(), slot_start, slots, pages.At(pages.k, pages.v));
      kernels().StoreKv(k.data(), v.data(), slot_start, slots, pages.At(k_there, v_there));
      Finish();
      ExpectSameBytes<std::uint8_t>(pages.k, k_there, "k");
      ExpectSameBytes<std::uint8_t>(pages.v, v_there, "v");
    }
  }
}

TEST_P(ConformanceTest, CopyPagesGoesThroughItsListInOrder) {
  for (const DType dtype : {DType::kF16, DType::kF32}) {
    for (const int page_size : {4, 16}) {
      Pages pages(dtype, page_size, 5);
      const auto k_there = Put(pages.k);
      const auto v_there = Put(pages.v);
      const auto copies = Put(std::vector<PageCopy>{{PageId{0}, PageId{3}, page_size - 1},
                                                    {PageId{3}, PageId{4}, page_size},
                                                    {PageId{1}, PageId{2}, 0},
                                                    {PageId{4}, PageId{1}, 1}});
      reference().CopyPages(copies, pages.At(pages.k, pages.v));
      kernels().CopyPages(copies, pages.At(k_there, v_there));
      Finish();
      ExpectSameBytes<std::uint8_t>(pages.k, k_there, "k");
      ExpectSameBytes<std::uint8_t>(pages.v, v_there, "v");
    }
  }
}

TEST_P(ConformanceTest, ElementwiseOps) {
  for (const int width : {1, 255, 256, 257}) {
    const auto size = static_cast<std::size_t>(3 * width);
    std::vector<float> gates = RandomFloats(size, 9, 10);
    gates[0] = -100;
    gates[1] = 100;
    gates[2] = -std::numeric_limits<float>::infinity();
    const auto up = Put(RandomFloats(size, 10));
    const auto x = Put(gates);
    const auto silu = Put(Filled(size));
    std::vector<float> expected(size);
    reference().SiluMul(x.data(), up.data(), 3 * width, expected.data());
    kernels().SiluMul(x.data(), up.data(), 3 * width, silu.data());
    Finish();
    for (std::size_t i = 0; i < size; ++i) {
      EXPECT_TRUE(std::memcmp(&expected[i], &silu[i], 4) == 0 ||
                  (std::isnan(expected[i]) && std::isnan(silu[i])));
    }
    reference().Add(up.data(), 3 * width, gates.data());
    kernels().Add(up.data(), 3 * width, x.data());
    Finish();
    ExpectSameBytes<float>(gates, x, "Add");
    reference().AddBias(up.data(), 3, width, gates.data());
    kernels().AddBias(up.data(), 3, width, x.data());
    Finish();
    ExpectSameBytes<float>(gates, x, "AddBias");
  }
}

struct LinearCase {
  DType dtype;
  int rows;
  int columns;
  int num_tokens;
};

class LinearConformanceTest : public DeviceFixture {
 protected:
  // y [num_tokens, rows] of the case's tokens [first, first + count), added to 1 where kAdd.
  std::vector<float> Run(const LinearCase& c, const RandomTensor& weight, LinearOutput output,
                         int first, int count) {
    TensorView view = weight.view;
    view.data = Put(weight.bytes).data();
    const auto matrix = kernels().Pack(view);
    const auto activations = kernels().NewActivations(count, c.columns);
    const std::vector<float> all = InputOf(c);
    const auto begin = all.begin() + std::ptrdiff_t{first} * c.columns;
    const auto x = Put(std::vector<float>(begin, begin + std::ptrdiff_t{count} * c.columns));
    const auto y = Put(std::vector<float>(static_cast<std::size_t>(count * c.rows), 1.0f));
    kernels().Quantize(x.data(), count, c.columns, *activations);
    const LinearTask task = {matrix.get(), y.data(), output};
    kernels().Linear({&task, 1}, *activations);
    Finish();
    return {y.begin(), y.end()};
  }
  static std::vector<float> InputOf(const LinearCase& c) {
    return RandomFloats(static_cast<std::size_t>(c.num_tokens * c.columns), 11);
  }
};
INSTANTIATE_TEST_SUITE_P(All, LinearConformanceTest, test::kDeviceKinds, test::NameOf);

// Half roundings of both factors, and float32 sums.
void ExpectProducts(const LinearCase& c, const RandomTensor& weight, const std::vector<float>& x,
                    float start, const std::vector<float>& y) {
  std::vector<float> w(static_cast<std::size_t>(c.columns));
  for (int r = 0; r < c.rows; ++r) {
    DequantizeRow(weight.view, r, w.data());
    for (int t = 0; t < c.num_tokens; ++t) {
      double sum = start;
      double absolute = std::fabs(start);
      for (std::size_t k = 0; k < w.size(); ++k) {
        const double product = double{w[k]} * x[static_cast<std::size_t>(t * c.columns) + k];
        sum += product;
        absolute += std::fabs(product);
      }
      const double bound = absolute * (0x1.1p-10 + c.columns * 0x1p-24) + c.columns * 0x1p-23;
      const float got = y[static_cast<std::size_t>(t * c.rows + r)];
      if (!(std::fabs(got - sum) <= bound)) {
        FAIL() << Traits(c.dtype).name << ", row " << r << ", token " << t << ": " << got << " for "
               << sum << " +- " << bound;
      }
    }
  }
}

TEST_P(LinearConformanceTest, ProductsOfEveryDtype) {
  for (const DTypeTraits& traits : kDTypeTraits) {
    for (const auto& [rows, num_tokens] : {std::pair{70, 1}, {5, 9}, {17, 33}}) {
      const int columns = traits.block_size == 1 ? 37 : 256;
      const LinearCase c = {traits.dtype, rows, columns, num_tokens};
      const RandomTensor weight(c.dtype, rows, columns, 12);
      const auto stored = Run(c, weight, LinearOutput::kStore, 0, num_tokens);
      ExpectProducts(c, weight, InputOf(c), 0.0f, stored);
      const auto added = Run(c, weight, LinearOutput::kAdd, 0, num_tokens);
      ExpectProducts(c, weight, InputOf(c), 1.0f, added);
      for (std::size_t i = 0; i < added.size(); ++i) EXPECT_EQ(added[i], 1.0f + stored[i]);
    }
  }
}

TEST_P(LinearConformanceTest, TokenHasTheSameBitsInAnyBatchAndOrderOfThreads) {
  for (const DType dtype : {DType::kQ4_1, DType::kQ6_K, DType::kF16}) {
    const LinearCase c = {dtype, 19, 256, 35};
    const RandomTensor weight(dtype, c.rows, c.columns, 13);
    const auto together = Run(c, weight, LinearOutput::kStore, 0, c.num_tokens);
    const std::span<const float> all = together;
    for (const auto& [first, count] : {std::pair{0, 1}, {34, 1}, {3, 8}, {7, 17}}) {
      const auto alone = Run(c, weight, LinearOutput::kStore, first, count);
      ExpectSameBytes<float>(all.subspan(static_cast<std::size_t>(first * c.rows), alone.size()),
                             alone, Traits(dtype).name);
    }
    if (is_cpu()) continue;
    const auto other = emulated::NewDeviceKernels(GetParam().seed + 100);
    const auto matrix = other->Pack(weight.view);
    const auto activations = other->NewActivations(c.num_tokens, c.columns);
    std::vector<float> x = InputOf(c);
    std::vector<float> y(together.size());
    other->Quantize(x.data(), c.num_tokens, c.columns, *activations);
    other->Kernels::Linear(*matrix, *activations, y.data());
    ASSERT_TRUE(other->Wait().ok());
    ExpectSameBytes<float>(all, y, Traits(dtype).name);
  }
}

}  // namespace
}  // namespace espalier
