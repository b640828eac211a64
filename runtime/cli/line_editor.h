// LineEditor: reads lines from a terminal with editing and history, or from a pipe as
// they are.
//
// Keys: arrows, Home, End, Delete, Backspace, and Ctrl- A E B F K U W P N L. A line
// longer than the terminal is wide scrolls sideways.
//
// Thread safety: main thread only; one editor owns the terminal.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "kernels/base/status.h"
#include "runtime/cli/edit_buffer.h"
#include "runtime/cli/key_reader.h"
#include "runtime/cli/line_reader.h"
#include "runtime/cli/raw_terminal.h"

namespace espalier {

class LineEditor {
 public:
  LineEditor();
  ~LineEditor();  // gives the terminal back as it was
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  enum class End : unsigned char { kLine, kInterrupt, kEndOfInput };
  struct Input {
    End end = End::kLine;
    std::string text;
  };
  // Reads one line. On a terminal `prompt` stands before it, Ctrl-C gives kInterrupt
  // and Ctrl-D on an empty line kEndOfInput.
  Result<Input> Read(std::string_view prompt);

  bool is_terminal() const { return terminal_ != nullptr; }

 private:
  Result<Input> ReadPlain();
  Result<Input> ReadKeys(std::string_view prompt);
  std::optional<End> OnKey(unsigned char key);
  void OnControl(unsigned char key);
  void OnEscape();
  void OnCharacter(unsigned char first);
  void Draw(std::string_view prompt) const;

  std::unique_ptr<RawTerminal> terminal_;  // null: stdin is a pipe
  KeyReader keys_;
  EditBuffer buffer_;
  LineReader plain_;
};

}  // namespace espalier
