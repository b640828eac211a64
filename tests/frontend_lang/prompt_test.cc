#include "frontend_lang/prompt.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(PromptTest, GrowsAtItsEndAndCopiesGoTheirOwnWay) {
  Prompt prompt;
  EXPECT_TRUE(prompt.empty());
  EXPECT_EQ(prompt.Text(), "");
  prompt.Append("one ");
  prompt.Append("two");
  EXPECT_EQ(prompt.last()->before, nullptr);  // one piece
  Prompt left = prompt;
  Prompt right = prompt;
  left.Append(" left");
  right.AppendGenerated(" right", {1, 2});
  right.Append("!");
  prompt.Append(" three");
  EXPECT_EQ(left, "one two left");
  EXPECT_EQ(right, "one two right!");
  EXPECT_EQ(prompt, "one two three");
  EXPECT_EQ(left.last()->before, right.last()->before->before);  // shared, not copied
}

TEST(PromptTest, TextMayBeginAnywhere) {
  Prompt prompt("abc");
  const Prompt shared = prompt;
  prompt.Append("def");
  prompt.AppendGenerated("ghi", {7});
  for (std::size_t from = 0; from <= 9; ++from) {
    EXPECT_EQ(prompt.Text(from), std::string("abcdefghi").substr(from)) << from;
  }
  EXPECT_EQ(shared.size(), 3u);
}

TEST(PromptTest, ALongOneGoesWithoutDeepRecursion) {
  Prompt prompt;
  for (int i = 0; i < 1'000'000; ++i) prompt.AppendGenerated("x", {i});
  EXPECT_EQ(prompt.size(), 1'000'000u);
}

TEST(PromptTest, APieceWithANoteStaysAsItIs) {
  class Note final : public PieceNote {};
  Prompt prompt("a");
  prompt.last()->note = std::make_shared<Note>();
  prompt.Append("b");
  EXPECT_EQ(prompt.last()->text, "b");
  EXPECT_EQ(prompt.last()->before->text, "a");
}

}  // namespace
}  // namespace espalier
