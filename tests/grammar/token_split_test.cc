// Splits against a walk over each token, for regexes with runs of plain text of all kinds.
#include "grammar/token_split.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "grammar/fuel.h"
#include "grammar/plain_run.h"
#include "grammar/regex/pattern.h"
#include "grammar/regex/text_regex.h"
#include "grammar/vocabulary.h"

namespace espalier {
namespace {

constexpr const char* kPatterns[] = {
    "^[^/]+$",   "^[^/]{2,5}$",   "^[^/]{0,40}$", "^[a-z]+$",         "^[a-z]{3}$", "^[A-Za-z]*/x",
    "^\\S+$",    "^[^/ ]*@[^.]+", "^(?!a)[^/]*$", "^[\\x20-\\x7E]*$", "^\\w{1,4}$", ".",
    "^[^a-e]*$", "^[^\u00e9/]+$", "^([^/]|//)*$", "^[^/]*(/|$)"};

std::vector<std::string> RandomTokens(std::size_t num_tokens) {
  const std::vector<std::string> pieces = {"a",
                                           "e",
                                           "k",
                                           "Z",
                                           "/",
                                           " ",
                                           "@",
                                           ".",
                                           "\xC3\xA9",
                                           "\xC3",
                                           "\xE2\x80\xA8",
                                           "\xC2\xA0",
                                           "\xE2\x80\x83",
                                           "\xE3\x80\x80",
                                           "\xE2\x80\x94",
                                           "\x01",
                                           "0",
                                           "\"",
                                           ",",
                                           "\\",
                                           "n",
                                           "\\n",
                                           "word",
                                           "\xF0\x9F\x98\x80"};
  std::mt19937 random(7);
  std::vector<std::string> tokens;
  for (const std::string& piece : pieces) tokens.push_back(piece);
  while (tokens.size() < num_tokens) {
    std::string token;
    for (std::size_t i = random() % 40 == 0 ? 20 : 1 + random() % 5; i > 0; --i) {
      token += pieces[random() % pieces.size()];
    }
    tokens.push_back(std::move(token));
  }
  return tokens;
}

// (token, where its tail starts); 0: inside
using Findings = std::set<std::pair<TokenId, std::size_t>>;

bool IsShort(std::string_view bytes) { return bytes.size() <= VocabularySlices::kMaxShortBytes; }

Findings Expected(RegexSet& set, RegexId regex, const Vocabulary& vocabulary) {
  Findings found;
  for (const TokenId token : vocabulary.trie().tokens()) {
    const std::string_view bytes = vocabulary.bytes(token);
    if (!IsShort(bytes)) continue;
    std::vector<std::size_t> ends;
    RegexId at = regex;
    for (std::size_t i = 0; i < bytes.size() && at != RegexSet::kNothing; ++i) {
      if (i > 0 && set.nullable(at)) ends.push_back(i);
      at = set.Derive(at, static_cast<std::uint8_t>(bytes[i]));
    }
    if (at != RegexSet::kNothing) ends = {0};
    for (const std::size_t end : ends) found.emplace(token, end);
  }
  return found;
}

Findings Found(const TokenSplit& split, const Vocabulary& vocabulary) {
  Findings found;
  for (const TokenId token : vocabulary.trie().tokens()) {
    const auto bit = static_cast<std::size_t>(token);
    if (split.is_dense() && ((split.words()[bit / 32] >> (bit % 32)) & 1) != 0) {
      found.emplace(token, 0);
    }
  }
  for (const TokenId token : split.inside()) found.emplace(token, 0);
  for (const TokenSplit::Tail& tail : split.tails()) {
    for (const TokenId token : split.tokens(tail)) {
      found.emplace(token, vocabulary.bytes(token).size() - tail.bytes.size());
    }
  }
  for (const TokenSplit::Branch& branch : split.branches()) {
    for (const TokenId token : split.trie().TokensBelow(branch.node)) {
      found.emplace(token, branch.tail_start);
    }
  }
  std::erase_if(found, [&](const auto& at) { return !IsShort(vocabulary.bytes(at.first)); });
  return found;
}

TEST(TokenSplit, IsWhatAWalkOverEachTokenFinds) {
  const Vocabulary vocabulary(RandomTokens(3000), {});
  for (const Spelling spelling : {Spelling::kUtf8, Spelling::kJsonString}) {
    Fuel fuel(200'000'000);
    RegexSet set(fuel);
    TextRegex text(set, spelling);
    for (const char* pattern : kPatterns) {
      const Result<RegexId> inside = CompilePattern(pattern, PatternDialect::kEcma, text);
      ASSERT_TRUE(inside.ok()) << pattern;
      for (const RegexId regex : {*inside, set.Concat(*inside, set.Literal("\""))}) {
        const TokenSplit split(set, regex, vocabulary, TokenLength::kShort);
        EXPECT_EQ(Found(split, vocabulary), Expected(set, regex, vocabulary)) << pattern;
      }
    }
    EXPECT_FALSE(fuel.exhausted());
  }
}

TEST(PlainRun, LeavesOutTheKindsThatAClassRefuses) {
  const ByteSet slash = ByteSet::Of('/');
  const ByteSet beyond = ByteSet::Of(VocabularySlices::kBeyondAscii);
  const ByteSet letters = ByteSet::Range('a', 'z') | ByteSet::Range('A', 'Z');
  const std::tuple<const char*, ByteSet, std::size_t, bool> rows[] = {
      {"^[^/]+$", slash, VocabularySlices::kMaxChars, false},
      {"^[^/]{2,5}$", slash, 5, false},
      {"^[^/]{5}/", slash, 5, true},
      {"^[^\u00e9/]*$", slash | beyond, VocabularySlices::kMaxChars, false},
      {"^[a-zA-Z]*$", VocabularySlices::PlainKinds() & ~letters, VocabularySlices::kMaxChars,
       false},
      {"^\\S*$", ByteSet::Of(' '), VocabularySlices::kMaxChars, false},
      {"", {}, VocabularySlices::kMaxChars, false},
  };
  for (const auto& [pattern, without, num_chars, refuses_more] : rows) {
    Fuel fuel(20'000'000);
    RegexSet set(fuel);
    TextRegex text(set, Spelling::kUtf8);
    const PlainRun run =
        MeasurePlainRun(set, *CompilePattern(pattern, PatternDialect::kEcma, text));
    EXPECT_EQ(run.without, without) << pattern;
    EXPECT_EQ(run.num_chars, num_chars) << pattern;
    EXPECT_EQ(run.refuses_more, refuses_more) << pattern;
  }
}

}  // namespace
}  // namespace espalier
