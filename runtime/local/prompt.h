// From a prompt's text to its tokens.
//
// Thread safety: pure functions.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "kernels/base/status.h"
#include "kernels/base/types.h"
#include "runtime/tokenizer/tokenizer.h"

namespace espalier {

// kInvalidArgument if `text` is not valid UTF-8: "<what>: byte 17 is not valid UTF-8".
Status CheckUtf8(std::string_view text, std::string_view what);

// Special tokens in `text` are parsed. Where the model wants a beginning-of-text
// token and the text does not begin with it, it is put in front.
std::vector<TokenId> EncodePrompt(const Tokenizer& tokenizer, std::string_view text);

// A choice after a prompt, tokenized as one text: the boundary may merge. The
// choice's tokens are those from `start` on, the first that differ from the prompt's.
struct ChoiceTokens {
  std::vector<TokenId> tokens;
  std::size_t start = 0;
};
ChoiceTokens EncodeChoice(const Tokenizer& tokenizer, std::span<const TokenId> prompt,
                          std::string_view prompt_and_choice);

}  // namespace espalier
