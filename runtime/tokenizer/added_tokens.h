// AddedTokenFinder: finds the tokens that stand in a text as they are.
//
// Added tokens (control, user-defined) are cut out of a text before anything else is
// done with it. At each place the longest one wins; places are tried left to right.
// A trie over bytes; O(size of text x longest added token) at worst, and linear where
// texts do not consist of almost-matches.
//
// Thread safety: immutable.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/status.h"
#include "runtime/tokenizer/pair_map.h"
#include "runtime/tokenizer/tokenizer.h"

namespace espalier {

struct AddedToken {
  TokenId token = 0;
  std::string text;
  bool special = false;      // only text under SpecialTokens::kAsText
  bool strip_left = false;   // takes the white space before it along
  bool strip_right = false;  // ... after it
  bool single_word = false;  // no word character may touch it
};

class AddedTokenFinder {
 public:
  struct Match {
    std::size_t start = 0;
    std::size_t end = 0;
    TokenId token = 0;
  };

  // Tokens without text are ignored. kLimit if one is longer than 1,024 bytes or all
  // together are longer than 4 MiB.
  static Result<AddedTokenFinder> Create(std::vector<AddedToken> tokens);

  // The first match that lies in [from, text.size()), or nullopt. Under kAsText only
  // of tokens that are not special.
  std::optional<Match> Find(std::string_view text, std::size_t from, SpecialTokens special) const;

 private:
  explicit AddedTokenFinder(std::size_t num_bytes) : children_(num_bytes) {}
  void Insert(std::size_t index);
  // The longest token that starts at `start`; null if none.
  const AddedToken* LongestAt(std::string_view text, std::size_t start,
                              SpecialTokens special) const;

  std::vector<AddedToken> tokens_;
  PairMap<std::int32_t> children_;        // (node, byte) -> node; the root is 0
  std::vector<std::int32_t> token_of_;    // node -> index in tokens_, or -1
  std::array<bool, 256> can_start_ = {};  // by first byte
};

}  // namespace espalier
