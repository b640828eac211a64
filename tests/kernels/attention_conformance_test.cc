// Attention on each kind of device, against sums in double over what the pool holds; and the
// same bits for a token whoever is with it. Pages hold NaN wherever nothing was stored.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/float16.h"
#include "tests/kernels/device_fixture.h"
#include "tests/kernels/random_tensor.h"

namespace espalier {
namespace {

using test::ExpectSameBytes;
using test::RandomFloats;

struct Shape {
  DType dtype = DType::kF16;
  int page_size = 16;
  int head_dim = 32;
  int num_kv_heads = 2;
  int num_heads = 6;
};
constexpr float kScale = 0.25f;

struct Row {
  int first_position;
  int num_tokens;
  int num_shared = 0;  // pages that are those of row 0
};

// A pool and rows of pages in it, the last page of the pool being the last row's.
struct Pool {
  Pool(const Shape& s, const std::vector<Row>& rows) : shape(s), start{0}, page_start{0} {
    for (const Row& row : rows) {
      const int length = row.first_position + row.num_tokens;
      for (int t = 0; t < row.num_tokens; ++t) position.push_back(row.first_position + t);
      start.push_back(static_cast<std::int32_t>(position.size()));
      for (int i = 0; i * s.page_size < length; ++i) {
        pages.push_back(PageId{i < row.num_shared ? i : num_pages++});
      }
      page_start.push_back(static_cast<std::int32_t>(pages.size()));
    }
    const auto size = static_cast<std::size_t>(num_pages * s.page_size * HeadsSize());
    for (const auto& [values, seed] : {std::pair{&k, 21u}, {&v, 22u}}) {
      *values = RandomFloats(size, seed);
      if (s.dtype == DType::kF16) {
        for (float& x : *values) x = HalfToFloat(FloatToHalf(x));
      }
    }
    q = RandomFloats(position.size() * static_cast<std::size_t>(s.num_heads * s.head_dim), 23);
    ForgetUnwritten(rows);
  }

  int HeadsSize() const { return shape.num_kv_heads * shape.head_dim; }
  std::size_t At(int page, int head, int dim, int offset, bool is_k) const {
    const int at = page * shape.num_kv_heads + head;
    return static_cast<std::size_t>(is_k ? (at * shape.head_dim + dim) * shape.page_size + offset
                                         : (at * shape.page_size + offset) * shape.head_dim + dim);
  }
  // NaN in the slots after a row's last position.
  void ForgetUnwritten(const std::vector<Row>& rows) {
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const int length = rows[r].first_position + rows[r].num_tokens;
      const int page = Index(pages[static_cast<std::size_t>(page_start[r + 1] - 1)]);
      for (int p = length; p % shape.page_size != 0; ++p) {
        for (int i = 0; i < HeadsSize(); ++i) {
          const int head = i / shape.head_dim;
          k[At(page, head, i % shape.head_dim, p % shape.page_size, true)] = NAN;
          v[At(page, head, i % shape.head_dim, p % shape.page_size, false)] = NAN;
        }
      }
    }
  }
  // The pool's bytes.
  std::vector<std::uint8_t> Bytes(const std::vector<float>& values) const {
    const auto size = static_cast<std::size_t>(Traits(shape.dtype).block_bytes);
    std::vector<std::uint8_t> bytes(values.size() * size);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::uint16_t half = FloatToHalf(values[i]);
      const void* from = size == 2 ? static_cast<const void*>(&half) : &values[i];
      std::memcpy(&bytes[i * size], from, size);
    }
    return bytes;
  }

  Shape shape;
  int num_pages = 0;
  std::vector<std::int32_t> start;
  std::vector<std::int32_t> position;
  std::vector<std::int32_t> page_start;
  std::vector<PageId> pages;
  std::vector<float> k;
  std::vector<float> v;
  std::vector<float> q;
};

class AttentionConformanceTest : public test::DeviceFixture {
 protected:
  std::vector<float> Run(Kernels& on, const Pool& pool) {
    const auto k = Put(pool.Bytes(pool.k));
    const auto v = Put(pool.Bytes(pool.v));
    const KvLayer layer = {k.data(),
                           v.data(),
                           pool.shape.dtype,
                           pool.shape.num_kv_heads,
                           pool.shape.head_dim,
                           pool.shape.page_size};
    const auto q = Put(pool.q);
    const auto out = Put(std::vector<float>(pool.q.size(), -7.0f));
    on.PlanAttention({Put(pool.start), Put(pool.position), Put(pool.page_start), Put(pool.pages)},
                     pool.shape.page_size);
    on.Attention(q.data(), layer, pool.shape.num_heads, kScale, out.data());
    Finish();
    return {out.begin(), out.end()};
  }
};
INSTANTIATE_TEST_SUITE_P(All, AttentionConformanceTest, test::kDeviceKinds, test::NameOf);

