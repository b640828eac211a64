// Every string of up to four bytes, in every split, against an oracle that knows
// UTF-8 only as "the encodings of all scalar values".
#include <gtest/gtest.h>

#include <set>

#include "kernels/base/utf8.h"
#include "runtime/tokenizer/detokenizer.h"

namespace espalier {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Bytes at both sides of every bound in the UTF-8 tables.
constexpr std::string_view kBytes =
    "\x41\x7F\x80\x8F\x90\x9F\xA0\xBF\xC1\xC2\xDF\xE0\xE1\xED\xEE\xF0\xF1\xF4\xF5\xFF";

struct Utf8Sets {
  std::set<std::string, std::less<>> whole;     // encodings of all scalar values
  std::set<std::string, std::less<>> prefixes;  // ... and what they begin with
};

const Utf8Sets& Sets() {
  static const Utf8Sets sets = [] {
    Utf8Sets made;
    for (char32_t code = 0; code < 0x110000; ++code) {
      if (code >= 0xD800 && code < 0xE000) continue;
      std::string text;
      AppendCodePoint(text, code);
      for (std::size_t size = 1; size < text.size(); ++size) {
        made.prefixes.insert(text.substr(0, size));
      }
      // Only those over kBytes, and the replacement, are ever asked for.
      if (code == 0xFFFD || text.find_first_not_of(kBytes) == std::string::npos)
        made.whole.insert(text);
    }
    return made;
  }();
  return sets;
}

std::string Oracle(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    std::size_t size = 1;
    bool valid = false;
    for (std::size_t n = 1; n <= bytes.size() && n <= 4; ++n) {
      if (Sets().whole.contains(bytes.substr(0, n))) valid = true, size = n;
      if (Sets().prefixes.contains(bytes.substr(0, n))) size = n;
    }
    text += valid ? bytes.substr(0, size) : kReplacement;
    bytes.remove_prefix(size);
  }
  return text;
}

// Bit i of `cuts`: a new Feed begins after byte i.
std::string FeedInPieces(std::string_view bytes, unsigned cuts) {
  Detokenizer detokenizer;
  std::string text;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i + 1 < bytes.size() && (cuts >> i & 1) == 0) continue;
    const std::string piece = detokenizer.Feed(bytes.substr(begin, i + 1 - begin));
    EXPECT_EQ(piece, Oracle(piece)) << "half a character came out";
    text += piece;
    begin = i + 1;
  }
  return text + detokenizer.Finish();
}

void TryAll(std::string& bytes, std::size_t max_size) {
  const std::string expected = Oracle(bytes);
  const unsigned num_cuts = bytes.empty() ? 1 : 1u << (bytes.size() - 1);
  for (unsigned cuts = 0; cuts < num_cuts; ++cuts) {
    ASSERT_EQ(FeedInPieces(bytes, cuts), expected) << ::testing::PrintToString(bytes);
  }
  if (bytes.size() == max_size) return;
  for (const char byte : kBytes) {
    bytes.push_back(byte);
    ASSERT_NO_FATAL_FAILURE(TryAll(bytes, max_size));
    bytes.pop_back();
  }
}

TEST(Detokenizer, EveryShortByteStringInEverySplitEqualsTheOracle) {
  std::string bytes;
  TryAll(bytes, 4);
}

TEST(Detokenizer, GivesACharacterWithItsLastByte) {
  Detokenizer detokenizer;
  EXPECT_EQ(detokenizer.Feed("\xF0\x9F"), "");
  EXPECT_EQ(detokenizer.Feed("\x99"), "");
  EXPECT_EQ(detokenizer.Feed("\x82!"), "\xF0\x9F\x99\x82!");
  EXPECT_EQ(detokenizer.Finish(), "");
}

TEST(Detokenizer, FinishReplacesAnUnfinishedCharacterOnce) {
  Detokenizer detokenizer;
  EXPECT_EQ(detokenizer.Feed("a\xF0\x9F\x99"), "a");
  EXPECT_EQ(detokenizer.Finish(), kReplacement);
  EXPECT_EQ(detokenizer.Finish(), "");
  EXPECT_EQ(detokenizer.Feed("b"), "b");
}

// The Unicode standard, table 3-8: replacement of maximal subparts.
TEST(Detokenizer, ReplacesAsTheUnicodeStandardShows) {
  Detokenizer detokenizer;
  const std::string r(kReplacement);
  EXPECT_EQ(detokenizer.Feed("\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64"),
            "a" + r + r + r + "b" + r + "c" + r + r + "d");
}

TEST(Utf8, AllScalarValuesComeBack) {
  for (char32_t code = 0; code < 0x110000; ++code) {
    if (code >= 0xD800 && code < 0xE000) continue;
    std::string text;
    AppendCodePoint(text, code);
    const Utf8Char read = ReadUtf8(text, 0);
    ASSERT_EQ(read.kind, Utf8Kind::kValid);
    ASSERT_EQ(read.code, code);
    ASSERT_EQ(read.size, text.size());
  }
}

TEST(Utf8, PrintableIsShortAndWellFormed) {
  EXPECT_EQ(Printable("a\xFFz\n"), "a\xEF\xBF\xBDz?");
  EXPECT_LT(Printable(std::string(100000, '\xFF')).size(), 200u);
}

}  // namespace
}  // namespace espalier
