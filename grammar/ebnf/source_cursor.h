// SourceCursor: a place in the text of a grammar, and errors that point at it.
//
// An error names line and column (in characters, from 1), shows the line, and has a caret
// under the place.
//
// Thread safety: a value; the text must outlive it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "kernels/base/status.h"

namespace espalier {

class SourceCursor {
 public:
  explicit SourceCursor(std::string_view text) : text_(text) {}  // REQUIRES: valid UTF-8

  std::size_t at() const { return at_; }
  bool at_end() const { return at_ == text_.size(); }
  // The byte `ahead` bytes from here; 0 behind the end.
  char Peek(std::size_t ahead = 0) const {
    return ahead < text_.size() - at_ ? text_[at_ + ahead] : '\0';
  }
  bool StartsWith(std::string_view word) const { return text_.substr(at_).starts_with(word); }

  // Moves over `word` if it is next.
  bool Take(std::string_view word);
  // Moves over the longest run of bytes for which `belongs` is true.
  template <typename Predicate>
  std::string_view TakeWhile(const Predicate& belongs) {
    const std::size_t begin = at_;
    while (!at_end() && belongs(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  char32_t TakeCodePoint();  // REQUIRES: !at_end()
  void MoveTo(std::size_t at) { at_ = at; }
  std::string_view Since(std::size_t begin) const { return text_.substr(begin, at_ - begin); }

  Status Error(std::string_view message) const { return ErrorAt(at_, message); }
  Status ErrorAt(std::size_t at, std::string_view message,
                 Code code = Code::kInvalidArgument) const;

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace espalier
