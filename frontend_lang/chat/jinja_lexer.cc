#include "frontend_lang/chat/jinja_lexer.h"

#include <algorithm>
#include <array>
#include <optional>
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
      const std::optional<RawTag> raw = MatchTag("raw", at_);
      if (source_[at_ + 1] == '#') {
        ESP_RETURN_IF_ERROR(SkipComment());
      } else if (raw && !raw->keep) {
        ESP_RETURN_IF_ERROR(LexRaw(raw->end, raw->strip));
      } else {
        ESP_RETURN_IF_ERROR(LexTag());
      }
    }
    Push(TokenKind::kEnd, "");
    return std::move(tokens_);
  }

 private:
  // {% raw %} or {% endraw %}, with its marks.
  struct RawTag {
    std::size_t end;   // behind it
    bool strip, keep;  // -%} and +%}
  };
  // Whether the tag of that name, and nothing else in it, stands at `at`.
  std::optional<RawTag> MatchTag(std::string_view name, std::size_t at) const;
  std::size_t SkipSpace(std::size_t at) const;

  Status LexText();
  Status SkipComment();
  Status LexRaw(std::size_t begin, bool strip);
  Status LexTag();
  Status LexToken();
  Status LexString();
  void LexNumber();
  bool LexPrefixed();
  void PushText(std::string_view text, std::size_t tag);
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
    tokens_.push_back({.kind = kind, .text = std::move(text), .line = line_, .column = column()});
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

// Text up to the next tag.
Status Lexer::LexText() {
  const std::size_t tag = FindTag(source_, at_);
  PushText(source_.substr(at_, tag - at_), tag);
  return Status();
}

// Text that ends where a tag begins, less the white space that the tag's left edge takes.
void Lexer::PushText(std::string_view text, std::size_t tag) {
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
}

std::size_t Lexer::SkipSpace(std::size_t at) const {
  while (at < source_.size()) {
    std::size_t next = at;
    if (!lang::IsSpace(NextCodePoint(source_, next))) break;
    at = next;
  }
  return at;
}

std::optional<Lexer::RawTag> Lexer::MatchTag(std::string_view name, std::size_t at) const {
  if (!source_.substr(at).starts_with("{%")) return std::nullopt;
  at += 2;
  if (at < source_.size() && (source_[at] == '-' || source_[at] == '+')) ++at;
  at = SkipSpace(at);
  if (!source_.substr(at).starts_with(name)) return std::nullopt;
  at = SkipSpace(at + name.size());
  RawTag tag{0, false, false};
  if (at < source_.size()) tag = {0, source_[at] == '-', source_[at] == '+'};
  if (tag.strip || tag.keep) ++at;
  if (!source_.substr(at).starts_with("%}")) return std::nullopt;
  tag.end = at + 2;
  return tag;
}

// What stands between {% raw %}, which ends at `begin`, and {% endraw %} is text as it is.
Status Lexer::LexRaw(std::size_t begin, bool strip) {
  const int line = line_, start_column = column();
  SkipBehindTag(begin, strip, true);
  for (std::size_t tag = at_; (tag = source_.find("{%", tag)) != kNotFound; tag += 2) {
    const std::optional<RawTag> end = MatchTag("endraw", tag);
    if (!end) continue;
    PushText(source_.substr(at_, tag - at_), tag);
    SkipBehindTag(end->end, end->strip, end->keep);
    return Status();
  }
  return TemplateError(Code::kInvalidArgument, line, start_column,
                       "this tag is not closed by {% endraw %}");
}

// `end` is behind the tag's closing characters.
void Lexer::SkipBehindTag(std::size_t end, bool strip, bool keep) {
  at_line_start_ = false;
  Advance(end);
  if (strip) {
    end = SkipSpace(end);
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

// 0x1F, 0o17, 0b1, with single underscores before digits.
bool Lexer::LexPrefixed() {
  struct Prefix {
    char letter;
    int base;
    std::string_view digits;
  };
  constexpr Prefix kPrefixes[] = {
      {'x', 16, "0123456789abcdefABCDEF"}, {'o', 8, "01234567"}, {'b', 2, "01"}};
  const std::string_view rest = source_.substr(at_);
  if (rest.size() < 3 || rest[0] != '0') return false;
  const auto* prefix = std::ranges::find(kPrefixes, static_cast<char>(rest[1] | 0x20),
                                         [](const Prefix& entry) { return entry.letter; });
  if (prefix == std::end(kPrefixes)) return false;
  const auto is_digit = [&](std::size_t i) {
    return i < rest.size() && prefix->digits.find(rest[i]) != kNotFound;
  };
  std::string digits;
  std::size_t end = 2;
  while (is_digit(end) || (end < rest.size() && rest[end] == '_' && is_digit(end + 1))) {
    if (rest[end] != '_') digits += rest[end];
    ++end;
  }
  if (digits.empty()) return false;
  Push(TokenKind::kInt, std::move(digits));
  tokens_.back().base = prefix->base;
  Advance(at_ + end);
  return true;
}

// 12, 1_000, 1.5, 1e3, 1.5e-3. A "." without digit behind it is an attribute's.
void Lexer::LexNumber() {
  if (LexPrefixed()) return;
  std::string digits;
  std::size_t end = at_;
  const auto digit_at = [&](std::size_t i) { return i < source_.size() && IsDigit(source_[i]); };
  const auto take = [&] {
    while (digit_at(end) || (end < source_.size() && source_[end] == '_' && digit_at(end + 1))) {
      if (source_[end] != '_') digits += source_[end];
      ++end;
    }
  };
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
  if (!is_float && digits.size() > 1 && digits[0] == '0') {  // 007 is 00 and 7
    const std::size_t zeros = std::min(source_.find_first_not_of("0_", at_), end);
    digits.assign(1, '0');
    end = source_[zeros - 1] == '_' ? zeros - 1 : zeros;
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
