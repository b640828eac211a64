#include "radix/radix_edge.h"

#include <gtest/gtest.h>

#include <vector>

namespace espalier {
namespace {

using Tokens = std::vector<TokenId>;
using Pages = std::vector<PageId>;

Tokens TokensOf(const RadixEdge& edge) { return {edge.tokens().begin(), edge.tokens().end()}; }
Pages PagesOf(const RadixEdge& edge) { return {edge.pages().begin(), edge.pages().end()}; }

TEST(RadixEdge, HoldsWhatItIsGiven) {
  EXPECT_TRUE(RadixEdge().empty());
  EXPECT_TRUE(RadixEdge().tokens().empty() && RadixEdge().pages().empty());
  const RadixEdge edge(Tokens{1, 2, 3}, Pages{PageId{7}, PageId{5}});
  EXPECT_EQ(TokensOf(edge), (Tokens{1, 2, 3}));
  EXPECT_EQ(PagesOf(edge), (Pages{PageId{7}, PageId{5}}));
}

TEST(RadixEdge, GrowsPageByPageAndKeepsAll) {
  RadixEdge edge;
  Tokens tokens;
  Pages pages;
  for (int i = 0; i < 1000; ++i) {
    const Tokens more{2 * i, 2 * i + 1};
    edge.Append(more, Pages{PageId{i}});
    tokens.insert(tokens.end(), more.begin(), more.end());
    pages.push_back(PageId{i});
  }
  EXPECT_EQ(TokensOf(edge), tokens);
  EXPECT_EQ(PagesOf(edge), pages);
}

TEST(RadixEdge, SplitsIntoTwoThatHoldTheSame) {
  RadixEdge edge(Tokens{1, 2, 3, 4, 5}, Pages{PageId{1}, PageId{2}, PageId{3}});
  const RadixEdge front = edge.SplitFront(2, 1);
  EXPECT_EQ(TokensOf(front), (Tokens{1, 2}));
  EXPECT_EQ(PagesOf(front), (Pages{PageId{1}}));
  EXPECT_EQ(TokensOf(edge), (Tokens{3, 4, 5}));
  EXPECT_EQ(PagesOf(edge), (Pages{PageId{2}, PageId{3}}));
}

TEST(RadixEdge, GrowsAgainAfterItWasCutInAPartialPage) {
  RadixEdge edge(Tokens{1, 2, 3, 4, 5}, Pages{PageId{1}, PageId{2}, PageId{3}});
  edge.Truncate(4, 2);
  edge.Append(Tokens{6, 7}, Pages{PageId{4}});
  EXPECT_EQ(TokensOf(edge), (Tokens{1, 2, 3, 4, 6, 7}));
  EXPECT_EQ(PagesOf(edge), (Pages{PageId{1}, PageId{2}, PageId{4}}));
  edge.Truncate(2, 1);
  EXPECT_EQ(TokensOf(edge), (Tokens{1, 2}));
  EXPECT_EQ(PagesOf(edge), (Pages{PageId{1}}));
}

TEST(RadixEdge, MovedFromIsEmpty) {
  RadixEdge edge(Tokens{1}, Pages{PageId{1}});
  const RadixEdge other = std::move(edge);
  EXPECT_EQ(other.num_tokens(), 1);
  edge = RadixEdge();
  EXPECT_TRUE(edge.empty());
}

}  // namespace
}  // namespace espalier