// One query head of one token in double.
struct Expected {
  Expected(const Pool& pool, std::size_t row, std::size_t token, int head) {
    const Shape& s = pool.shape;
    const int kv_head = head / (s.num_heads / s.num_kv_heads);
    const std::size_t q =
        (token * static_cast<std::size_t>(s.num_heads) + static_cast<std::size_t>(head)) *
        static_cast<std::size_t>(s.head_dim);
    std::vector<double> scores;
    const auto page_of = [&](int p) {
      return Index(pool.pages[static_cast<std::size_t>(pool.page_start[row] + p / s.page_size)]);
    };
    for (int p = 0; p <= pool.position[token]; ++p) {
      double score = 0;
      double absolute = 0;
      for (int i = 0; i < s.head_dim; ++i) {
        const double product = double{pool.q[q + static_cast<std::size_t>(i)]} *
                               pool.k[pool.At(page_of(p), kv_head, i, p % s.page_size, true)];
        score += product * kScale;
        absolute += std::fabs(product) * kScale;
      }
      scores.push_back(score);
      score_error = std::max(score_error, absolute * 0x1.1p-10);
    }
    const double max = *std::max_element(scores.begin(), scores.end());
    double sum = 0;
    for (double& score : scores) sum += score = std::exp(score - max);
    value.resize(static_cast<std::size_t>(s.head_dim));
    bound.resize(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
      double absolute = 0;
      double largest = 0;
      for (int p = 0; p <= pool.position[token]; ++p) {
        const double weight = scores[static_cast<std::size_t>(p)] / sum;
        const double at =
            pool.v[pool.At(page_of(p), kv_head, static_cast<int>(i), p % s.page_size, false)];
        value[i] += weight * at;
        absolute += weight * std::fabs(at);
        largest = std::max(largest, std::fabs(at));
      }
      // Scores' error, halves of weights and V; weights too small for a half.
      bound[i] = absolute * (2.1 * score_error + 0x1.8p-9) + largest * 64 * 0x1p-24;
    }
  }
  double score_error = 0;
  std::vector<double> value;  // [head_dim]
  std::vector<double> bound;
};

void ExpectAttention(const Pool& pool, const std::vector<float>& out) {
  const Shape& s = pool.shape;
  std::size_t at = 0;
  for (std::size_t row = 0; row + 1 < pool.start.size(); ++row) {
    for (auto t = static_cast<std::size_t>(pool.start[row]);
         t < static_cast<std::size_t>(pool.start[row + 1]); ++t) {
      for (int head = 0; head < s.num_heads; ++head) {
        const Expected expected(pool, row, t, head);
        for (std::size_t i = 0; i < expected.value.size(); ++i, ++at) {
          if (!(std::fabs(out[at] - expected.value[i]) <= expected.bound[i])) {
            FAIL() << "row " << row << ", token " << t << ", head " << head << ", element " << i
                   << ": " << out[at] << " for " << expected.value[i] << " +- "
                   << expected.bound[i];
          }
        }
      }
    }
  }
}

// One goes from chunk to chunk. The last has an earlier level, and less than all of its chunk.
const std::vector<Row> kRows = {{130, 3, 0}, {0, 1, 0}, {64, 1, 4}, {58, 9, 0}, {129, 2, 8}};

TEST_P(AttentionConformanceTest, RowsOfAllKinds) {
  for (const DType dtype : {DType::kF16, DType::kF32}) {
    for (const int page_size : {1, 16}) {
      std::vector<Row> rows = kRows;
      for (Row& row : rows) row.num_shared = row.num_shared * 16 / page_size;
      const Pool pool({.dtype = dtype, .page_size = page_size}, rows);
      ExpectAttention(pool, Run(kernels(), pool));
    }
  }
}

TEST_P(AttentionConformanceTest, HeadsOfAllSizes) {
  for (const int head_dim : {8, 12, 24, 64, 256}) {
    for (const auto& [num_kv_heads, num_heads] : {std::pair{1, 1}, {1, 20}}) {
      const Pool pool({.head_dim = head_dim, .num_kv_heads = num_kv_heads, .num_heads = num_heads},
                      {{70, 1, 0}, {60, 4, 0}});
      ExpectAttention(pool, Run(kernels(), pool));
    }
  }
}

// The last tokens of the rows alone, with neither those before them nor the other rows.
TEST_P(AttentionConformanceTest, TokenHasTheSameBitsInPrefillDecodeAndAnyCompany) {
  const Pool pool({}, kRows);
  const std::vector<float> together = Run(kernels(), pool);
  const auto width = static_cast<std::size_t>(pool.shape.num_heads * pool.shape.head_dim);
  for (std::size_t row = 0; row < kRows.size(); ++row) {
    Pool alone = pool;
    const auto last = static_cast<std::size_t>(pool.start[row + 1] - 1);
    const auto q = pool.q.begin() + static_cast<std::ptrdiff_t>(last * width);
    alone.q.assign(q, q + static_cast<std::ptrdiff_t>(width));
    alone.position = {pool.position[last]};
    alone.start = {0, 1};
    alone.page_start = {pool.page_start[row], pool.page_start[row + 1]};
    const std::vector<float> out = Run(kernels(), alone);
    ExpectSameBytes<float>(std::span(together).subspan(last * width, width), out,
                           "row " + std::to_string(row));
  }
  if (is_cpu()) return;
  const auto other = emulated::NewDeviceKernels(GetParam().seed + 100);
  ExpectSameBytes<float>(together, Run(*other, pool), "another order of threads");
  EXPECT_TRUE(other->Wait().ok());
}

}  // namespace
}  // namespace espalier
