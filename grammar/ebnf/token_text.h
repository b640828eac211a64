// TokenText: literals of grammars and structural tags, in which special tokens may stand.
//
// A literal is a text or the code of a special token (grammar/named_tokens.h). Where a text
// holds the name of a special token, that token stands for the name too.
//
// Thread safety: as TextRegex.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/regex/text_regex.h"
#include "grammar/vocabulary.h"
#include "kernels/base/status.h"

namespace espalier {

// What free text is made of: characters, or those and special tokens.
enum class Filling : std::uint8_t { kText, kTokens };

class TokenText {
 public:
  // Both must outlive this object.
  TokenText(TextRegex& text, const Vocabulary& vocabulary) : text_(text), vocabulary_(vocabulary) {}

  TextRegex& text() { return text_; }
  const Vocabulary& vocabulary() const { return vocabulary_; }

  RegexId Literal(std::string_view literal);
  RegexId Literals(const std::vector<std::string>& literals);
  RegexId One(Filling filling);   // a character, or a special token
  RegexId Many(Filling filling);  // any number of them

  // The token with that name or text.
  std::optional<TokenId> Find(std::string_view name) const;
  // The literal of a token: of a special one its code, of another its text. Empty: no output
  // may hold it, or it is a part of a character. REQUIRES: 0 <= token < vocabulary().size()
  std::optional<std::string> LiteralOf(TokenId token) const;
  // For messages.
  std::string Shown(std::string_view literal) const;

 private:
  TextRegex& text_;
  const Vocabulary& vocabulary_;
};

}  // namespace espalier
