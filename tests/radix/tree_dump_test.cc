#include "radix/tree_dump.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "radix/prefix_cache.h"

namespace espalier {
namespace {

using Tokens = std::vector<TokenId>;

Tokens Text(std::string_view letters) { return Tokens(letters.begin(), letters.end()); }

void Cache(PrefixCache& cache, std::string_view letters, std::string_view key = {}) {
  const Tokens tokens = Text(letters);
  PrefixLease lease = cache.Acquire(tokens, key);
  ASSERT_TRUE(cache.Extend(lease, static_cast<int>(tokens.size()) + 1));
  lease.CopyDone();
  cache.Finish(lease, tokens);
}

TEST(TreeDump, OfAnEmptyCacheIsItsSize) {
  const PrefixCache cache(5, 4);
  const TreeDump dump = cache.Dump({});
  EXPECT_TRUE(dump.is_whole && dump.nodes.empty() && dump.name_spaces.empty());
  EXPECT_EQ(dump.num_pages, 5);
  EXPECT_EQ(dump.num_free, 5);
  EXPECT_EQ(dump.page_size, 4);
}

TEST(TreeDump, NodesStandBehindTheirParentsTheMostUsedFirst) {
  PrefixCache cache(32, 2);
  cache.SetTime(1000);
  Cache(cache, "xy");
  Cache(cache, "abcdef");
  Cache(cache, "abcdgh");
  Cache(cache, "abc", "key");
  cache.SetTime(3000);
  const PrefixLease lease = cache.Acquire(Text("abcd"));
  const TreeDump dump = cache.Dump({.max_tokens = 3});
  EXPECT_TRUE(dump.is_whole);
  ASSERT_EQ(dump.nodes.size(), 5u);
  const DumpedNode& shared = dump.nodes[0];
  EXPECT_EQ(shared.parent, -1);
  EXPECT_EQ(shared.num_tokens, 4);
  EXPECT_EQ(shared.tokens, Text("abc"));
  EXPECT_EQ(shared.num_uses, 2u);
  EXPECT_EQ(shared.num_leases, 1);
  EXPECT_EQ(shared.idle_us, 0u);
  EXPECT_FALSE(shared.is_leaf);
  int num_below = 0;
  for (const DumpedNode& node : dump.nodes) {
    if (node.parent != 0) continue;
    ++num_below;
    EXPECT_EQ(node.begin, 4);
    EXPECT_TRUE(node.is_leaf);
    EXPECT_NEAR(static_cast<double>(node.idle_us), 2000, 10);
  }
  EXPECT_EQ(num_below, 2);
  ASSERT_EQ(dump.name_spaces.size(), 2u);
  EXPECT_EQ(dump.name_spaces[1].extra_key, "key");
  EXPECT_EQ(dump.name_spaces[1].num_cached, 2);
}

TEST(TreeDump, IsBoundedAndSaysSo) {
  PrefixCache cache(3000, 1);
  for (int i = 0; i < 1000; ++i) {
    Cache(cache, std::string(1, static_cast<char>(i % 100)) + std::string(1, static_cast<char>(i)));
  }
  for (int i = 0; i < 100; ++i) Cache(cache, "a", "key" + std::to_string(i));
  EXPECT_EQ(cache.Dump({.max_nodes = 7}).nodes.size(), 7u);
  EXPECT_EQ(cache.Dump({.max_nodes = 7}).name_spaces.size(), 7u);
  EXPECT_EQ(cache.Dump({.max_nodes = 7}).num_name_spaces, 101);
  EXPECT_FALSE(cache.Dump({.max_nodes = 7}).is_whole);
  const TreeDump shallow = cache.Dump({.max_nodes = 5000, .max_depth = 1});
  EXPECT_EQ(shallow.nodes.size(), 200u);
  EXPECT_FALSE(shallow.is_whole);
  EXPECT_TRUE(cache.Dump({.max_nodes = 5000, .max_depth = 2}).is_whole);
}

}  // namespace
}  // namespace espalier
