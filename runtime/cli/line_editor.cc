#include "runtime/cli/line_editor.h"

#include <sys/ioctl.h>
#include <unistd.h>
#include <utf8proc.h>

#include <utility>

#include <fmt/format.h>

#include "kernels/base/utf8.h"
#include "runtime/cli/output.h"

namespace espalier {
namespace {

constexpr unsigned char Control(char letter) { return static_cast<unsigned char>(letter & 0x1F); }
constexpr unsigned char kEscape = 27;
constexpr unsigned char kBackspace = 127;

int TerminalColumns() {
  winsize size = {};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// Columns that the character at `at` takes, and its bytes. Bytes that are no
// character count as one column each.
std::pair<int, std::size_t> Measure(std::string_view text, std::size_t at) {
  const Utf8Char read = ReadUtf8(text, at);
  if (read.kind != Utf8Kind::kValid) return {1, 1};
  return {utf8proc_charwidth(static_cast<utf8proc_int32_t>(read.code)), read.size};
}

int Columns(std::string_view text) {
  int columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto [width, length] = Measure(text, at);
    columns += width;
    at += length;
  }
  return columns;
}

// `text` without its first characters, until what is left takes at most `columns`.
std::string_view DropFront(std::string_view text, int columns) {
  int left = Columns(text);
  while (!text.empty() && left > columns) {
    const auto [width, length] = Measure(text, 0);
    text.remove_prefix(length);
    left -= width;
  }
  return text;
}

std::string_view KeepFront(std::string_view text, int columns) {
  std::size_t at = 0;
  while (at < text.size()) {
    const auto [width, length] = Measure(text, at);
    if (width > columns) break;
    columns -= width;
    at += length;
  }
  return text.substr(0, at);
}

void WriteTerminal(std::string_view text) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

LineEditor::LineEditor() : keys_(STDIN_FILENO), plain_(LineReader::Stdin()) {
  if (isatty(STDIN_FILENO) == 1 && StderrIsTerminal()) terminal_ = std::make_unique<RawTerminal>();
}

LineEditor::~LineEditor() = default;

Result<LineEditor::Input> LineEditor::Read(std::string_view prompt) {
  return is_terminal() ? ReadKeys(prompt) : ReadPlain();
}

Result<LineEditor::Input> LineEditor::ReadPlain() {
  while (true) {
    if (std::optional<LineReader::Line> line = plain_.Next()) {
      return Input{End::kLine, std::move(line->text)};
    }
    if (plain_.at_end()) return Input{End::kEndOfInput, ""};
    ESP_RETURN_IF_ERROR(plain_.ReadSome());
  }
}

// Draws once for all keys that came together: a pasted text costs its length.
Result<LineEditor::Input> LineEditor::ReadKeys(std::string_view prompt) {
  terminal_->BeginLine();
  std::optional<End> end;
  while (!end) {
    if (!keys_.has_more()) Draw(prompt);
    const std::optional<unsigned char> key = keys_.Next();
    end = key ? OnKey(*key) : End::kEndOfInput;
  }
  Draw(prompt);
  terminal_->EndLine();
  WriteTerminal("\n");
  if (*end == End::kLine) return Input{End::kLine, buffer_.Take()};
  buffer_.Clear();
  return Input{*end, ""};
}

std::optional<LineEditor::End> LineEditor::OnKey(unsigned char key) {
  if (key == '\r' || key == '\n') return End::kLine;
  if (key == Control('C')) return End::kInterrupt;
  if (key == Control('D')) {
    if (buffer_.text().empty()) return End::kEndOfInput;
    buffer_.EraseAt();
    return std::nullopt;
  }
  if (key == kEscape) {
    OnEscape();
  } else if (key == kBackspace || key < ' ') {
    OnControl(key);
  } else {
    OnCharacter(key);
  }
  return std::nullopt;
}

void LineEditor::OnControl(unsigned char key) {
  switch (key) {
    case kBackspace:
    case Control('H'): return buffer_.EraseBefore();
    case Control('A'): return buffer_.Home();
    case Control('B'): return buffer_.Left();
    case Control('E'): return buffer_.End();
    case Control('F'): return buffer_.Right();
    case Control('K'): return buffer_.EraseToEnd();
    case Control('L'): return WriteTerminal("\x1b[H\x1b[2J");
    case Control('N'): return buffer_.Newer();
    case Control('P'): return buffer_.Older();
    case Control('U'): return buffer_.EraseToStart();
    case Control('W'): return buffer_.EraseWordBefore();
    case Control('I'): return buffer_.Insert(" ");
    default: return;
  }
}

// ESC [ or ESC O, parameters, and a last byte that names the key; ESC b and ESC f.
void LineEditor::OnEscape() {
  const unsigned char kind = keys_.Next().value_or(0);
  if (kind == 'b') return buffer_.WordLeft();
  if (kind == 'f') return buffer_.WordRight();
  if (kind != '[' && kind != 'O') return;
  std::string parameters;
  unsigned char last = keys_.Next().value_or('?');
  while ((last >= '0' && last <= '9') || last == ';') {
    parameters += static_cast<char>(last);
    last = keys_.Next().value_or('?');
  }
  const bool with_control = parameters.ends_with(";5");
  switch (last) {
    case 'A': return buffer_.Older();
    case 'B': return buffer_.Newer();
    case 'C': return with_control ? buffer_.WordRight() : buffer_.Right();
    case 'D': return with_control ? buffer_.WordLeft() : buffer_.Left();
    case 'H': return buffer_.Home();
    case 'F': return buffer_.End();
    case '~':
      if (parameters == "3") buffer_.EraseAt();
      if (parameters == "1" || parameters == "7") buffer_.Home();
      if (parameters == "4" || parameters == "8") buffer_.End();
      return;
    default: return;
  }
}

void LineEditor::OnCharacter(unsigned char first) {
  if (const std::string character = keys_.CharacterFrom(first); !character.empty()) {
    buffer_.Insert(character);
  }
}

void LineEditor::Draw(std::string_view prompt) const {
  const int room = TerminalColumns() - Columns(prompt) - 1;
  const std::string_view text = buffer_.text();
  const std::string_view before = DropFront(text.substr(0, buffer_.cursor()), room);
  const int column = Columns(prompt) + Columns(before);
  const std::string_view after = KeepFront(text.substr(buffer_.cursor()), room - Columns(before));
  WriteTerminal(fmt::format("\r\x1b[K{}{}{}\r\x1b[{}C", prompt, before, after, column));
}

}  // namespace espalier
