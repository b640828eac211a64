// Prompt: the text before a call to a model, in pieces that forks share.
//
// A prompt only ever grows at its end. A copy shares all its pieces, so a fork copies no
// text; and a backend may leave on a piece what it made of the text up to its end (its
// tokens), which then nobody makes again.
//
//   1. The text is what counts: where it is cut into pieces means nothing.
//   2. A piece that is shared or has a note never changes.
//   3. Text that was generated keeps the tokens that it was generated as.
//
// Thread safety: none; one thread a program.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace espalier {

// What a backend remembers of a piece.
class PieceNote {
 public:
  virtual ~PieceNote() = default;

 protected:
  PieceNote() = default;
  PieceNote(const PieceNote&) = default;
  PieceNote& operator=(const PieceNote&) = default;
};

struct PromptPiece {
  PromptPiece() = default;
  ~PromptPiece();  // in constant stack, however long the prompt
  PromptPiece(const PromptPiece&) = delete;
  PromptPiece& operator=(const PromptPiece&) = delete;

  std::shared_ptr<const PromptPiece> before;  // null: the first
  std::size_t start = 0;                      // of the piece, in bytes of the prompt
  std::string text;
  std::vector<int> tokens;  // as a model generated them: they begin with the piece's text
  mutable std::shared_ptr<const PieceNote> note;  // the backend's own
};

class Prompt {
 public:
  Prompt() = default;
  Prompt(std::string text) { Append(text); }  // NOLINT(google-explicit-constructor)
  Prompt(const char* text) { Append(text); }  // NOLINT(google-explicit-constructor)
  Prompt(const Prompt& other) = default;
  Prompt& operator=(const Prompt& other) = default;
  Prompt(Prompt&& other) noexcept = default;
  Prompt& operator=(Prompt&& other) noexcept = default;

  void Append(std::string_view text);
  // The text of a gen. `tokens` may go on beyond it: past a stop string.
  void AppendGenerated(std::string text, std::vector<int> tokens);

  bool empty() const { return size() == 0; }
  std::size_t size() const { return last_ == nullptr ? 0 : last_->start + last_->text.size(); }
  std::string Text(std::size_t from = 0) const;            // REQUIRES: from <= size()
  const PromptPiece* last() const { return last_.get(); }  // null: the prompt is empty

  bool operator==(std::string_view text) const { return Text() == text; }

 private:
  std::shared_ptr<PromptPiece> NewPiece() const;

  std::shared_ptr<PromptPiece> last_;
};

}  // namespace espalier
