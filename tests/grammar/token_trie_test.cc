#include "grammar/token_trie.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "grammar/vocabulary.h"

namespace espalier {
namespace {

using Found = std::map<TokenId, std::string>;

// All tokens that `keep` lets through byte by byte, with the bytes that led to them.
template <typename Keep>
Found WalkAll(const TokenTrie& trie, const Keep& keep) {
  Found found;
  std::string text;
  for (std::size_t i = 0; i < trie.num_nodes();) {
    const TokenTrie::Node& node = trie.nodes()[i];
    text.resize(node.depth - 1);
    text += static_cast<char>(node.byte);
    if (!keep(text)) {
      i = node.subtree_end;
      continue;
    }
    for (TokenId token : trie.TokensAt(i)) EXPECT_TRUE(found.emplace(token, text).second);
    ++i;
  }
  return found;
}

std::vector<std::string> RandomVocabulary(std::mt19937& random) {
  std::vector<std::string> bytes(random() % 40);
  for (std::string& text : bytes) {
    for (unsigned n = random() % 6; n > 0; --n) text += static_cast<char>(random() % 3 * 120);
  }
  return bytes;
}

TEST(TokenTrie, WalkMeetsEachTokenOnceWithItsBytes) {
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    const std::vector<std::string> bytes = RandomVocabulary(random);
    const Vocabulary vocabulary(bytes, {});
    Found expected;
    std::set<std::string> prefixes;
    for (std::size_t t = 0; t < bytes.size(); ++t) {
      if (!bytes[t].empty()) expected[static_cast<TokenId>(t)] = bytes[t];
      for (std::size_t n = 1; n <= bytes[t].size(); ++n) prefixes.insert(bytes[t].substr(0, n));
    }
    EXPECT_EQ(WalkAll(vocabulary.trie(), [](const std::string&) { return true; }), expected);
    EXPECT_EQ(vocabulary.trie().num_nodes(), prefixes.size());
  }
}

TEST(TokenTrie, RefusedPrefixHidesExactlyWhatIsBelowIt) {
  std::mt19937 random(2);
  for (int round = 0; round < 3000; ++round) {
    const std::vector<std::string> bytes = RandomVocabulary(random);
    const Vocabulary vocabulary(bytes, {});
    const std::size_t salt = random();
    const auto keep = [&](const std::string& text) {
      return (std::hash<std::string>()(text) ^ salt) % 4 != 0;
    };
    Found expected;
    for (std::size_t t = 0; t < bytes.size(); ++t) {
      bool kept = !bytes[t].empty();
      for (std::size_t n = 1; n <= bytes[t].size(); ++n) kept = kept && keep(bytes[t].substr(0, n));
      if (kept) expected[static_cast<TokenId>(t)] = bytes[t];
    }
    ASSERT_EQ(WalkAll(vocabulary.trie(), keep), expected);
  }
}

TEST(TokenTrie, LeavesOutControlAndEndTokens) {
  const Vocabulary vocabulary({"a", "", "</s>", "ab", "a"}, {2});
  const Found expected = {{0, "a"}, {3, "ab"}, {4, "a"}};
  EXPECT_EQ(WalkAll(vocabulary.trie(), [](const std::string&) { return true; }), expected);
  EXPECT_EQ(vocabulary.trie().num_tokens(), 3u);
  EXPECT_TRUE(vocabulary.trie().has_byte('a'));
  EXPECT_FALSE(vocabulary.trie().has_byte('b'));
}

TEST(TokenTrie, TokenOfAMillionBytesNeedsNoDeepStack) {
  const Vocabulary vocabulary({std::string(1'000'000, 'x'), "y"}, {});
  EXPECT_EQ(vocabulary.trie().num_nodes(), 1'000'001u);
  EXPECT_EQ(vocabulary.trie().max_depth(), 1'000'000u);
  EXPECT_EQ(WalkAll(vocabulary.trie(), [](const std::string& text) { return text.size() < 3; }),
            (Found{{1, "y"}}));
}

TEST(TokenTrie, EmptyVocabularyHasNothing) {
  const Vocabulary vocabulary({}, {});
  EXPECT_EQ(vocabulary.trie().num_nodes(), 0u);
  EXPECT_TRUE(WalkAll(vocabulary.trie(), [](const std::string&) { return true; }).empty());
}

}  // namespace
}  // namespace espalier
