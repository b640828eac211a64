#include "runtime/cli/edit_buffer.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(CliEditBuffer, InsertsAtTheCursorAndMovesByWholeCharacters) {
  EditBuffer line;
  line.Insert("añ");
  line.Insert("語");
  line.Left();
  EXPECT_EQ(line.cursor(), 3u);
  line.Left();
  EXPECT_EQ(line.cursor(), 1u);
  line.Insert("-");
  EXPECT_EQ(line.text(), "a-ñ語");
  line.Right();
  line.EraseBefore();
  EXPECT_EQ(line.text(), "a-語");
  line.EraseAt();
  EXPECT_EQ(line.text(), "a-");
}

TEST(CliEditBuffer, StaysPutAtBothEnds) {
  EditBuffer line;
  line.EraseBefore();
  line.EraseAt();
  line.EraseWordBefore();
  line.Left();
  line.Right();
  line.WordLeft();
  line.WordRight();
  line.Older();
  line.Newer();
  EXPECT_EQ(line.text(), "");
  EXPECT_EQ(line.cursor(), 0u);
}

TEST(CliEditBuffer, ErasesWordsAndEnds) {
  EditBuffer line;
  line.Insert("one two  three");
  line.EraseWordBefore();
  EXPECT_EQ(line.text(), "one two  ");
  line.EraseWordBefore();
  EXPECT_EQ(line.text(), "one ");
  line.Insert("two");
  line.WordLeft();
  line.EraseToEnd();
  EXPECT_EQ(line.text(), "one ");
  line.WordLeft();
  line.WordRight();
  line.EraseToStart();
  EXPECT_EQ(line.text(), " ");
}

TEST(CliEditBuffer, HistoryGivesBackWhatWasBeingTyped) {
  EditBuffer line;
  line.Insert("first");
  EXPECT_EQ(line.Take(), "first");
  line.Insert("second");
  EXPECT_EQ(line.Take(), "second");
  line.Insert("half");
  line.Older();
  EXPECT_EQ(line.text(), "second");
  line.Older();
  line.Older();
  EXPECT_EQ(line.text(), "first");
  line.Newer();
  line.Newer();
  EXPECT_EQ(line.text(), "half");
  EXPECT_EQ(line.cursor(), 4u);
}

TEST(CliEditBuffer, RemembersNeitherEmptyLinesNorRepeats) {
  EditBuffer line;
  for (const char* text : {"same", "same", ""}) {
    line.Insert(text);
    EXPECT_EQ(line.Take(), text);
  }
  line.Older();
  EXPECT_EQ(line.text(), "same");
  line.Older();
  EXPECT_EQ(line.text(), "same");
  line.Newer();
  EXPECT_EQ(line.text(), "");
}

}  // namespace
}  // namespace espalier
