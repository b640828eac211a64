#include "frontend_lang/script/pydantic/json_complaint.h"

#include <algorithm>

#include <fmt/format.h>

namespace espalier::script {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHex(char c) { return IsDigit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); }

class JsonScanner {
 public:
  explicit JsonScanner(std::string_view text) : text_(text) {}

  std::optional<std::string> Run() {
    if (Value(0) && (Blanks(), at_ < text_.size())) Fail("trailing characters");
    if (problem_.empty()) return std::nullopt;
    const std::string_view read = text_.substr(0, std::min(problem_at_ + 1, text_.size()));
    const auto line = std::ranges::count(read, '\n') + 1;
    const std::size_t column = read.size() - (read.rfind('\n') + 1);  // npos + 1 is 0
    return fmt::format("{} at line {} column {}", problem_, line, column);
  }

 private:
  bool Fail(std::string problem) {
    if (problem_.empty()) {
      problem_ = std::move(problem);
      problem_at_ = at_;
    }
    return false;
  }
  bool AtEnd() const { return at_ == text_.size(); }
  void Blanks() {
    constexpr std::string_view kBlanks = " \t\n\r";
    at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size());
  }

  bool Value(int depth) {
    Blanks();
    if (AtEnd()) return Fail("EOF while parsing a value");
    if (depth > kMaxJsonDepth) return Fail("recursion limit exceeded");
    switch (text_[at_]) {
      case '{': return Object(depth);
      case '[': return Array(depth);
      case '"': return String();
      case 't': return Word("true");
      case 'f': return Word("false");
      case 'n': return Word("null");
      case 'N': return Word("NaN");
      case 'I': return Word("Infinity");
      default: break;
    }
    if (text_[at_] == '-' || IsDigit(text_[at_])) return Number();
    return Fail("expected value");
  }

  bool Word(std::string_view word) {
    for (const char c : word) {
      if (AtEnd()) return Fail("EOF while parsing a value");
      if (text_[at_] != c) return Fail("expected ident");
      ++at_;
    }
    return true;
  }

  bool Digits() {
    if (AtEnd()) return Fail("EOF while parsing a value");
    if (!IsDigit(text_[at_])) return Fail("invalid number");
    while (!AtEnd() && IsDigit(text_[at_])) ++at_;
    return true;
  }

  bool Number() {
    if (text_[at_] == '-') ++at_;
    if (!AtEnd() && text_[at_] == 'I') return Word("Infinity");
    const bool zero = !AtEnd() && text_[at_] == '0';
    if (zero) {
      ++at_;
      if (!AtEnd() && IsDigit(text_[at_])) return Fail("invalid number");
    } else if (!Digits()) {
      return false;
    }
    if (!AtEnd() && text_[at_] == '.') {
      ++at_;
      if (!Digits()) return false;
    }
    if (!AtEnd() && (text_[at_] | 0x20) == 'e') {
      ++at_;
      if (!AtEnd() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
      if (!Digits()) return false;
    }
    return true;
  }

  bool String() {
    for (++at_; !AtEnd(); ++at_) {
      const char c = text_[at_];
      if (c == '"') return ++at_, true;
      if (static_cast<unsigned char>(c) < 0x20) {
        return Fail("control character (\\u0000-\\u001F) found while parsing a string");
      }
      if (c == '\\' && !Escape()) return false;
    }
    return Fail("EOF while parsing a string");
  }

  // Leaves at_ on the last character of the escape.
  bool Escape() {
    if (++at_ == text_.size()) return Fail("EOF while parsing a string");
    constexpr std::string_view kSimple = "\"\\/bfnrt";
    if (kSimple.find(text_[at_]) != std::string_view::npos) return true;
    if (text_[at_] != 'u') return Fail("invalid escape");
    for (int i = 0; i < 4; ++i) {
      if (++at_ == text_.size()) return Fail("EOF while parsing a string");
      if (!IsHex(text_[at_])) return Fail("invalid escape");
    }
    return true;
  }

  bool Array(int depth) {
    ++at_;
    Blanks();
    if (!AtEnd() && text_[at_] == ']') return ++at_, true;
    if (AtEnd()) return Fail("EOF while parsing a list");
    for (;;) {
      if (!Value(depth + 1)) return false;
      Blanks();
      if (AtEnd()) return Fail("EOF while parsing a list");
      if (text_[at_] == ']') return ++at_, true;
      if (text_[at_] != ',') return Fail("expected `,` or `]`");
      ++at_;
      Blanks();
      if (!AtEnd() && text_[at_] == ']') return Fail("trailing comma");
    }
  }

  bool Object(int depth) {
    ++at_;
    Blanks();
    if (!AtEnd() && text_[at_] == '}') return ++at_, true;
    for (;;) {
      if (AtEnd()) return Fail("EOF while parsing an object");
      if (text_[at_] != '"') return Fail("key must be a string");
      if (!String()) return false;
      Blanks();
      if (AtEnd()) return Fail("EOF while parsing an object");
      if (text_[at_] != ':') return Fail("expected `:`");
      ++at_;
      if (!Value(depth + 1)) return false;
      Blanks();
      if (AtEnd()) return Fail("EOF while parsing an object");
      if (text_[at_] == '}') return ++at_, true;
      if (text_[at_] != ',') return Fail("expected `,` or `}`");
      ++at_;
      Blanks();
      if (AtEnd()) return Fail("EOF while parsing a value");
      if (text_[at_] == '}') return Fail("trailing comma");
    }
  }

  const std::string_view text_;
  std::size_t at_ = 0, problem_at_ = 0;
  std::string problem_;
};

}  // namespace

std::optional<std::string> ComplainOfJson(std::string_view text) { return JsonScanner(text).Run(); }

}  // namespace espalier::script
