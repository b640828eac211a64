#include "radix/common_prefix.h"

#include <gtest/gtest.h>

#include <vector>

namespace espalier {
namespace {

TEST(CommonPrefix, FindsTheFirstDifferenceWhereverItStands) {
  for (int size : {0, 1, 255, 256, 257, 511, 512, 513, 1000}) {
    const std::vector<TokenId> a(static_cast<std::size_t>(size), 7);
    EXPECT_EQ(CommonPrefix(a, a), size);
    for (int at = 0; at < size; ++at) {
      std::vector<TokenId> b = a;
      b[static_cast<std::size_t>(at)] = 7 + (1 << 24);  // differs in its highest byte
      ASSERT_EQ(CommonPrefix(a, b), at);
    }
  }
}

TEST(CommonPrefix, EndsWithTheShorter) {
  const std::vector<TokenId> a(600, 1);
  for (std::size_t size = 0; size <= 600; ++size) {
    const auto b = std::span(a).first(size);
    ASSERT_EQ(CommonPrefix(a, b), static_cast<int>(size));
    ASSERT_EQ(CommonPrefix(b, a), static_cast<int>(size));
  }
}

}  // namespace
}  // namespace espalier
