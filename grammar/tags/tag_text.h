// TagText: the literals of structural tags, in which special tokens may stand.
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
#include "grammar/schema/json.h"
#include "grammar/vocabulary.h"
#include "kernels/base/status.h"

namespace espalier {

// What free text is made of: characters, or those and special tokens.
enum class Filling : std::uint8_t { kText, kTokens };

class TagText {
 public:
  // Both must outlive this object.
  TagText(TextRegex& text, const Vocabulary& vocabulary) : text_(text), vocabulary_(vocabulary) {}

  TextRegex& text() { return text_; }

  RegexId Literal(std::string_view literal);
  RegexId Literals(const std::vector<std::string>& literals);
  RegexId One(Filling filling);   // a character, or a special token
  RegexId Many(Filling filling);  // any number of them

  // The literal of a token: of a special one its code, of another its text. `token` is an id, or
  // a name or text. Empty: the vocabulary has no such token, or no output may hold it, or it
  // is a part of a character.
  std::optional<std::string> LiteralOf(const Json& token) const;
  // For messages.
  std::string Shown(std::string_view literal) const;

 private:
  std::optional<TokenId> Find(const Json& token) const;

  TextRegex& text_;
  const Vocabulary& vocabulary_;
};

}  // namespace espalier
