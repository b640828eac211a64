#include "runtime/cli/edit_buffer.h"

#include <utility>

#include "kernels/base/utf8.h"

namespace espalier {
std::size_t EditBuffer::Before(std::size_t at) const {
  while (at > 0 && IsContinuation(text_[--at])) {
  }
  return at;
}

std::size_t EditBuffer::After(std::size_t at) const {
  if (at < text_.size()) ++at;
  while (at < text_.size() && IsContinuation(text_[at])) ++at;
  return at;
}

void EditBuffer::Insert(std::string_view characters) {
  text_.insert(cursor_, characters);
  cursor_ += characters.size();
}

void EditBuffer::Left() { cursor_ = Before(cursor_); }
void EditBuffer::Right() { cursor_ = After(cursor_); }

void EditBuffer::WordLeft() {
  while (cursor_ > 0 && text_[cursor_ - 1] == ' ') --cursor_;
  while (cursor_ > 0 && text_[cursor_ - 1] != ' ') --cursor_;
}

void EditBuffer::WordRight() {
  while (cursor_ < text_.size() && text_[cursor_] == ' ') ++cursor_;
  while (cursor_ < text_.size() && text_[cursor_] != ' ') ++cursor_;
}

void EditBuffer::EraseBefore() {
  const std::size_t from = Before(cursor_);
  text_.erase(from, cursor_ - from);
  cursor_ = from;
}

void EditBuffer::EraseAt() { text_.erase(cursor_, After(cursor_) - cursor_); }

void EditBuffer::EraseWordBefore() {
  const std::size_t end = cursor_;
  WordLeft();
  text_.erase(cursor_, end - cursor_);
}

void EditBuffer::EraseToStart() {
  text_.erase(0, cursor_);
  cursor_ = 0;
}

void EditBuffer::EraseToEnd() { text_.erase(cursor_); }

void EditBuffer::Show(std::size_t place) {
  if (place_ == history_.size()) typed_ = text_;
  place_ = place;
  text_ = place_ == history_.size() ? typed_ : history_[place_];
  End();
}

void EditBuffer::Older() {
  if (place_ > 0) Show(place_ - 1);
}

void EditBuffer::Newer() {
  if (place_ < history_.size()) Show(place_ + 1);
}

std::string EditBuffer::Take() {
  std::string line = text_;
  if (!line.empty() && (history_.empty() || history_.back() != line)) history_.push_back(line);
  Clear();
  return line;
}

void EditBuffer::Clear() {
  text_.clear();
  typed_.clear();
  cursor_ = 0;
  place_ = history_.size();
}

}  // namespace espalier
