// The rules are those of CPython's textwrap: a chunk is a run of blanks; a dash of two
// hyphens or more between words; or a word, which ends behind a hyphen that stands
// between two letters on either side.
#include "frontend_lang/script/modules/text_chunks.h"

#include "frontend_lang/script/values/text/unicode.h"
#include "kernels/base/utf8.h"

namespace espalier::script {
namespace {

using Points = std::u32string_view;

bool IsBlank(char32_t c) { return (c >= 0x09 && c <= 0x0D) || c == ' '; }
bool IsWord(char32_t c) {
  return lang::IsAlpha(c) || lang::IsNumeric(c) || lang::IsDigit(c) || c == '_';
}
bool IsLetter(char32_t c) { return IsWord(c) && !lang::IsDecimal(c); }
// A word's beginning or punctuation that may stand before a dash.
bool IsWordPunctuation(char32_t c) {
  return IsWord(c) || Points(U"!\"'&.,?").find(c) != Points::npos;
}

std::u32string Prepared(std::string_view utf8, const ChunkOptions& options) {
  std::u32string text;
  std::size_t column = 0;
  for (std::size_t at = 0; at < utf8.size();) {
    char32_t c = NextCodePoint(utf8, at);
    if (c == '\t' && options.expand_tabs) {
      const std::size_t width = 8 - column % 8;
      text.append(width, U' ');
      column += width;
      continue;
    }
    column = c == '\n' || c == '\r' ? 0 : column + 1;
    if (options.replace_blanks && IsBlank(c)) c = ' ';
    text += c;
  }
  return text;
}

class Splitter {
 public:
  Splitter(Points text, bool hyphens) : text_(text), hyphens_(hyphens) {}

  // The end of the chunk that begins at `begin`.
  std::size_t EndOf(std::size_t begin) const {
    const bool blank = IsBlank(text_[begin]);
    if (blank || !hyphens_) {
      std::size_t end = begin;
      while (end < text_.size() && IsBlank(text_[end]) == blank) ++end;
      return end;
    }
    if (const std::size_t dash = DashEnd(begin);
        dash > begin && begin > 0 && IsWordPunctuation(text_[begin - 1])) {
      if (dash < text_.size() && IsWord(text_[dash])) return dash;
    }
    return WordEnd(begin);
  }

 private:
  char32_t At(std::size_t i) const { return i < text_.size() ? text_[i] : U' '; }
  // In front of a hyphen: two letters, or a letter behind a hyphenated one.
  bool LettersBefore(std::size_t at) const {
    if (at < 2 || !IsLetter(text_[at - 1])) return false;
    return IsLetter(text_[at - 2]) || (at >= 3 && text_[at - 2] == '-' && IsLetter(text_[at - 3]));
  }
  bool LettersBehind(std::size_t at) const {
    return IsLetter(At(at)) &&
           (IsLetter(At(at + 1)) || (At(at + 1) == '-' && IsLetter(At(at + 2))));
  }
  // Behind a run of two hyphens or more.
  std::size_t DashEnd(std::size_t begin) const {
    std::size_t end = begin;
    while (end < text_.size() && text_[end] == '-') ++end;
    return end - begin >= 2 ? end : begin;
  }
  std::size_t WordEnd(std::size_t begin) const {
    for (std::size_t at = begin + 1; at < text_.size(); ++at) {
      if (text_[at] == '-' && LettersBefore(at) && LettersBehind(at + 1)) return at + 1;
      if (IsBlank(text_[at])) return at;
      const std::size_t dash = DashEnd(at);
      if (dash == at) continue;
      if (IsWordPunctuation(text_[at - 1]) && IsWord(At(dash))) return at;
      at = dash - 1;  // no chunk ends within the run
    }
    return text_.size();
  }

  Points text_;
  bool hyphens_;
};

}  // namespace

std::vector<std::string> SplitIntoChunks(std::string_view utf8, const ChunkOptions& options) {
  const std::u32string text = Prepared(utf8, options);
  const Splitter splitter(text, options.break_on_hyphens);
  std::vector<std::string> chunks;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = splitter.EndOf(begin);
    std::string& chunk = chunks.emplace_back();
    for (std::size_t i = begin; i < end; ++i) AppendCodePoint(chunk, text[i]);
    begin = end;
  }
  return chunks;
}

}  // namespace espalier::script
