#include "frontend_lang/script/regex/char_class.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/utf8.h"

namespace espalier::script::regex {
namespace {

constexpr std::string_view kWord = "\\p{L}\\p{N}_";
constexpr std::string_view kAsciiWord = "0-9A-Za-z_";
constexpr std::string_view kNonAsciiWord = "\\x{0}-/:-@\\[-\\^`{-\\x{10FFFF}";
constexpr std::string_view kSpace =
    "\\x{9}-\\x{D}\\x{1C}-\\x{20}\\x{85}\\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}"
    "\\x{202F}\\x{205F}\\x{3000}";
constexpr std::string_view kNonSpace =
    "\\x{0}-\\x{8}\\x{E}-\\x{1B}\\x{21}-\\x{84}\\x{86}-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}"
    "\\x{200B}-\\x{2027}\\x{202A}-\\x{202E}\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}"
    "\\x{3001}-\\x{10FFFF}";
constexpr std::string_view kAsciiSpace = "\\x{9}-\\x{D}\\x{20}";
constexpr std::string_view kNonAsciiSpace = "\\x{0}-\\x{8}\\x{E}-\\x{1F}\\x{21}-\\x{10FFFF}";
constexpr std::string_view kNonAsciiDigit = "\\x{0}-/:-\\x{10FFFF}";
constexpr char32_t kDottedI = 0x130, kDotlessI = 0x131;

std::string CodePoint(char32_t c) {
  const bool plain =
      (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
  if (plain) return std::string(1, static_cast<char>(c));
  return fmt::format("\\x{{{:X}}}", static_cast<unsigned>(c));
}

std::string Span(char32_t low, char32_t high) {
  return low == high ? CodePoint(low) : CodePoint(low) + "-" + CodePoint(high);
}

}  // namespace

void CharClass::AddRange(char32_t low, char32_t high) {
  members_ += Span(low, high);
  const auto holds = [&](char32_t c) { return low <= c && c <= high; };
  // Python takes the four letters i, with a dot or without, as alike.
  if (casing_ == Casing::kFolded &&
      (holds('i') || holds('I') || holds(kDottedI) || holds(kDotlessI))) {
    members_ += "Ii" + Span(kDottedI, kDotlessI);
  }
  if (casing_ != Casing::kFoldedAscii) return;
  constexpr char32_t kCaseGap = 'a' - 'A';
  const auto add_other = [&](char32_t first, char32_t last, bool up) {
    const char32_t from = std::max(low, first), to = std::min(high, last);
    if (from <= to)
      members_ += up ? Span(from - kCaseGap, to - kCaseGap) : Span(from + kCaseGap, to + kCaseGap);
  };
  add_other('a', 'z', true);
  add_other('A', 'Z', false);
}

void CharClass::AddCategory(char32_t letter) {
  switch (letter) {
    case 'd': members_ += ascii_ ? "0-9" : "\\p{Nd}"; break;
    case 'D': members_ += ascii_ ? kNonAsciiDigit : "\\P{Nd}"; break;
    case 's': members_ += ascii_ ? kAsciiSpace : kSpace; break;
    case 'S': members_ += ascii_ ? kNonAsciiSpace : kNonSpace; break;
    case 'w': members_ += ascii_ ? kAsciiWord : kWord; break;
    default:
      if (ascii_) {
        members_ += kNonAsciiWord;
      } else {
        non_word_ = kWord;
      }
      break;
  }
}

std::string CharClass::Pattern() const {
  // Not a word character, but for the members: no set says that.
  if (!non_word_.empty()) {
    const std::string others = "[^" + std::string(non_word_) + "]";
    if (members_.empty()) return negated_ ? "[" + std::string(non_word_) + "]" : others;
    const std::string either = "(?:[" + members_ + "]|" + others + ")";
    return negated_ ? "(?:(?!" + either + ").)" : either;
  }
  return (negated_ ? "[^" : "[") + members_ + "]";
}

std::string WordBoundary(bool ascii) {
  const std::string word = "[" + std::string(ascii ? kAsciiWord : kWord) + "]";
  return fmt::format("(?:(?<={0})(?!{0})|(?<!{0})(?={0}))", word);
}

// Python finds none in an empty text.
std::string NoWordBoundary(bool ascii) {
  const std::string word = "[" + std::string(ascii ? kAsciiWord : kWord) + "]";
  return fmt::format("(?:(?<={0})(?={0})|(?<!{0})(?!{0})(?:(?<=.)|(?=.)))", word);
}

std::string LiteralPattern(char32_t c, Casing casing) {
  const bool letter = c < 0x80 && ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
  const bool dotty = c == 'i' || c == 'I' || c == kDottedI || c == kDotlessI;
  if ((casing == Casing::kFoldedAscii && letter) || (casing == Casing::kFolded && dotty)) {
    CharClass set(casing, false);
    set.Add(c);
    return set.Pattern();
  }
  if (c < 0x80) return CodePoint(c);
  std::string text;
  AppendCodePoint(text, c);
  return text;
}

}  // namespace espalier::script::regex
