// Attention and the KV pool: each instruction set gives the reference's bits, and nothing
// but a token's own positions enters its result.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "kernels/kernels.h"
#include "tests/kernels/random_tensor.h"

namespace espalier {
namespace {

using test::RandomFloats;

struct Shape {
  DType dtype = DType::kF16;
  int page_size = 16;
  int head_dim = 64;
  int num_kv_heads = 3;
  int num_heads = 9;
};

struct Row {
  int num_tokens;
  int first_position;
  int shared_with = -1;  // an earlier row, whose first pages this one has
  int num_shared = 0;    // pages
};

// Rows with their own shuffled pages, stored and attended to with one Kernels. Pages hold
// NaN wherever nothing was stored.
class Trial {
 public:
  Trial(const Shape& shape, const std::vector<Row>& rows, unsigned seed)
      : shape_(shape), rows_(rows) {
    start_ = {0};
    page_start_ = {0};
    std::int32_t next = 0;
    for (const Row& row : rows) {
      start_.push_back(start_.back() + row.num_tokens);
      const int length = row.first_position + row.num_tokens;
      const int num_pages = (length + shape.page_size - 1) / shape.page_size;
      for (int t = 0; t < row.num_tokens; ++t) position_.push_back(row.first_position + t);
      for (int i = 0; i < num_pages; ++i) {
        const bool shared = i < row.num_shared;
        const auto of = static_cast<std::size_t>(shared ? row.shared_with : 0);
        pages_.push_back(shared ? pages_[static_cast<std::size_t>(page_start_[of] + i)]
                                : PageId{next++});
      }
      page_start_.push_back(page_start_.back() + num_pages);
    }
    std::vector<PageId> shuffled;
    for (std::int32_t i = 0; i < next; ++i) shuffled.push_back(PageId{i});
    std::mt19937 rng(seed);
    std::shuffle(shuffled.begin(), shuffled.end(), rng);
    for (PageId& page : pages_) page = shuffled[static_cast<std::size_t>(Index(page))];
    const std::size_t elements = shuffled.size() * PageElements();
    const auto bytes = static_cast<std::size_t>(Traits(shape.dtype).block_bytes);
    k_.assign(elements * bytes, 0xff);
    v_.assign(elements * bytes, 0xff);
    q_ = RandomFloats(position_.size() * HeadsSize(shape.num_heads), seed + 1, 2);
  }

  std::vector<float> Run(Kernels& kernels) {
    StoreAll(kernels);
    std::vector<float> out(q_.size(), -7.0f);
    kernels.PlanAttention({start_, position_, page_start_, pages_}, shape_.page_size);
    kernels.Attention(q_.data(), Layer(), shape_.num_heads, 0.125f, out.data());
    return out;
  }

  KvLayer Layer() {
    return {k_.data(),           v_.data(),       shape_.dtype,
            shape_.num_kv_heads, shape_.head_dim, shape_.page_size};
  }
  const std::vector<std::uint8_t>& k_bytes() const { return k_; }
  const std::vector<std::uint8_t>& v_bytes() const { return v_; }

 private:
  std::size_t HeadsSize(int num_heads) const {
    return static_cast<std::size_t>(num_heads) * static_cast<std::size_t>(shape_.head_dim);
  }
  std::size_t PageElements() const {
    return HeadsSize(shape_.num_kv_heads) * static_cast<std::size_t>(shape_.page_size);
  }

  // K and V depend on (row, position) only.
  void StoreAll(Kernels& kernels) {
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const int length = rows_[r].first_position + rows_[r].num_tokens;
      std::vector<std::int32_t> slots;
      for (int p = rows_[r].num_shared * shape_.page_size; p < length; ++p) {
        const auto page = static_cast<std::size_t>(page_start_[r] + p / shape_.page_size);
        slots.push_back(Index(pages_[page]) * shape_.page_size + p % shape_.page_size);
      }
      std::vector<std::int32_t> slot_start(slots.size() + 1);
      std::iota(slot_start.begin(), slot_start.end(), 0);
      const std::size_t size = slots.size() * HeadsSize(shape_.num_kv_heads);
      const auto seed = static_cast<unsigned>(rows_[r].first_position * 100 + 1);
      const auto k = RandomFloats(size, seed);
      const auto v = RandomFloats(size, seed + 1);
      kernels.StoreKv(k.data(), v.data(), slot_start, slots, Layer());
    }
  }

