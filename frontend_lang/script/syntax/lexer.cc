#include "frontend_lang/script/syntax/lexer.h"

#include <utf8proc.h>

#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/utf8.h"

namespace espalier::script {
namespace {

using K = TokenKind;

constexpr std::size_t kMaxIndents = 100;
constexpr std::size_t kMaxBrackets = 200;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsAsciiNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool IsNameCategory(utf8proc_category_t category, bool first) {
  switch (category) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_NL: return true;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_PC: return !first;
    default: return false;
  }
}

class Lexer {
 public:
  Lexer(const Source& source, Span span, std::size_t depth)
      : source_(source), text_(source.text()), at_(span.begin), end_(span.end), base_(depth) {}

  TokenList Run() {
    if (base_ == 0) ReadIndent();
    while (!failed() && at_ < end_) ReadOne();
    if (!failed()) Finish();
    list_.tokens.push_back({K::kEnd, {LastPlace(), LastPlace()}});
    if (!brackets_.empty()) {
      const Span open = brackets_.back();
      list_.unclosed = SyntaxProblem{
          "SyntaxError", fmt::format("'{}' was never closed", source_.Text(open)), "", open};
      const std::size_t end = text_.find('\n', open.begin);
      list_.unclosed_line_end = static_cast<std::uint32_t>(std::min(end, text_.size()));
    }
    return std::move(list_);
  }

 private:
  struct Indent {
    int columns = 0;      // tabs advance to multiples of 8
    int alternative = 0;  // tabs are one column: the two must agree on every comparison
  };

  bool failed() const { return list_.problem.has_value(); }
  char Peek(std::uint32_t ahead = 0) const {
    return at_ + ahead < end_ ? text_[at_ + ahead] : '\0';
  }
  // The end of the last line.
  std::uint32_t LastPlace() const { return end_ > 0 && text_[end_ - 1] == '\n' ? end_ - 1 : end_; }
  bool in_brackets() const { return base_ + brackets_.size() > 0; }

  void Push(K kind, std::uint32_t begin) { list_.tokens.push_back({kind, {begin, at_}}); }
  void Fail(std::string message, Span span, std::string type = "SyntaxError") {
    if (failed()) return;
    list_.problem = SyntaxProblem{std::move(type), std::move(message), "", span};
    list_.tokens.push_back({K::kError, span});
  }

  void ReadOne();
  void ReadIndent();
  void ApplyIndent(Indent indent);
  void ReadNewline();
  void ReadContinuation();
  void ReadNumber();
  void ReadRadix(std::uint32_t begin);
  bool ReadDigits();
  void ReadName();
  void ReadString(std::uint32_t begin);
  void ReadOperator();
  void CloseBracket(std::uint32_t begin);
  void Finish();
  std::uint32_t NameLength(bool first) const;

