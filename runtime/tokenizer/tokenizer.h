// Tokenizer: text to tokens and back.
//
// Source of the algorithm: byte-level BPE (Radford et al. 2019, GPT-2) and
// SentencePiece BPE with byte fallback (Kudo and Richardson 2018).
//
// Thread safety: immutable after loading.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/vocabulary.h"
#include "kernels/base/status.h"
#include "kernels/base/types.h"

namespace espalier {

enum class SpecialTokens : std::uint8_t {
  kParse,   // text of special tokens becomes those tokens
  kAsText,  // ... is tokenized as any other text, except for user-defined tokens,
            // which carry text and no structure
};

// The ids with a role; unset where the file names none.
struct SpecialTokenIds {
  std::optional<TokenId> bos, eos, eot, eom, unknown, padding;
  bool add_bos = false;  // the model wants bos before a prompt that is not a rendered chat
  bool add_eos = false;
};

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  // Tokens of `text`, with no bos or eos added. Any bytes are accepted: invalid
  // UTF-8 is tokenized byte by byte. A byte for which the vocabulary has no token adds
  // the unknown token, or nothing. O(size log size) at worst, linear in practice.
  virtual std::vector<TokenId> Encode(std::string_view text, SpecialTokens special) const = 0;

  // The bytes of `tokens`, concatenated; control tokens too, as their names, when
  // special is kParse, else nothing for them. Ids out of range add nothing.
  virtual std::string Decode(std::span<const TokenId> tokens, SpecialTokens special) const = 0;

  // What token t shows in a table: its text, control tokens by their names.
  virtual std::string_view Name(TokenId token) const = 0;

  virtual const SpecialTokenIds& special() const = 0;

  // Bytes of each token and the end-of-generation set (eos, eot, eom and known names).
  virtual std::shared_ptr<const Vocabulary> vocabulary() const = 0;

  // The last place at which `text` can be cut so that whatever is appended to it, the
  // tokens of the whole are those of the text before the cut and those of all after it.
  // 0 where no such place is known.
  virtual std::size_t StableCut(std::string_view /*text*/) const { return 0; }

  std::size_t vocab_size() const { return vocabulary()->size(); }
};

}  // namespace espalier
