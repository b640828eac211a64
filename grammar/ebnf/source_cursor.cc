#include "grammar/ebnf/source_cursor.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "kernels/base/utf8.h"

namespace espalier {
namespace {

constexpr std::size_t kShownBefore = 60;  // bytes of the line, to each side of the caret
constexpr std::size_t kShownAfter = 40;

}  // namespace

bool SourceCursor::Take(std::string_view word) {
  if (!StartsWith(word)) return false;
  at_ += word.size();
  return true;
}

char32_t SourceCursor::TakeCodePoint() {
  const auto lead = static_cast<std::uint8_t>(text_[at_++]);
  if (lead < 0x80) return lead;
  const int length = std::countl_one(lead);
  char32_t code_point = lead & (0x7Fu >> length);
  for (int i = 1; i < length && !at_end(); ++i) {
    code_point = code_point << 6 | (static_cast<std::uint8_t>(text_[at_++]) & 0x3Fu);
  }
  return code_point;
}

Status SourceCursor::ErrorAt(std::size_t at, std::string_view message, Code code) const {
  const std::string_view before = text_.substr(0, at);
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  const std::size_t line_end = std::min(text_.find('\n', at), text_.size());
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::int64_t column = NumCodePoints(before.substr(line_begin)) + 1;

  std::size_t begin = std::max(line_begin, at - std::min(at, kShownBefore));
  while (begin < at && IsContinuation(text_[begin])) ++begin;
  std::size_t end = std::min(line_end, at + kShownAfter);
  while (end < line_end && IsContinuation(text_[end])) ++end;
  std::string shown(text_.substr(begin, end - begin));
  if (!shown.empty() && shown.back() == '\r') shown.pop_back();
  std::string caret;
  for (const char c : text_.substr(begin, at - begin)) {
    if (!IsContinuation(c)) caret += c == '\t' ? '\t' : ' ';
  }
  return Status(code, "line " + std::to_string(line) + ", column " + std::to_string(column) + ": " +
                          std::string(message) + "\n  " + shown + "\n  " + caret + "^");
}

}  // namespace espalier
