#include "runtime/model/kv_pool.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace espalier {
namespace {

constexpr KvShape kShape{.num_layers = 3, .num_kv_heads = 2, .head_dim = 5, .page_size = 16};

TEST(KvPoolTest, LayersAndSidesAreApartAndWritable) {
  KvPool pool = KvPool::Create(kShape, 7).value();
  const std::size_t side = std::size_t{7} * 16 * 2 * 5 * 2;
  for (int i = 0; i < 3; ++i) {
    std::memset(pool.layer(i).k, 2 * i + 1, side);
    std::memset(pool.layer(i).v, 2 * i + 2, side);
  }
  for (int i = 0; i < 3; ++i) {
    const auto* k = static_cast<const char*>(pool.layer(i).k);
    const auto* v = static_cast<const char*>(pool.layer(i).v);
    EXPECT_EQ(k[0], 2 * i + 1);
    EXPECT_EQ(k[side - 1], 2 * i + 1);
    EXPECT_EQ(v[0], 2 * i + 2);
    EXPECT_EQ(v[side - 1], 2 * i + 2);
  }
}

TEST(KvPoolTest, BytesOfATokenCountAllLayersAndBothSides) {
  EXPECT_EQ(kShape.bytes_per_token(), 3 * 2 * 2 * 5 * 2);
  KvShape exact = kShape;
  exact.dtype = DType::kF32;
  EXPECT_EQ(exact.bytes_per_token(), 2 * kShape.bytes_per_token());
}

TEST(KvPoolTest, ImpossibleShapesAreRefused) {
  EXPECT_EQ(KvPool::Create(kShape, 0).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(KvPool::Create(kShape, -1).status().code(), Code::kInvalidArgument);
  KvShape odd = kShape;
  odd.page_size = 24;  // no divisor of the attention chunk
  EXPECT_EQ(KvPool::Create(odd, 1).status().code(), Code::kInvalidArgument);
  odd = kShape;
  odd.dtype = DType::kQ8_0;
  EXPECT_EQ(KvPool::Create(odd, 1).status().code(), Code::kInvalidArgument);
  KvShape huge{.num_layers = 512, .num_kv_heads = 1 << 20, .head_dim = 1 << 20};
  EXPECT_FALSE(KvPool::Create(huge, std::numeric_limits<int>::max()).ok());
}

TEST(KvPoolTest, MovesKeepTheMemory) {
  KvPool pool = KvPool::Create(kShape, 2).value();
  void* const memory = pool.layer(0).k;
  KvPool moved = std::move(pool);
  EXPECT_EQ(moved.layer(0).k, memory);
  EXPECT_EQ(moved.num_pages(), 2);
}

}  // namespace
}  // namespace espalier
