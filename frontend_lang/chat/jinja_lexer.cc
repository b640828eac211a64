#include "frontend_lang/chat/jinja_lexer.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "frontend_lang/chat/jinja_string.h"
#include "frontend_lang/script/values/text/text_search.h"
#include "frontend_lang/script/values/text/unicode.h"
#include "kernels/base/utf8.h"

namespace espalier::jinja {
namespace {

using lang::kNotFound;

constexpr std::string_view kOperators[] = {
    "//", "**", "==", "!=", ">=", "<=", "+", "-", "*", "/", "%", "~", "[",
    "]",  "(",  ")",  "{",  "}",  ">",  "<", "=", ".", ":", "|", ",", ";",
};

std::string NormalizeNewlines(std::string_view source) {
  std::string text;
  text.reserve(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] != '\r') {
      text += source[i];
    } else {
      text += '\n';
      if (i + 1 < source.size() && source[i + 1] == '\n') ++i;
    }
  }
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

std::string_view StripEnd(std::string_view text) {
  while (!text.empty()) {
    std::size_t at = text.size();
    if (!lang::IsSpace(PreviousCodePoint(text, at))) break;
    text.remove_suffix(text.size() - at);
  }
  return text;
}

bool IsBlank(std::string_view text) { return StripEnd(text).empty(); }

bool IsNameStart(char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  Result<std::vector<Token>> Run() {
    while (at_ < source_.size()) {
      ESP_RETURN_IF_ERROR(LexText());
      if (at_ >= source_.size()) break;
      if (source_[at_ + 1] == '#') {
        ESP_RETURN_IF_ERROR(SkipComment());
      } else {
        ESP_RETURN_IF_ERROR(LexTag());
      }
    }
    Push(TokenKind::kEnd, "");
    return std::move(tokens_);
  }

 private:
  Status LexText();
  Status SkipComment();
  Status LexTag();
  Status LexToken();
  Status LexString();
  void LexNumber();
  Status LexOperator();
  bool CloseTag(char closer);
  void SkipBehindTag(std::size_t end, bool strip, bool keep);

  void Advance(std::size_t to) {  // moves at_, counting lines
    for (; at_ < to; ++at_) {
      if (source_[at_] != '\n') continue;
      ++line_;
      line_start_ = at_ + 1;
    }
  }
  int column() const { return static_cast<int>(at_ - line_start_) + 1; }
  void Push(TokenKind kind, std::string text) {
    tokens_.push_back({kind, std::move(text), line_, column()});
  }
  Status Error(std::string_view message) const {
    return TemplateError(Code::kInvalidArgument, line_, column(), message);
  }

  std::string_view source_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::size_t line_start_ = 0;
  bool at_line_start_ = true;  // the text that comes next begins a line
  std::string open_;           // brackets open in this tag
  std::vector<Token> tokens_;
};

std::size_t FindTag(std::string_view source, std::size_t from) {
  while (true) {
    const std::size_t at = source.find('{', from);
    if (at == kNotFound || at + 1 >= source.size()) return source.size();
    const char next = source[at + 1];
    if (next == '{' || next == '%' || next == '#') return at;
    from = at + 1;
  }
}

// Text up to the next tag, less the white space that the tag's left edge takes.
Status Lexer::LexText() {
  const std::size_t tag = FindTag(source_, at_);
  std::string_view text = source_.substr(at_, tag - at_);
  if (tag < source_.size()) {
    const char mark = tag + 2 < source_.size() ? source_[tag + 2] : ' ';
    if (mark == '-') {
      text = StripEnd(text);
    } else if (mark != '+' && source_[tag + 1] != '{') {
      const std::size_t newline = text.rfind('\n');
      const std::size_t line = newline == kNotFound ? 0 : newline + 1;
      if ((line > 0 || at_line_start_) && IsBlank(text.substr(line))) text = text.substr(0, line);
    }
  }
  if (!text.empty()) Push(TokenKind::kText, std::string(text));
  Advance(tag);
  return Status();
}

// `end` is behind the tag's closing characters.
void Lexer::SkipBehindTag(std::size_t end, bool strip, bool keep) {
  at_line_start_ = false;
  Advance(end);
  if (strip) {
    while (end < source_.size()) {
      std::size_t next = end;
      if (!lang::IsSpace(NextCodePoint(source_, next))) break;
      end = next;
    }
    at_line_start_ = end > at_ && source_[end - 1] == '\n';
    Advance(end);
  } else if (!keep && end < source_.size() && source_[end] == '\n') {
    at_line_start_ = true;
    Advance(end + 1);
  }
}

Status Lexer::SkipComment() {
  const std::size_t end = source_.find("#}", at_ + 2);
  if (end == kNotFound) return Error("this comment is not closed by #}");
  const char mark = end > at_ + 2 ? source_[end - 1] : ' ';
  SkipBehindTag(end + 2, mark == '-', mark == '+');
  return Status();
}

// Recognises "}}", "-}}", "%}", "-%}", "+%}" where the tag may end.
bool Lexer::CloseTag(char closer) {
  if (!open_.empty()) return false;
  const std::string_view rest = source_.substr(at_);
  const bool marked = rest.starts_with('-') || (closer == '%' && rest.starts_with('+'));
  const std::size_t skip = marked ? 1 : 0;
  if (rest.size() < skip + 2 || rest[skip] != closer || rest[skip + 1] != '}') return false;
  Push(closer == '%' ? TokenKind::kBlockEnd : TokenKind::kPrintEnd, "");
  const bool strip = rest[0] == '-', keep = rest[0] == '+' || closer == '}';
  SkipBehindTag(at_ + skip + 2, strip, keep);
  return true;
}

Status Lexer::LexTag() {
  const bool block = source_[at_ + 1] == '%';
  const int line = line_, start_column = column();
  Push(block ? TokenKind::kBlockBegin : TokenKind::kPrintBegin, "");
  std::size_t begin = at_ + 2;
  if (begin < source_.size() && (source_[begin] == '-' || source_[begin] == '+')) {
    ++begin;
  }
  Advance(begin);
  open_.clear();
  while (true) {
    while (at_ < source_.size() && lang::IsSpace(static_cast<unsigned char>(source_[at_])) &&
           static_cast<unsigned char>(source_[at_]) < 0x80) {
      Advance(at_ + 1);
    }
    if (at_ >= source_.size()) {
      return TemplateError(Code::kInvalidArgument, line, start_column,
                           block ? "this tag is not closed by %}" : "this tag is not closed by }}");
    }
    if (CloseTag(block ? '%' : '}')) return Status();
    ESP_RETURN_IF_ERROR(LexToken());
  }
}

Status Lexer::LexToken() {
  const char c = source_[at_];
  if (IsNameStart(c)) {
    std::size_t end = at_;
    while (end < source_.size() && (IsNameStart(source_[end]) || IsDigit(source_[end]))) ++end;
    Push(TokenKind::kName, std::string(source_.substr(at_, end - at_)));
    Advance(end);
    return Status();
  }
  if (IsDigit(c)) {
    LexNumber();
    return Status();
  }
  if (c == '"' || c == '\'') return LexString();
  return LexOperator();
}

// 12, 1_000, 1.5, 1e3, 1.5e-3. A "." without digit behind it is an attribute's.
void Lexer::LexNumber() {
  std::string digits;
  std::size_t end = at_;
  const auto take = [&] {
    while (end < source_.size() && (IsDigit(source_[end]) || source_[end] == '_')) {
      if (source_[end] != '_') digits += source_[end];
      ++end;
    }
  };
  const auto digit_at = [&](std::size_t i) { return i < source_.size() && IsDigit(source_[i]); };
  take();
  bool is_float = false;
  if (end < source_.size() && source_[end] == '.' && digit_at(end + 1)) {
    is_float = true;
    digits += source_[end++];
    take();
  }
  if (end < source_.size() && (source_[end] == 'e' || source_[end] == 'E')) {
    const bool sign =
        end + 1 < source_.size() && (source_[end + 1] == '+' || source_[end + 1] == '-');
    if (digit_at(end + (sign ? 2 : 1))) {
      is_float = true;
      digits.append(source_.substr(end, sign ? 2 : 1));
      end += sign ? 2 : 1;
      take();
    }
  }
  Push(is_float ? TokenKind::kFloat : TokenKind::kInt, std::move(digits));
  Advance(end);
}

Status Lexer::LexString() {
  const char quote = source_[at_];
  std::size_t end = at_ + 1;
  while (end < source_.size() && source_[end] != quote) end += source_[end] == '\\' ? 2 : 1;
  if (end >= source_.size()) return Error("this string is not closed");
  Result<std::string> value = UnescapeString(source_.substr(at_ + 1, end - at_ - 1));
  if (!value.ok()) return Error(value.status().message());
  Push(TokenKind::kString, std::move(*value));
  Advance(end + 1);
  return Status();
}

Status Lexer::LexOperator() {
  const std::string_view rest = source_.substr(at_);
  const auto* found = std::ranges::find_if(
      kOperators, [&](std::string_view symbol) { return rest.starts_with(symbol); });
  if (found == std::end(kOperators)) {
    const std::size_t length =
        static_cast<std::size_t>(CodePointBytes(static_cast<unsigned char>(rest[0])));
    return Error("unexpected character '" + std::string(rest.substr(0, length)) + "'");
  }
  const char c = (*found)[0];
  if (c == '(' || c == '[' || c == '{') open_ += c == '(' ? ')' : c == '[' ? ']' : '}';
  if (c == ')' || c == ']' || c == '}') {
    if (open_.empty()) return Error("unexpected '" + std::string(1, c) + "'");
    if (open_.back() != c) {
      return Error("unexpected '" + std::string(1, c) + "', expected '" +
                   std::string(1, open_.back()) + "'");
    }
    open_.pop_back();
  }
  Push(TokenKind::kOperator, std::string(*found));
  Advance(at_ + found->size());
  return Status();
}

}  // namespace

Result<std::vector<Token>> Tokenize(std::string_view source) {
  if (ValidUtf8Prefix(source) != source.size()) {
    return Status(Code::kInvalidArgument, "chat template: the text is not valid UTF-8");
  }
  const std::string text = NormalizeNewlines(source);
  return Lexer(text).Run();
}

Status TemplateError(Code code, int line, int column, std::string_view message) {
  return Status(code, "chat template, line " + std::to_string(line) + ", column " +
                          std::to_string(column) + ": " + std::string(message));
}

}  // namespace espalier::jinja
