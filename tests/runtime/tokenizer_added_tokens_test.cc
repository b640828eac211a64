// Finding added tokens: the longest at the leftmost place, against trying them all.
#include <gtest/gtest.h>

#include <random>

#include "runtime/tokenizer/added_tokens.h"

namespace espalier {
namespace {

AddedTokenFinder MakeFinder(std::vector<AddedToken> tokens) {
  auto finder = AddedTokenFinder::Create(std::move(tokens));
  EXPECT_TRUE(finder.ok()) << finder.status().message();
  return *std::move(finder);
}

// The text with each match as [token], its bounds shown by what is left.
std::string Marked(const AddedTokenFinder& finder, std::string_view text,
                   SpecialTokens special = SpecialTokens::kParse) {
  std::string marked;
  std::size_t pos = 0;
  while (const auto match = finder.Find(text, pos, special)) {
    EXPECT_GE(match->start, pos);
    EXPECT_GT(match->end, match->start);
    marked += text.substr(pos, match->start - pos);
    marked += "[" + std::to_string(match->token) + "]";
    pos = match->end;
  }
  return marked += text.substr(pos);
}

std::string NaivelyMarked(const std::vector<AddedToken>& tokens, std::string_view text,
                          SpecialTokens special) {
  std::string marked;
  for (std::size_t pos = 0; pos < text.size();) {
    const AddedToken* best = nullptr;
    for (const AddedToken& token : tokens) {
      if (special == SpecialTokens::kAsText && token.special) continue;
      if (!text.substr(pos).starts_with(token.text)) continue;
      if (best == nullptr || token.text.size() > best->text.size()) best = &token;
    }
    if (best == nullptr) {
      marked += text[pos++];
    } else {
      marked += "[" + std::to_string(best->token) + "]";
      pos += best->text.size();
    }
  }
  return marked;
}

TEST(AddedTokens, LongestAtTheLeftmostPlaceEqualsTryingAll) {
  std::mt19937 random(5);
  const auto word = [&](std::size_t max_size) {
    std::string text;
    for (std::size_t size = 1 + random() % max_size; text.size() < size;) {
      text += "ab|"[random() % 3];
    }
    return text;
  };
  for (int round = 0; round < 300; ++round) {
    std::vector<AddedToken> tokens;
    for (TokenId i = 0; i < 6; ++i) {
      const std::string text = word(5);
      const auto same = [&](const AddedToken& token) { return token.text == text; };
      if (std::find_if(tokens.begin(), tokens.end(), same) != tokens.end()) continue;
      tokens.push_back({.token = i, .text = text, .special = random() % 2 == 0});
    }
    const AddedTokenFinder finder = MakeFinder(tokens);
    for (int i = 0; i < 20; ++i) {
      const std::string text = word(20);
      for (const auto special : {SpecialTokens::kParse, SpecialTokens::kAsText}) {
        ASSERT_EQ(Marked(finder, text, special), NaivelyMarked(tokens, text, special)) << text;
      }
    }
  }
}

TEST(AddedTokens, StripTakesWhiteSpaceAlong) {
  const auto finder = MakeFinder({{.token = 1, .text = "<l>", .strip_left = true},
                                  {.token = 2, .text = "<r>", .strip_right = true}});
  EXPECT_EQ(Marked(finder, "a \u3000\n<l> b"), "a[1] b");
  EXPECT_EQ(Marked(finder, "a <r>\t\u3000 b"), "a [2]b");
  // White space that one match has taken is not there for the next.
  EXPECT_EQ(Marked(finder, "<r>  <l>"), "[2][1]");
  EXPECT_EQ(Marked(finder, "  <l>  "), "[1]  ");
}

TEST(AddedTokens, SingleWordsTouchNoWordCharacter) {
  const auto finder = MakeFinder({{.token = 1, .text = "ab", .single_word = true}});
  EXPECT_EQ(Marked(finder,
                   "ab ab, (ab) \xFF"
                   "ab"),
            "[1] [1], ([1]) \xFF[1]");
  EXPECT_EQ(Marked(finder, "xab abx ab_ \u00E9ab ab1"), "xab abx ab_ \u00E9ab ab1");
}

TEST(AddedTokens, OnesWithoutTextAreIgnored) {
  const auto finder = MakeFinder({{.token = 1, .text = ""}, {.token = 2, .text = "x"}});
  EXPECT_EQ(Marked(finder, "axb"), "a[2]b");
  EXPECT_EQ(Marked(MakeFinder({}), "axb"), "axb");
}

TEST(AddedTokens, TooMuchTextIsRefused) {
  const AddedToken longest{.token = 1, .text = std::string(1024, 'x')};
  EXPECT_TRUE(AddedTokenFinder::Create({longest}).ok());
  const AddedToken longer{.token = 1, .text = std::string(1025, 'x')};
  EXPECT_EQ(AddedTokenFinder::Create({longer}).status().code(), Code::kLimit);
  EXPECT_EQ(AddedTokenFinder::Create(std::vector<AddedToken>(4097, longest)).status().code(),
            Code::kLimit);
}

}  // namespace
}  // namespace espalier
