#include "runtime/local/prompt_pieces.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace espalier {
namespace {

// What a piece adds to the tokens of the prompt, whatever is appended, and the text after
// that: up to the end of the piece, and not tokenized yet.
class PieceTokens final : public PieceNote {
 public:
  std::shared_ptr<const Vocabulary> vocabulary;  // whose tokens
  std::vector<TokenId> tokens;
  std::string rest;
};

const PieceTokens* NoteOf(const PromptPiece* piece) {
  return dynamic_cast<const PieceTokens*>(piece->note.get());
}

bool HasNoteOf(const PromptPiece* piece, const Tokenizer& tokenizer) {
  const PieceTokens* const note = NoteOf(piece);
  return note != nullptr && note->vocabulary == tokenizer.vocabulary();
}

void Encode(const Tokenizer& tokenizer, std::string_view text, std::vector<TokenId>& to) {
  if (text.empty()) return;
  const std::vector<TokenId> tokens = tokenizer.Encode(text, SpecialTokens::kParse);
  to.insert(to.end(), tokens.begin(), tokens.end());
}

// Adds the tokens that make a beginning of `text`. Returns the text after them.
std::string_view KeepGenerated(const Tokenizer& tokenizer, const std::vector<int>& generated,
                               std::string_view text, std::vector<TokenId>& to) {
  const std::shared_ptr<const Vocabulary> vocabulary = tokenizer.vocabulary();
  for (const int token : generated) {
    const std::string_view bytes = vocabulary->bytes(token);
    if (bytes.empty() || !text.starts_with(bytes)) break;
    to.push_back(token);
    text.remove_prefix(bytes.size());
  }
  return text;
}

std::shared_ptr<const PieceTokens> MakeNote(const Tokenizer& tokenizer, const PromptPiece& piece,
                                            std::string_view rest_before) {
  auto note = std::make_shared<PieceTokens>();
  note->vocabulary = tokenizer.vocabulary();
  if (!piece.tokens.empty()) {
    Encode(tokenizer, rest_before, note->tokens);
    note->rest = KeepGenerated(tokenizer, piece.tokens, piece.text, note->tokens);
    return note;
  }
  std::string text(rest_before);
  text += piece.text;
  const std::size_t cut = tokenizer.StableCut(text);
  Encode(tokenizer, std::string_view(text).substr(0, cut), note->tokens);
  note->rest = text.substr(cut);
  return note;
}

// The pieces, last one first, back to the first for which `until` holds.
template <typename Until>
std::vector<const PromptPiece*> PiecesBack(const Prompt& prompt, const Until& until) {
  std::vector<const PromptPiece*> pieces;
  for (const PromptPiece* piece = prompt.last(); piece != nullptr; piece = piece->before.get()) {
    if (until(piece)) break;
    pieces.push_back(piece);
  }
  return pieces;
}

}  // namespace

std::vector<TokenId> EncodePieces(const Tokenizer& tokenizer, const Prompt& prompt) {
  std::vector<const PromptPiece*> pieces =
      PiecesBack(prompt, [](const PromptPiece*) { return false; });
  std::reverse(pieces.begin(), pieces.end());
  std::vector<TokenId> tokens;
  std::string_view rest;
  for (const PromptPiece* piece : pieces) {
    if (!HasNoteOf(piece, tokenizer)) piece->note = MakeNote(tokenizer, *piece, rest);
    const PieceTokens& note = *NoteOf(piece);
    tokens.insert(tokens.end(), note.tokens.begin(), note.tokens.end());
    rest = note.rest;
  }
  Encode(tokenizer, rest, tokens);
  AddBos(tokenizer, tokens);
  return tokens;
}

Status CheckPieces(const Prompt& prompt, std::string_view what) {
  const auto is_known = [](const PromptPiece* piece) { return NoteOf(piece) != nullptr; };
  for (const PromptPiece* piece : PiecesBack(prompt, is_known)) {
    ESP_RETURN_IF_ERROR(CheckUtf8(piece->text, what, piece->start));
  }
  return Status();
}

ChoiceTokens EncodeChoice(const Tokenizer& tokenizer, std::span<const TokenId> prompt_tokens,
                          Prompt prompt, std::string_view choice) {
  prompt.Append(choice);
  ChoiceTokens whole{EncodePieces(tokenizer, prompt), 0};
  const auto differ = std::mismatch(prompt_tokens.begin(), prompt_tokens.end(),
                                    whole.tokens.begin(), whole.tokens.end());
  whole.start = static_cast<std::size_t>(differ.second - whole.tokens.begin());
  return whole;
}

}  // namespace espalier
