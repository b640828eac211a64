#include "frontend_lang/prompt.h"

#include <algorithm>

namespace espalier {

PromptPiece::~PromptPiece() {
  std::shared_ptr<const PromptPiece> next = std::move(before);
  while (next != nullptr && next.use_count() == 1) {
    next = std::move(const_cast<PromptPiece&>(*next).before);  // nobody else sees it
  }
}

std::shared_ptr<PromptPiece> Prompt::NewPiece() const {
  auto piece = std::make_shared<PromptPiece>();
  piece->before = last_;
  piece->start = size();
  return piece;
}

void Prompt::Append(std::string_view text) {
  if (text.empty()) return;
  const bool grows =
      last_ != nullptr && last_.use_count() == 1 && last_->note == nullptr && last_->tokens.empty();
  if (!grows) last_ = NewPiece();
  last_->text += text;
}

void Prompt::AppendGenerated(std::string text, std::vector<int> tokens) {
  if (tokens.empty() || text.empty()) return Append(text);
  last_ = NewPiece();
  last_->text = std::move(text);
  last_->tokens = std::move(tokens);
}

std::string Prompt::Text(std::size_t from) const {
  std::string text(size() - from, '\0');
  for (const PromptPiece* piece = last_.get(); piece != nullptr; piece = piece->before.get()) {
    const std::size_t begin = std::max(piece->start, from);
    text.replace(begin - from, piece->start + piece->text.size() - begin, piece->text,
                 begin - piece->start, std::string::npos);
    if (piece->start <= from) break;
  }
  return text;
}

}  // namespace espalier
