// The tokens of a program's prompt, piece by piece: what was tokenized for one call is not
// tokenized again for the next, nor for a fork, up to the last place where text can be cut
// (Tokenizer::StableCut). Where there is none, as in SentencePiece vocabularies and in text
// without spaces, that is the last generated piece.
//
// The tokens are those of the whole text, wherever it has not been generated. Text that
// was generated keeps the tokens it was generated as, as far as they make its text (a stop
// string may cut one); what follows them is tokenized by itself. So the KV of what a model
// has said is found again, token for token.
//
// Thread safety: none; notes are left on the prompt's pieces.
#pragma once

#include <string_view>
#include <vector>

#include "frontend_lang/prompt.h"
#include "runtime/local/prompt.h"

namespace espalier {

// As EncodePrompt of the text, with what is said above.
std::vector<TokenId> EncodePieces(const Tokenizer& tokenizer, const Prompt& prompt);

// As CheckUtf8 of the text; looks at what has not been tokenized yet.
Status CheckPieces(const Prompt& prompt, std::string_view what);

// A choice after a prompt, tokenized as one text: the boundary may merge. The
// choice's tokens are those from `start` on, the first that differ from the prompt's.
struct ChoiceTokens {
  std::vector<TokenId> tokens;
  std::size_t start = 0;
};
ChoiceTokens EncodeChoice(const Tokenizer& tokenizer, std::span<const TokenId> prompt_tokens,
                          Prompt prompt, std::string_view choice);

}  // namespace espalier
