// What both file formats are reduced to, and the tokenizers built from it.
//
// A loader only reads; that the parts fit together is checked here, in one place.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/base/status.h"
#include "runtime/tokenizer/added_tokens.h"
#include "runtime/tokenizer/bpe_encoder.h"
#include "runtime/tokenizer/spm_encoder.h"
#include "runtime/tokenizer/token_list.h"
#include "runtime/tokenizer/tokenizer.h"

namespace espalier {

enum class Normalizer : std::uint8_t { kNone, kNfc };

// A model's tokens, as a file lists them. Nothing of it is trusted yet.
struct TokenizerSource {
  std::vector<std::string> names;
  std::vector<TokenKind> kinds;  // [names.size()]
  SpecialTokenIds special;
  Normalizer normalizer = Normalizer::kNone;
  std::vector<AddedToken> added;             // found in the text as it was given
  std::vector<AddedToken> added_normalized;  // found in what the normalizer leaves
};

// The added tokens that the kinds alone make, for files that list no others.
std::vector<AddedToken> AddedTokensByKind(const TokenizerSource& source);

// kDataLoss or kLimit naming what does not fit.
Result<std::shared_ptr<const Tokenizer>> BuildBpeTokenizer(TokenizerSource source,
                                                           const BpeRules& rules);
Result<std::shared_ptr<const Tokenizer>> BuildSpmTokenizer(TokenizerSource source,
                                                           const SpmRules& rules);

}  // namespace espalier
