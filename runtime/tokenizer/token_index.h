// TokenIndex: from a token's text to its id.
//
// Thread safety: immutable once filled.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "kernels/base/types.h"

namespace espalier {

class TokenIndex {
 public:
  // Room for `capacity` tokens.
  explicit TokenIndex(std::size_t capacity);

  // False, and no change, if the text is there already. `text` must outlive the index.
  // REQUIRES: no more than `capacity` different texts
  bool Add(std::string_view text, TokenId token);

  std::optional<TokenId> Find(std::string_view text) const;

 private:
  struct Slot {
    std::string_view text;
    std::uint32_t hash = 0;
    TokenId token = -1;  // -1: free
  };

  std::size_t SlotIndex(std::string_view text, std::uint32_t hash) const;

  std::vector<Slot> slots_;  // a power of two, at most half full
};

}  // namespace espalier
