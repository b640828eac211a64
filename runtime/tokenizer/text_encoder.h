// TextEncoder: text in which no special token is left, to tokens.
//
// Thread safety: immutable.
#pragma once

#include <string_view>
#include <vector>

#include "kernels/base/types.h"

namespace espalier {

class TextEncoder {
 public:
  virtual ~TextEncoder() = default;

  // Appends the tokens of `text`, any bytes.
  virtual void Encode(std::string_view text, std::vector<TokenId>& out) const = 0;

  // Whether no token reaches from a word into the space after it, and that is so
  // whatever follows the space.
  virtual bool CutsAtSpaces() const { return false; }
};

}  // namespace espalier
