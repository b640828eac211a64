// EditBuffer: a line being typed, and the lines typed before it. Knows no terminal.
//
// The cursor stands between whole UTF-8 characters; what is inserted is whole
// characters.
//
// Thread safety: none on one object.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace espalier {

class EditBuffer {
 public:
  const std::string& text() const { return text_; }
  std::size_t cursor() const { return cursor_; }  // in bytes

  void Insert(std::string_view characters);
  void Left();
  void Right();
  void WordLeft();
  void WordRight();
  void Home() { cursor_ = 0; }
  void End() { cursor_ = text_.size(); }
  void EraseBefore();      // backspace
  void EraseAt();          // delete
  void EraseWordBefore();  // ctrl-w
  void EraseToStart();     // ctrl-u
  void EraseToEnd();       // ctrl-k

  // The line before or after in the history; what was being typed comes back last.
  void Older();
  void Newer();

  // Gives the line, remembers it if it is not empty, and begins a new one.
  std::string Take();
  void Clear();

 private:
  void Show(std::size_t place);
  std::size_t Before(std::size_t at) const;
  std::size_t After(std::size_t at) const;

  std::string text_;
  std::size_t cursor_ = 0;
  std::vector<std::string> history_;
  std::size_t place_ = 0;  // in the history; history_.size(): the line being typed
  std::string typed_;      // that line, while an older one is shown
};

}  // namespace espalier
