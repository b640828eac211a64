#include "radix/edge.h"

#include <gtest/gtest.h>

#include <vector>

namespace espalier {
namespace {

using Tokens = std::vector<TokenId>;
using Pages = std::vector<PageId>;

Tokens TokensOf(const Edge& edge) { return {edge.tokens().begin(), edge.tokens().end()}; }
Pages PagesOf(const Edge& edge) { return {edge.pages().begin(), edge.pages().end()}; }

TEST(Edge, HoldsWhatItIsGiven) {
  EXPECT_TRUE(Edge().empty());
  EXPECT_TRUE(Edge().tokens().empty() && Edge().pages().empty());
  const Edge edge(Tokens{1, 2, 3}, Pages{PageId{7}, PageId{5}});
  EXPECT_EQ(TokensOf(edge), (Tokens{1, 2, 3}));
  EXPECT_EQ(PagesOf(edge), (Pages{PageId{7}, PageId{5}}));
}

TEST(Edge, GrowsPageByPageAndKeepsAll) {
  Edge edge;
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

TEST(Edge, SplitsIntoTwoThatHoldTheSame) {
  Edge edge(Tokens{1, 2, 3, 4, 5}, Pages{PageId{1}, PageId{2}, PageId{3}});
  const Edge front = edge.SplitFront(2, 1);
  EXPECT_EQ(TokensOf(front), (Tokens{1, 2}));
  EXPECT_EQ(PagesOf(front), (Pages{PageId{1}}));
  EXPECT_EQ(TokensOf(edge), (Tokens{3, 4, 5}));
  EXPECT_EQ(PagesOf(edge), (Pages{PageId{2}, PageId{3}}));
}

TEST(Edge, GrowsAgainAfterItWasCutInAPartialPage) {
  Edge edge(Tokens{1, 2, 3, 4, 5}, Pages{PageId{1}, PageId{2}, PageId{3}});
  edge.Truncate(4, 2);
  edge.Append(Tokens{6, 7}, Pages{PageId{4}});
  EXPECT_EQ(TokensOf(edge), (Tokens{1, 2, 3, 4, 6, 7}));
  EXPECT_EQ(PagesOf(edge), (Pages{PageId{1}, PageId{2}, PageId{4}}));
  edge.Truncate(2, 1);
  EXPECT_EQ(TokensOf(edge), (Tokens{1, 2}));
  EXPECT_EQ(PagesOf(edge), (Pages{PageId{1}}));
}

TEST(Edge, MovedFromIsEmpty) {
  Edge edge(Tokens{1}, Pages{PageId{1}});
  const Edge other = std::move(edge);
  EXPECT_EQ(other.num_tokens(), 1);
  edge = Edge();
  EXPECT_TRUE(edge.empty());
}

}  // namespace
}  // namespace espalier
