#include <string>

#include "grammar/ascii.h"
#include "grammar/regex/pattern_syntax.h"

namespace espalier {
namespace {

constexpr char32_t kHighSurrogate = 0xD800, kLowSurrogate = 0xDC00, kSurrogateEnd = 0xE000;

std::string Quoted(char32_t letter) {
  return std::string("\\") + (letter < 0x80 ? static_cast<char>(letter) : '?');
}

class EscapeReader {
 public:
  EscapeReader(PatternReader& reader, const PatternMode& mode, EscapePlace place)
      : reader_(reader), mode_(mode), place_(place), start_(reader.at() - 1) {}

  Result<Escape> Read() {
    if (reader_.done()) return reader_.Wrong(start_, "nothing follows the backslash");
    const char32_t letter = reader_.Take();
    if (auto set = ClassLetter(letter)) return Escape{EscapeKind::kSet, 0, std::move(*set)};
    if (const auto control = ControlLetter(letter)) return Char(*control);
    switch (letter) {
      case 'b':
        if (place_ == EscapePlace::kInsideClass) return Char(0x08);
        return Escape{EscapeKind::kWordEdge, 0, {}};
      case 'B':
        if (place_ == EscapePlace::kInsideClass) break;
        return Escape{EscapeKind::kNotWordEdge, 0, {}};
      case 'x': return Hex(2);
      case 'u': return mode_.python() ? Hex(4) : Unit();
      default: break;
    }
    if (IsDigit(letter)) return Number(letter);
    return mode_.python() ? PythonEscape(letter) : EcmaEscape(letter);
  }

 private:
  static Escape Char(char32_t c) { return Escape{EscapeKind::kChar, c, {}}; }

  Status Meaningless(char32_t letter) const {
    return reader_.Wrong(start_, Quoted(letter) + " has no meaning here");
  }

  std::optional<CodePointSet> ClassLetter(char32_t letter) const {
    const ClassStyle style = mode_.class_style();
    switch (letter) {
      case 'd': return DigitChars(style);
      case 'D': return DigitChars(style).Complement();
      case 'w': return mode_.Word();
      case 'W': return mode_.Word().Complement();
      case 's': return SpaceChars(style);
      case 'S': return SpaceChars(style).Complement();
      default: return std::nullopt;
    }
  }

  std::optional<char32_t> ControlLetter(char32_t letter) const {
    switch (letter) {
      case 'f': return 0x0C;
      case 'n': return 0x0A;
      case 'r': return 0x0D;
      case 't': return 0x09;
      case 'v': return 0x0B;
      default: return std::nullopt;
    }
  }

  // The value of the next `num_digits` hex digits, if they are some.
  std::optional<char32_t> PeekHex(std::size_t num_digits) const {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < num_digits; ++i) {
      const std::optional<unsigned> digit = HexValue(reader_.Peek(i));
      if (!digit) return std::nullopt;
      value = value * 16 + *digit;
    }
    return static_cast<char32_t>(value);
  }

  // REQUIRES: num_digits <= 8
  Result<Escape> Hex(std::size_t num_digits) {
    const std::optional<char32_t> value = PeekHex(num_digits);
    if (!value) {
      return reader_.Wrong(start_, "needs " + std::to_string(num_digits) + " hex digits");
    }
    if (*value > CodePointSet::kMax) return reader_.Wrong(start_, "is beyond U+10FFFF");
    reader_.Seek(reader_.at() + num_digits);
    return Char(*value);
  }

  // \uXXXX, a pair of them, or \u{X...}.
  Result<Escape> Unit() {
    if (reader_.Peek() == '{') return BracedUnit();
    ESP_ASSIGN_OR_RETURN(const Escape first, Hex(4));
    const char32_t high = first.code_point;
    const bool is_high = high >= kHighSurrogate && high < kLowSurrogate;
    if (!is_high || reader_.Peek() != '\\' || reader_.Peek(1) != 'u') return first;
    const std::size_t behind_first = reader_.at();
    reader_.Seek(behind_first + 2);
    const char32_t low = PeekHex(4).value_or(0);
    if (low < kLowSurrogate || low >= kSurrogateEnd) {
      reader_.Seek(behind_first);
      return first;
    }
    reader_.Seek(behind_first + 6);
    return Char(0x10000 + ((high - kHighSurrogate) << 10) + (low - kLowSurrogate));
  }

  Result<Escape> BracedUnit() {
    std::u32string_view digits;
    reader_.Take();
    if (!reader_.TakeUntil('}', digits) || digits.empty()) {
      return reader_.Wrong(start_, "\\u{ needs hex digits and a }");
    }
    char32_t value = 0;
    for (const char32_t c : digits) {
      const std::optional<unsigned> digit = HexValue(c);
      if (!digit) return reader_.Wrong(start_, "\\u{ needs hex digits and a }");
      value = value * 16 + *digit;
      if (value > CodePointSet::kMax) return reader_.Wrong(start_, "is beyond U+10FFFF");
    }
    return Char(value);
  }

  Result<Escape> Number(char32_t digit) {
    if (digit == '0' && !IsDigit(reader_.Peek())) return Char(0);
    const bool octal = digit == '0' || place_ == EscapePlace::kInsideClass;
    if (octal) return reader_.Unsupported(start_, "an octal escape");
    return reader_.Unsupported(start_, "the back-reference " + Quoted(digit));
  }

  Result<Escape> PythonEscape(char32_t letter) {
    if (letter == 'a') return Char(0x07);
    if (letter == 'U') return Hex(8);
    if (letter == 'N') return reader_.Unsupported(start_, "\\N{...}");
    if (place_ == EscapePlace::kOutsideClass) {
      if (letter == 'A') return Escape{EscapeKind::kTextStart, 0, {}};
      if (letter == 'Z') return Escape{EscapeKind::kTextEnd, 0, {}};
    }
    if (IsLetter(letter)) return Meaningless(letter);
    return Char(letter);
  }

  Result<Escape> EcmaEscape(char32_t letter) {
    if (letter == 'p' || letter == 'P') return Property(letter);
    if (letter == 'k') return reader_.Unsupported(start_, "the back-reference \\k");
    if (letter == 'c' && IsLetter(reader_.Peek())) return Char(reader_.Take() % 32);
    if (place_ == EscapePlace::kOutsideClass) {
      if (letter == 'A') return Escape{EscapeKind::kTextStart, 0, {}};
      if (letter == 'Z' || letter == 'z') return Escape{EscapeKind::kTextEnd, 0, {}};
    }
    if (IsLetter(letter)) return Meaningless(letter);
    return Char(letter);
  }

  Result<Escape> Property(char32_t letter) {
    std::u32string_view name;
    if (!reader_.Skip(U"{") || !reader_.TakeUntil('}', name)) {
      return reader_.Wrong(start_, Quoted(letter) + " needs a name in braces");
    }
    std::string ascii;
    for (const char32_t c : name) ascii += c < 0x80 ? static_cast<char>(c) : '?';
    std::optional<CodePointSet> set = UnicodeProperty(ascii);
    if (!set) return reader_.Unsupported(start_, "the Unicode property " + ascii);
    return Escape{EscapeKind::kSet, 0, letter == 'p' ? *set : set->Complement()};
  }

  PatternReader& reader_;
  const PatternMode& mode_;
  const EscapePlace place_;
  const std::size_t start_;  // of the backslash
};

}  // namespace

Result<Escape> ReadEscape(PatternReader& reader, const PatternMode& mode, EscapePlace place) {
  return EscapeReader(reader, mode, place).Read();
}

}  // namespace espalier
