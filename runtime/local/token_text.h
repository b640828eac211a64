// Text that belongs to a model file: what a token shows, and the chat template.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "frontend_lang/backend.h"
#include "runtime/engine/request.h"
#include "runtime/model/gguf.h"
#include "runtime/tokenizer/tokenizer.h"

namespace espalier {

// A control token's name, else its bytes with what is not valid UTF-8 as U+FFFD.
std::string TokenText(const Tokenizer& tokenizer, TokenId token);

// The same tokens as a program's backend names them; a NaN logprob is unset.
std::vector<ScoredToken> ToScored(const std::vector<TokenLogprob>& tokens,
                                  const Tokenizer& tokenizer);

// The file's chat template, empty where it has none, and the tokens it may name.
Result<Backend::ChatModel> ChatModelOf(const Gguf& gguf, const Tokenizer& tokenizer,
                                       std::string name);

}  // namespace espalier