  const Source& source_;
  std::string_view text_;
  std::uint32_t at_, end_;
  std::size_t base_;  // brackets around the whole text: 1 inside an f-string
  std::vector<Span> brackets_;
  std::vector<Indent> indents_{Indent{}};
  TokenList list_;
};

void Lexer::ReadOne() {
  const char c = Peek();
  if (c == ' ' || c == '\t' || c == '\f') {
    ++at_;
  } else if (c == '\n') {
    ReadNewline();
  } else if (c == '#') {
    while (at_ < end_ && Peek() != '\n') ++at_;
  } else if (c == '\\') {
    ReadContinuation();
  } else if (IsDigit(c) || (c == '.' && IsDigit(Peek(1)))) {
    ReadNumber();
  } else if (c == '"' || c == '\'') {
    ReadString(at_);
  } else if (NameLength(true) > 0) {
    ReadName();
  } else {
    ReadOperator();
  }
}

// Reads the blanks before the first token of a line, and skips lines without one.
void Lexer::ReadIndent() {
  while (at_ < end_) {
    Indent indent;
    for (; Peek() == ' ' || Peek() == '\t' || Peek() == '\f'; ++at_) {
      if (Peek() == ' ') {
        ++indent.columns, ++indent.alternative;
      } else if (Peek() == '\t') {
        indent.columns = (indent.columns / 8 + 1) * 8, ++indent.alternative;
      } else {
        indent = {};
      }
    }
    if (Peek() == '#') {
      while (at_ < end_ && Peek() != '\n') ++at_;
    }
    if (at_ == end_) return;
    if (Peek() != '\n') return ApplyIndent(indent);
    ++at_;
  }
}

void Lexer::ApplyIndent(Indent indent) {
  const Span here{at_, at_ + 1};
  const auto agrees = [&](const Indent& other) {
    return (indent.columns == other.columns) == (indent.alternative == other.alternative) &&
           (indent.columns > other.columns) == (indent.alternative > other.alternative);
  };
  if (!agrees(indents_.back())) {
    return Fail("inconsistent use of tabs and spaces in indentation", here, "TabError");
  }
  if (indent.columns > indents_.back().columns) {
    if (indents_.size() > kMaxIndents) {
      return Fail("too many levels of indentation", here, "IndentationError");
    }
    indents_.push_back(indent);
    return Push(K::kIndent, at_);
  }
  while (indent.columns < indents_.back().columns) {
    indents_.pop_back();
    Push(K::kDedent, at_);
  }
  if (indent.columns != indents_.back().columns) {
    return Fail("unindent does not match any outer indentation level", here, "IndentationError");
  }
  if (!agrees(indents_.back())) {
    Fail("inconsistent use of tabs and spaces in indentation", here, "TabError");
  }
}

void Lexer::ReadNewline() {
  const std::uint32_t begin = at_++;
  if (in_brackets()) return;
  Push(K::kNewline, begin);
  ReadIndent();
}

void Lexer::ReadContinuation() {
  if (Peek(1) != '\n') {
    return Fail("unexpected character after line continuation character", {at_ + 1, at_ + 2});
  }
  at_ += 2;
  if (at_ >= end_) Fail("unexpected EOF while parsing", {at_ - 2, at_ - 1});
}

// Digits with single underscores between them. False after a stray underscore.
bool Lexer::ReadDigits() {
  while (IsDigit(Peek()) || Peek() == '_') {
    if (Peek() == '_' && !IsDigit(Peek(1))) {
      Fail("invalid decimal literal", {at_, at_ + 1});
      return false;
    }
    ++at_;
  }
  return true;
}

void Lexer::ReadRadix(std::uint32_t begin) {
  const char mark = static_cast<char>(Peek(1) | 0x20);
  const std::string_view name = mark == 'x' ? "hexadecimal" : mark == 'o' ? "octal" : "binary";
  const std::string_view digits = mark == 'x'   ? "0123456789abcdefABCDEF"
                                  : mark == 'o' ? "01234567"
                                                : "01";
  const auto is_digit = [&](char c) { return c != '\0' && digits.find(c) != digits.npos; };
  at_ += 2;
  bool any = false;
  while (is_digit(Peek()) || (Peek() == '_' && is_digit(Peek(1)))) any = true, ++at_;
  if (IsDigit(Peek()) && mark != 'x') {
    return Fail(fmt::format("invalid digit '{}' in {} literal", Peek(), name), {at_, at_ + 1});
  }
  if (!any || IsDigit(Peek()) || IsAsciiNameStart(Peek())) {
    return Fail(fmt::format("invalid {} literal", name), {begin, at_});
  }
  Push(K::kInt, begin);
}

void Lexer::ReadNumber() {
  const std::uint32_t begin = at_;
  const char mark = static_cast<char>(Peek(1) | 0x20);
  if (Peek() == '0' && (mark == 'x' || mark == 'o' || mark == 'b')) return ReadRadix(begin);
  bool is_float = false;
  if (!ReadDigits()) return;
  if (Peek() == '.') {
    is_float = true;
    ++at_;
    if (IsDigit(Peek()) && !ReadDigits()) return;
  }
  const std::uint32_t sign = Peek(1) == '+' || Peek(1) == '-' ? 1 : 0;
  if ((Peek() == 'e' || Peek() == 'E') && IsDigit(Peek(1 + sign))) {
    is_float = true;
    at_ += 1 + sign;
    if (!ReadDigits()) return;
  }
  if (Peek() == 'j' || Peek() == 'J') {
    return Fail("complex numbers are not in the language", {begin, at_ + 1});
  }
  // "1if x" is legal Python, and deprecated; a letter here is nearly always a typo.
  if (NameLength(true) > 0) return Fail("invalid decimal literal", {begin, at_});
  const std::string_view digits = text_.substr(begin, at_ - begin);
  if (!is_float && digits.size() > 1 && digits[0] == '0' &&
      digits.find_first_not_of("0_") != digits.npos) {
    return Fail(
        "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal "
        "integers",
        {begin, at_});
  }
  Push(is_float ? K::kFloat : K::kInt, begin);
}

// Length in bytes of the name character here, or 0.
std::uint32_t Lexer::NameLength(bool first) const {
  const char c = Peek();
  if (IsAsciiNameStart(c) || (!first && IsDigit(c))) return 1;
  if (static_cast<unsigned char>(c) < 0x80) return 0;
  const Utf8Char read = ReadUtf8(text_.substr(0, end_), at_);
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(read.code));
  return IsNameCategory(category, first) ? read.size : 0;
}

