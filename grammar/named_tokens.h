// NamedTokens: the special tokens of a vocabulary, as grammars read them.
//
// A special token (<|python_tag|>) adds nothing to a text, so that no text becomes structure.
// A grammar may still ask for it by name; what it reads then, in place of text, is a code: the
// byte kLead and a fixed number of digits, all of them bytes that are in no UTF-8 text. So
// whatever matches text never matches a special token, and all that is done with bytes
// (tries, masks, shortest ways) works for them unchanged.
//
// Thread safety: immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/types.h"

namespace espalier {

struct NamedToken {
  TokenId token = 0;
  std::string name;
};

class NamedTokens {
 public:
  static constexpr std::uint8_t kFirstDigit = 0xF8;  // digits: from here up to kLead
  static constexpr std::uint8_t kLead = 0xFF;

  // Tokens without a name are left out; of two with one name, the second.
  explicit NamedTokens(std::vector<NamedToken> tokens);

  const std::vector<NamedToken>& tokens() const { return tokens_; }
  std::string_view code(std::size_t index) const { return codes_[index]; }  // of tokens()[index]

  // The code of the token with this name; empty if there is none.
  std::string_view CodeOf(std::string_view name) const;
  // The longest name that `text` begins with; empty if there is none. O(length of it), times
  // a logarithm.
  std::string_view LongestNameAt(std::string_view text) const;

  // The token whose code `bytes` begin with; null if there is none.
  const NamedToken* FirstIn(std::string_view bytes) const;

 private:
  static constexpr std::size_t kNumDigits = kLead - kFirstDigit;

  std::string MakeCode(std::size_t index) const;

  std::vector<NamedToken> tokens_;
  std::size_t num_places_ = 0;      // digits of a code
  std::vector<std::string> codes_;  // [tokens_.size()]
  std::map<std::string, std::size_t, std::less<>> by_name_;
};

}  // namespace espalier
