#include "runtime/cli/prompt_sharing.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace espalier
