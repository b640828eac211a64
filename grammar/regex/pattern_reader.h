// PatternReader: a cursor over the code points of a pattern, which knows how to say where
// something is wrong.
//
// Thread safety: a value.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "kernels/base/status.h"

namespace espalier {

class PatternReader {
 public:
  explicit PatternReader(std::u32string_view text) : text_(text) {}

  bool done() const { return at_ == text_.size(); }
  std::size_t at() const { return at_; }
  std::size_t left() const { return text_.size() - at_; }
  void Seek(std::size_t at) { at_ = at; }

  // The code point `ahead` places on; 0 beyond the end.
  char32_t Peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : U'\0';
  }
  // REQUIRES: !done()
  char32_t Take() { return text_[at_++]; }
  // Takes `text` if it comes next.
  bool Skip(std::u32string_view text) {
    if (text_.substr(at_, text.size()) != text) return false;
    at_ += text.size();
    return true;
  }
  // What stands before `end`, which is taken too. False, and nothing taken, if there is none.
  bool TakeUntil(char32_t end, std::u32string_view& taken) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::u32string_view::npos) return false;
    taken = text_.substr(at_, found - at_);
    at_ = found + 1;
    return true;
  }

  // The message names the place by its number, the first character being 1.
  Status Wrong(std::size_t at, std::string_view what) const {
    return Fail(Code::kInvalidArgument, at, what);
  }
  Status Unsupported(std::size_t at, std::string_view what) const {
    return Fail(Code::kUnsupported, at, std::string(what) + " is not supported");
  }

 private:
  static Status Fail(Code code, std::size_t at, std::string_view what) {
    return Status(code, "pattern, character " + std::to_string(at + 1) + ": " + std::string(what));
  }

  std::u32string_view text_;
  std::size_t at_ = 0;
};

}  // namespace espalier
