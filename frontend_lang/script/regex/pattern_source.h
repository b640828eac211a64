// PatternSource: the text of a regular expression or a replacement, read one item at a
// time, as CPython's sre_parse reads it. An item is a code point, or a backslash with
// the code point behind it.
//
//   1. Positions are counted in code points: they stand in error texts.
//   2. The first problem stays; whoever reads checks failed() or passes the problem on.
//
// Thread safety: none.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace espalier::script::regex {

struct Problem {
  enum class Kind : unsigned char { kError, kIndex, kOverflow, kValue };

  std::string message;            // without the position
  std::optional<std::size_t> at;  // code point
  Kind kind = Kind::kError;       // re.error, IndexError, OverflowError, ValueError
};

class PatternSource {
 public:
  explicit PatternSource(std::string_view utf8);

  // The item that comes next; empty at the end.
  std::u32string_view next() const { return next_; }
  bool at_end() const { return next_.empty(); }
  std::u32string_view Get();
  bool Match(char32_t c);  // takes the item if it is c
  std::u32string GetWhile(std::size_t most, std::u32string_view allowed);
  // The text up to `end`, which is taken too. `what` is named when it is missing.
  std::optional<std::u32string> GetUntil(char32_t end, std::string_view what);

  std::size_t Tell() const { return index_ - next_.size(); }
  void Seek(std::size_t index);

  // Notes a problem `back` code points before the next item.
  void Fail(std::string message, std::size_t back = 0, Problem::Kind kind = Problem::Kind::kError);
  void FailAt(std::string message, std::optional<std::size_t> at);
  bool failed() const { return problem_.has_value(); }
  const Problem& problem() const { return *problem_; }  // REQUIRES: failed()

 private:
  void Advance();

  std::u32string text_;
  std::size_t index_ = 0;  // behind next_
  std::u32string_view next_;
  std::optional<Problem> problem_;
};

std::string ToUtf8(std::u32string_view text);
bool IsIdentifier(std::u32string_view text);

}  // namespace espalier::script::regex
