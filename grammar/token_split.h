// TokenSplit: the short or the long tokens of a vocabulary, split by one regex into the tokens that
// stay inside it, those that may run past its end, and the rest, which it refuses.
//
// It depends on the regex and the vocabulary alone, so it is made once for all places,
// requests and grammars in which an output is inside this regex. What decides about the
// tokens that run past the end is only their bytes behind it, their tail; tokens are
// grouped by that, so a place has to look at each tail once. Where very many tokens go on
// in one way (words behind optional whitespace), they are kept as a branch of the trie, to
// be walked no further than the place allows. (The adaptive token mask cache of xgrammar,
// made lazily and on regexes.)
//
// Thread safety: immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "grammar/regex/byte_set.h"
#include "grammar/regex/regex_set.h"
#include "grammar/token_trie.h"
#include "grammar/vocabulary.h"
#include "grammar/vocabulary_slices.h"
#include "kernels/base/types.h"

namespace espalier {

class TokenSplit {
 public:
  struct Tail {
    std::string_view bytes;                 // not empty; of a token of the vocabulary
    std::uint32_t first_token, num_tokens;  // [in tokens of all tails]
  };

  // All tokens of a node of the trie and below it; each one's tail is its bytes from
  // `tail_start` on.
  struct Branch {
    std::uint32_t node;
    std::uint32_t tail_start;
  };

  // Of kShort, `regex` is asked about kMaxShortBytes bytes only (RegexSet::Clamp).
  TokenSplit(RegexSet& set, RegexId regex, const Vocabulary& vocabulary, TokenLength length);

  // The tokens all of whose bytes `regex` can begin with.
  // They are the words of a mask where they are many, else a list.
  bool is_dense() const { return !words_.empty(); }
  std::span<const std::uint32_t> words() const { return words_; }
  std::span<const TokenId> inside() const { return tokens_; }

  // A token that is not inside stands once, among the tails or in a branch, for each
  // place in it where the regex may end.
  std::span<const Tail> tails() const { return tails_; }
  std::span<const TokenId> tokens(const Tail& tail) const {
    return std::span(tail_tokens_).subspan(tail.first_token, tail.num_tokens);
  }

  const TokenTrie& trie() const { return *trie_; }  // of the branches
  std::span<const Branch> branches() const { return branches_; }

  std::size_t size_bytes() const;

 private:
  static constexpr std::size_t kMinBranchTokens = 16;

  struct Exit {
    std::string_view tail;
    TokenId token;
  };

  // What of trie_ is walked.
  struct Part {
    std::size_t max_depth = 0;
    // Only tokens that are not plain or have such characters (VocabularySlices::HasBelow);
    // trie_ is then the vocabulary's.
    std::optional<ByteSet> kinds;
  };

  Part TakeSlice(RegexSet& set, RegexId regex, const Vocabulary& vocabulary);
  std::vector<Exit> Walk(RegexSet& set, RegexId regex, const Vocabulary& vocabulary,
                         const Part& part);
  void Leave(std::size_t node, std::span<const std::uint32_t> ends, const Vocabulary& vocabulary,
             std::vector<Exit>* exits);
  void Pack(std::vector<Exit> exits);

  std::vector<std::uint32_t> words_;
  std::vector<TokenId> tokens_;
  std::vector<Tail> tails_;
  std::vector<TokenId> tail_tokens_;
  const TokenTrie* trie_ = nullptr;  // of the vocabulary or of its slices
  std::vector<Branch> branches_;
};

}  // namespace espalier
