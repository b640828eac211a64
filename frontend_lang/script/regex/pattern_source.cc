#include "frontend_lang/script/regex/pattern_source.h"

#include <algorithm>

#include "frontend_lang/script/values/text/unicode.h"
#include "kernels/base/utf8.h"

namespace espalier::script::regex {

PatternSource::PatternSource(std::string_view utf8) {
  for (std::size_t at = 0; at < utf8.size();) text_ += NextCodePoint(utf8, at);
  Advance();
}

void PatternSource::Advance() {
  const std::u32string_view text = text_;
  if (index_ >= text.size()) {
    next_ = {};
    return;
  }
  const std::size_t length = text[index_] == U'\\' ? 2 : 1;
  if (index_ + length > text.size()) {
    FailAt("bad escape (end of pattern)", text.size() - 1);
    next_ = {};
    return;
  }
  next_ = text.substr(index_, length);
  index_ += length;
}

std::u32string_view PatternSource::Get() {
  const std::u32string_view item = next_;
  Advance();
  return item;
}

bool PatternSource::Match(char32_t c) {
  if (next_.size() != 1 || next_[0] != c) return false;
  Advance();
  return true;
}

std::u32string PatternSource::GetWhile(std::size_t most, std::u32string_view allowed) {
  std::u32string taken;
  while (taken.size() < most && next_.size() == 1 && allowed.find(next_[0]) != allowed.npos) {
    taken += Get();
  }
  return taken;
}

std::optional<std::u32string> PatternSource::GetUntil(char32_t end, std::string_view what) {
  std::u32string taken;
  const std::string name(what);
  for (;;) {
    if (failed()) return std::nullopt;
    const std::u32string_view item = Get();
    if (item.empty()) {
      if (taken.empty()) {
        Fail("missing " + name);
      } else {
        Fail("missing " + ToUtf8({&end, 1}) + ", unterminated name", taken.size());
      }
      return std::nullopt;
    }
    if (item.size() == 1 && item[0] == end) break;
    taken += item;
  }
  if (taken.empty()) {
    Fail("missing " + name, 1);
    return std::nullopt;
  }
  return taken;
}

void PatternSource::Seek(std::size_t index) {
  index_ = index;
  Advance();
}

void PatternSource::Fail(std::string message, std::size_t back, Problem::Kind kind) {
  if (!problem_) problem_ = Problem{std::move(message), Tell() - std::min(back, Tell()), kind};
}

void PatternSource::FailAt(std::string message, std::optional<std::size_t> at) {
  if (!problem_) problem_ = Problem{std::move(message), at, Problem::Kind::kError};
}

std::string ToUtf8(std::u32string_view text) {
  std::string out;
  for (const char32_t c : text) AppendCodePoint(out, c);
  return out;
}

bool IsIdentifier(std::u32string_view text) {
  return !text.empty() && lang::IsIdentifierStart(text[0]) &&
         std::all_of(text.begin(), text.end(), lang::IsIdentifierPart);
}

}  // namespace espalier::script::regex
