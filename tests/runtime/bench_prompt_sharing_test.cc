#include "runtime/cli/bench/prompt_sharing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <span>

namespace espalier {
namespace {

TEST(PromptSharingTest, APromptCostsWhatIsOnNoEarlierPath) {
  PromptSharing sharing;
  sharing.Add({.prompt = {1, 2, 3, 5}, .output = {6}, .cached_tokens = 0});
  sharing.Add({.prompt = {1, 2, 3, 4}, .output = {7, 8}, .cached_tokens = 2});
  sharing.Add({.prompt = {1, 2, 3, 4, 7, 8, 9}, .output = {1}, .cached_tokens = 5});
  sharing.Add({.prompt = {1, 2, 3}, .output = {}, .cached_tokens = 0});
  const PromptSharing::Totals totals = sharing.Sum();
  EXPECT_EQ(totals.prompt_tokens, 18);
  EXPECT_EQ(totals.computed_tokens, 4 + 2 + 2 + 3);
  // In depth-first order: 123 costs 3, 1234 costs 1, 1234789 costs 1 (its output 7, 8 is
  // there), 1235 costs 1.
  EXPECT_EQ(totals.optimal_tokens, 6);
  EXPECT_DOUBLE_EQ(totals.optimal_hit_rate(), 1 - 6.0 / 18);
}

TEST(PromptSharingTest, TheSamePromptTwiceCostsOneTokenMore) {
  PromptSharing sharing;
  sharing.Add({.prompt = {1, 2, 3}});
  sharing.Add({.prompt = {1, 2, 3}});
  EXPECT_EQ(sharing.Sum().optimal_tokens, 4);
}

TEST(PromptSharingTest, ATokenTreeIsCountedOnce) {
  PromptSharing sharing;
  sharing.Add({.prompt = {1, 2}, .tree = 1});
  sharing.Add({.prompt = {1, 2, 3, 4}, .cached_tokens = 2, .tree = 1});
  sharing.Add({.prompt = {1, 2, 3, 5}, .cached_tokens = 2, .tree = 1});
  const PromptSharing::Totals totals = sharing.Sum();
  EXPECT_EQ(totals.prompt_tokens, 5);
  EXPECT_EQ(totals.computed_tokens, 6);
  EXPECT_EQ(totals.optimal_tokens, 5);
}

// A trie of maps, filled in the order of the prompts.
struct NaiveTrie {
  std::map<TokenId, NaiveTrie> children;

  // How many tokens of the path were not there.
  std::int64_t Add(std::span<const TokenId> path) {
    NaiveTrie* node = this;
    std::int64_t num_new = 0;
    for (const TokenId token : path) {
      const auto [child, is_new] = node->children.try_emplace(token);
      num_new += is_new ? 1 : 0;
      node = &child->second;
    }
    return num_new;
  }
};

TEST(PromptSharingTest, TheOptimumIsThatOfANaiveTrie) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::vector<PromptSharing::Request> requests(1 + random() % 20);
    for (PromptSharing::Request& request : requests) {
      request.prompt.resize(1 + random() % 6);
      request.output.resize(random() % 3);
      for (TokenId& token : request.prompt) token = static_cast<TokenId>(random() % 3);
      for (TokenId& token : request.output) token = static_cast<TokenId>(random() % 3);
    }
    PromptSharing sharing;
    for (const PromptSharing::Request& request : requests) sharing.Add(request);
    std::stable_sort(requests.begin(), requests.end(),
                     [](const auto& a, const auto& b) { return a.prompt < b.prompt; });
    NaiveTrie trie, distinct;
    std::int64_t optimal = 0, num_distinct = 0;
    for (const PromptSharing::Request& request : requests) {
      optimal += std::max<std::int64_t>(1, trie.Add(request.prompt));
      std::vector<TokenId> path = request.prompt;
      path.insert(path.end(), request.output.begin(), request.output.end());
      trie.Add(path);
      num_distinct += distinct.Add(path);
    }
    EXPECT_EQ(sharing.Sum().optimal_tokens, optimal);
    EXPECT_EQ(sharing.Sum().distinct_tokens, num_distinct);
  }
}

}  // namespace
}  // namespace espalier
