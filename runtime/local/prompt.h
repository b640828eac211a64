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

// kInvalidArgument if `text` is not valid UTF-8: "<what>: byte 17 is not valid UTF-8", where
// its first byte counts as `offset`.
Status CheckUtf8(std::string_view text, std::string_view what, std::size_t offset = 0);

// Special tokens in `text` are parsed. Where the model wants a beginning-of-text
// token and the text does not begin with it, it is put in front.
std::vector<TokenId> EncodePrompt(const Tokenizer& tokenizer, std::string_view text);

// The last part of that, for tokens made otherwise.
void AddBos(const Tokenizer& tokenizer, std::vector<TokenId>& tokens);

}  // namespace espalier