void Lexer::ReadName() {
  const std::uint32_t begin = at_;
  for (std::uint32_t length = NameLength(true); length > 0; length = NameLength(false)) {
    at_ += length;
  }
  const std::string_view word = text_.substr(begin, at_ - begin);
  if ((Peek() == '"' || Peek() == '\'') && word.size() <= 2 &&
      word.find_first_not_of("rRbBfFuU") == word.npos) {
    return ReadString(begin);
  }
  Push(KeywordOf(word), begin);
}

// The prefix letters, if any, are already read.
void Lexer::ReadString(std::uint32_t begin) {
  const char quote = Peek();
  const bool triple = Peek(1) == quote && Peek(2) == quote;
  const std::uint32_t opened = at_;
  at_ += triple ? 3 : 1;
  for (;; ++at_) {
    if (at_ >= end_ || (Peek() == '\n' && !triple)) {
      const int line = source_.Locate(at_ >= end_ ? LastPlace() : at_).line;
      return Fail(fmt::format("unterminated {}string literal (detected at line {})",
                              triple ? "triple-quoted " : "", line),
                  {begin, opened + 1});
    }
    if (Peek() == '\\') {
      ++at_;
    } else if (Peek() == quote && (!triple || (Peek(1) == quote && Peek(2) == quote))) {
      break;
    }
  }
  at_ += triple ? 3 : 1;
  Push(K::kString, begin);
}

void Lexer::ReadOperator() {
  std::uint32_t length = 0;
  const std::uint32_t begin = at_;
  const K kind = OperatorAt(text_.substr(at_, end_ - at_), &length);
  if (kind == K::kError) {
    const Utf8Char read = ReadUtf8(text_.substr(0, end_), at_);
    const Span span{at_, at_ + read.size};
    if (read.code < 0x80) return Fail("invalid syntax", span);
    const auto code = static_cast<std::uint32_t>(read.code);
    return Fail(fmt::format("invalid character '{}' (U+{:04X})", source_.Text(span), code), span);
  }
  at_ += length;
  if (kind == K::kLeftParen || kind == K::kLeftBracket || kind == K::kLeftBrace) {
    if (brackets_.size() >= kMaxBrackets) {
      return Fail("too many nested parentheses", {begin, at_});
    }
    brackets_.push_back({begin, at_});
  } else if (kind == K::kRightParen || kind == K::kRightBracket || kind == K::kRightBrace) {
    CloseBracket(begin);
    if (failed()) return;
  }
  Push(kind, begin);
}

void Lexer::CloseBracket(std::uint32_t begin) {
  const char close = text_[begin];
  if (brackets_.empty()) return Fail(fmt::format("unmatched '{}'", close), {begin, begin + 1});
  const Span open = brackets_.back();
  const char opened = text_[open.begin];
  const char wanted = opened == '(' ? ')' : opened == '[' ? ']' : '}';
  if (close != wanted) {
    const int open_line = source_.Locate(open.begin).line;
    const std::string where =
        open_line == source_.Locate(begin).line ? "" : fmt::format(" on line {}", open_line);
    return Fail(fmt::format("closing parenthesis '{}' does not match opening parenthesis '{}'{}",
                            close, opened, where),
                {begin, begin + 1});
  }
  brackets_.pop_back();
}

void Lexer::Finish() {
  if (base_ > 0) return;
  if (!list_.tokens.empty() && list_.tokens.back().kind != K::kNewline) Push(K::kNewline, at_);
  for (; indents_.size() > 1; indents_.pop_back()) Push(K::kDedent, at_);
}

}  // namespace

TokenList Lex(const Source& source) {
  return Lexer(source, {0, static_cast<std::uint32_t>(source.text().size())}, 0).Run();
}

TokenList LexExpression(const Source& source, Span span) { return Lexer(source, span, 1).Run(); }

}  // namespace espalier::script
