#include "runtime/cli/line_reader.h"

#include <gtest/gtest.h>

#include <fstream>
#include <vector>

#include "tests/support/scratch_folder.h"

namespace espalier {
namespace {

class CliLineReader : public testing::Test {
 protected:
  std::vector<LineReader::Line> Lines(const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
    Result<LineReader> reader = LineReader::Open(path_);
    std::vector<LineReader::Line> lines;
    while (!reader->at_end()) {
      if (std::optional<LineReader::Line> line = reader->Next()) {
        lines.push_back(std::move(*line));
      } else {
        EXPECT_TRUE(reader->ReadSome().ok());
      }
    }
    return lines;
  }

  std::vector<std::string> Texts(const std::string& text) {
    std::vector<std::string> texts;
    for (const LineReader::Line& line : Lines(text)) texts.push_back(line.text);
    return texts;
  }

  const test::ScratchFolder folder_;
  const std::string path_ = folder_ / "lines.txt";
};

TEST_F(CliLineReader, SplitsAtLineEnds) {
  EXPECT_EQ(Texts("a\n\nbc\n"), (std::vector<std::string>{"a", "", "bc"}));
  EXPECT_EQ(Texts("a\nb"), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(Texts("").empty());
  EXPECT_EQ(Texts("\n"), (std::vector<std::string>{""}));
}

TEST_F(CliLineReader, JoinsLinesAcrossReads) {
  std::string text;
  std::vector<std::string> expected;
  for (std::size_t i = 0; i < 300; ++i) {
    expected.push_back(std::string(i * 97 % 5000, static_cast<char>('a' + i % 26)));
    text += expected.back() + "\n";
  }
  EXPECT_EQ(Texts(text), expected);
}

TEST_F(CliLineReader, ReportsALineThatIsTooLongOnceAndGoesOn) {
  const std::string huge(3 * LineReader::kMaxLineBytes, 'x');
  const std::vector<LineReader::Line> lines = Lines("a\n" + huge + "\nb\n");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_FALSE(lines[0].too_long);
  EXPECT_TRUE(lines[1].too_long);
  EXPECT_EQ(lines[2].text, "b");
  EXPECT_EQ(lines[2].number, 3);
}

TEST_F(CliLineReader, LinesAreNumberedWithTheEmptyOnes) {
  const std::vector<LineReader::Line> lines = Lines("a\n\nb");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].number, 1);
  EXPECT_EQ(lines[2].number, 3);
  const Status placed = AtLine(3, Status(Code::kLimit, "too much"));
  EXPECT_EQ(placed.message(), "line 3: too much");
  EXPECT_EQ(placed.code(), Code::kLimit);
}

TEST_F(CliLineReader, AMovedReaderGoesOnWhereItWas) {
  std::ofstream(path_, std::ios::binary) << "one\na longer second line\nthree";
  Result<LineReader> first = LineReader::Open(path_);
  ASSERT_TRUE(first.ok());
  ASSERT_TRUE(first->ReadSome().ok());
  EXPECT_EQ(first->Next()->text, "one");
  LineReader second = std::move(first).value();
  EXPECT_EQ(second.Next()->text, "a longer second line");
  EXPECT_EQ(second.fraction(), 1.0);
  ASSERT_TRUE(second.ReadSome().ok());
  const std::optional<LineReader::Line> last = second.Next();
  ASSERT_TRUE(last.has_value());
  EXPECT_EQ(last->text, "three");
  EXPECT_EQ(last->number, 3);
}

TEST_F(CliLineReader, AMissingFileIsNotFound) {
  EXPECT_EQ(LineReader::Open("/nowhere/at/all").status().code(), Code::kNotFound);
  const Status folder = LineReader::Open(folder_.path()).status();
  EXPECT_EQ(folder.code(), Code::kInvalidArgument);
  EXPECT_NE(folder.message().find("folder"), std::string::npos) << folder.message();
}

}  // namespace
}  // namespace espalier