  Shape shape_;
  std::vector<Row> rows_;
  std::vector<std::int32_t> start_;
  std::vector<std::int32_t> position_;
  std::vector<std::int32_t> page_start_;
  std::vector<PageId> pages_;
  std::vector<std::uint8_t> k_;
  std::vector<std::uint8_t> v_;
  std::vector<float> q_;
};

void ExpectSameBits(const std::vector<float>& expected, const std::vector<float>& actual,
                    const std::string& what) {
  ASSERT_EQ(expected.size(), actual.size());
  EXPECT_EQ(std::memcmp(expected.data(), actual.data(), expected.size() * sizeof(float)), 0)
      << what;
}

void CompareAll(const Shape& shape, const std::vector<Row>& rows, const std::string& what) {
  ThreadPool one(1);
  Trial trial(shape, rows, 1);
  const auto reference = MakeKernels({.isa = "scalar"}, one).value();
  const auto expected = trial.Run(*reference);
  for (const float x : expected) ASSERT_TRUE(std::isfinite(x)) << what;
  for (const std::string_view isa : AvailableIsas()) {
    for (const int num_threads : {1, 2}) {
      ThreadPool pool(num_threads);
      const auto kernels = MakeKernels({.isa = std::string(isa)}, pool).value();
      Trial other(shape, rows, 1);
      ExpectSameBits(expected, other.Run(*kernels), std::string(isa) + " " + what);
      EXPECT_EQ(trial.k_bytes(), other.k_bytes()) << isa << " StoreKv " << what;
      EXPECT_EQ(trial.v_bytes(), other.v_bytes()) << isa << " StoreKv " << what;
    }
  }
}

TEST(AttentionIsaTest, EveryPageSize) {
  for (const int page_size : {1, 2, 4, 8, 16, 32, 64}) {
    for (const DType dtype : {DType::kF16, DType::kF32}) {
      CompareAll({.dtype = dtype, .page_size = page_size},
                 {{1, 0}, {3, 62}, {1, 63}, {1, 64}, {20, 0}, {9, 120}},
                 "page size " + std::to_string(page_size) + " " + Traits(dtype).name);
    }
  }
}

TEST(AttentionIsaTest, EveryLengthAcrossChunks) {
  const Shape shape{.head_dim = 8, .num_kv_heads = 1, .num_heads = 2};
  for (int length = 1; length <= 140; ++length) {
    CompareAll(shape, {{1, length - 1}}, "length " + std::to_string(length));
  }
}

TEST(AttentionIsaTest, OddHeads) {
  for (const int head_dim : {1, 2, 7, 12, 64, 80, 128, 256}) {
    for (const int group : {1, 3, 8}) {
      CompareAll({.head_dim = head_dim, .num_kv_heads = 2, .num_heads = 2 * group},
                 {{2, 70}, {5, 3}}, "head_dim " + std::to_string(head_dim));
    }
  }
}

// Forks of forks, in no order; some end where they began to differ, some in a chunk's middle.
TEST(AttentionIsaTest, SharedPrefixes) {
  const std::vector<Row> rows = {
      {1, 300},        {1, 310, 0, 8}, {5, 160, 0, 10}, {1, 400, 1, 16}, {1, 64},
      {1, 400, 3, 24}, {17, 64, 4, 4}, {1, 130, 0, 8},  {1, 127, 0, 8},  {1, 401, 5, 25},
      {1, 300, 1, 12}, {1, 63},        {2, 126, 7, 7},  {1, 200, 4, 3},
  };
  for (const DType dtype : {DType::kF16, DType::kF32}) {
    for (const int group : {1, 3, 4}) {
      CompareAll({.dtype = dtype, .num_kv_heads = 2, .num_heads = 2 * group}, rows,
                 "shared prefixes, group " + std::to_string(group));
    }
  }
}

TEST(AttentionIsaTest, SharingPagesChangesNoBits) {
  ThreadPool pool(2);
  const auto kernels = MakeKernels({}, pool).value();
  const Shape shape;
  // Both rows see what row 0 stored; the second trial's row has it in pages of its own.
  Trial shared(shape, {{1, 255}, {1, 255, 0, 16}}, 1);
  const auto both = shared.Run(*kernels);
  Trial alone(shape, {{1, 255}}, 1);
  const auto one = alone.Run(*kernels);
  EXPECT_EQ(std::memcmp(both.data(), one.data(), one.size() * sizeof(float)), 0);
}

TEST(AttentionIsaTest, ARowAloneEqualsTheRowInABatch) {
  ThreadPool pool(2);
  const auto kernels = MakeKernels({}, pool).value();
  const Shape shape;
  Trial batch(shape, {{17, 40}, {1, 99}, {8, 0}}, 1);
  const auto all = batch.Run(*kernels);
  // Both trials draw the same queries in the same order, so the first rows are the same.
  Trial alone(shape, {{17, 40}}, 1);
  const auto first = alone.Run(*kernels);
  EXPECT_EQ(std::memcmp(all.data(), first.data(), first.size() * sizeof(float)), 0);
}

TEST(AttentionIsaTest, CopyPagesCopiesTheNamedSlotsOnly) {
  ThreadPool pool(1);
  const auto kernels = MakeKernels({}, pool).value();
  constexpr int kHeads = 2, kDim = 3, kPage = 4;
  std::vector<float> k(3 * kHeads * kDim * kPage), v(k.size());
  std::iota(k.begin(), k.end(), 0.0f);
  std::iota(v.begin(), v.end(), 1000.0f);
  const auto old_k = k, old_v = v;
  const KvLayer layer{k.data(), v.data(), DType::kF32, kHeads, kDim, kPage};
  kernels->CopyPages(std::vector<PageCopy>{{PageId{0}, PageId{2}, 3}}, layer);
  const auto at = [&](int page, int head, int a, int size_a, int b, int size_b) {
    return static_cast<std::size_t>(((page * kHeads + head) * size_a + a) * size_b + b);
  };
  for (int page = 0; page < 3; ++page) {
    for (int i = 0; i < kHeads * kDim * kPage; ++i) {
      const int head = i / (kDim * kPage), dim = i / kPage % kDim, slot = i % kPage;
      const int from = page == 2 && slot < 3 ? 0 : page;
      EXPECT_EQ(k[at(page, head, dim, kDim, slot, kPage)],
                old_k[at(from, head, dim, kDim, slot, kPage)]);
      EXPECT_EQ(v[at(page, head, slot, kPage, dim, kDim)],
                old_v[at(from, head, slot, kPage, dim, kDim)]);
    }
  }
}

}  // namespace
}  // namespace espalier
