#include "grammar/vocabulary_check.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "grammar/token_trie.h"

namespace espalier {
namespace {

// Bytes that a vocabulary may have no token for: most control characters, and the first
// bytes of characters that no standard assigns (planes 4 to 11); C0 and C1 are in no UTF-8
// text. Byte-level vocabularies lack those that their training text had none of.
bool MayBeMissing(unsigned byte) {
  const bool is_control = byte < 0x20 || byte == 0x7F;
  const bool is_blank = byte == '\t' || byte == '\n' || byte == '\r';
  return (is_control && !is_blank) || byte == 0xC0 || byte == 0xC1 || byte == 0xF1 || byte == 0xF2;
}

}  // namespace

Status CheckVocabulary(const Vocabulary& vocabulary) {
  for (TokenId token : vocabulary.end_tokens()) {
    if (token < 0 || static_cast<std::size_t>(token) >= vocabulary.size()) {
      return Status(Code::kInvalidArgument, "end token " + std::to_string(token) +
                                                " is outside the vocabulary of " +
                                                std::to_string(vocabulary.size()) + " tokens");
    }
  }
  for (unsigned byte = 0; byte <= 0xF4; ++byte) {
    if (MayBeMissing(byte) || vocabulary.trie().has_byte(static_cast<std::uint8_t>(byte))) continue;
    return Status(Code::kUnsupported,
                  "constraints need a vocabulary with a token for each byte; "
                  "this one has none for byte " +
                      std::to_string(byte));
  }
  return Status();
}

}  // namespace espalier
