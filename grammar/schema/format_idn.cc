// Internationalized host names (RFC 5890 to 5893), a regular part of them.
//
// A label is made of letters of the scripts below, each with what its context asks for: a
// mark follows a letter, a joiner a virama. Names that are written from right to left obey
// the Bidi rule by their shape: all labels begin with a letter, and none mixes directions
// or kinds of digits. Labels have few enough characters for their A-label to be short
// enough whatever they are.
#include <array>
#include <string>
#include <string_view>

#include "grammar/schema/format_pattern.h"

namespace espalier {
namespace {

constexpr std::uint32_t kMaxLabelLength = 14;
constexpr std::uint32_t kMaxNameLength = 253;

// Characters that are valid in a label anywhere: Latin, Greek, Cyrillic, Armenian,
// Georgian, Devanagari, Thai, Hiragana, Katakana, Han, Hangul.
constexpr std::string_view kJapanese =
    "\\u3041-\\u3096\\u30a1-\\u30fa\\u3005-\\u3007\\u3400-\\u4dbf"
    "\\u4e00-\\u9fff";
constexpr std::string_view kGreek = "\\u03ac-\\u03ce";
constexpr std::string_view kLetters =
    "a-z\\u00df-\\u00f6\\u00f8-\\u00ff\\u0430-\\u045f\\u0561-\\u0586\\u10d0-\\u10fa\\u0904-\\u0939"
    "\\u0e01-\\u0e30\\u0e40-\\u0e46\\uac00-\\ud7a3";
constexpr std::string_view kDigits = "0-9\\u06f0-\\u06f9\\u0966-\\u096f\\u0e50-\\u0e59";
constexpr std::string_view kMarks =
    "\\u0300-\\u0304\\u0306-\\u030c\\u0900-\\u0903\\u093c\\u093e-\\u094d\\u0e31\\u0e34-\\u0e3a"
    "\\u0e47-\\u0e4e\\u0f0b\\u3099\\u309a";

constexpr std::string_view kHebrew = "\\u05d0-\\u05ea";
constexpr std::string_view kArabic =
    "\\u0620-\\u063f\\u0641-\\u064a\\u0671-\\u0674\\u0679-\\u06d3\\u06fd\\u06fe";
// Arabic letters that join on both sides: a non-joiner may stand between two.
constexpr std::string_view kJoining = "\\u0628\\u062a-\\u062e\\u0633-\\u063a\\u0641-\\u0647\\u064a";

std::string Set(std::string_view a, std::string_view b = "", std::string_view c = "") {
  return std::string("[").append(a).append(b).append(c).append("]");
}

// Without a character that is written from right to left.
RegexId LeftToRightLabel(TextRegex& text) {
  const std::string letters = std::string(kLetters).append(kJapanese).append(kGreek);
  const std::string first = Set(letters, kDigits);
  const std::string in_context = "l\\u00b7l|\\u0375" + Set(kGreek) + "|\\u30fb" + Set(kJapanese) +
                                 "|" + Set(kJapanese) + "\\u30fb";
  const std::string joined = "\\u094d[\\u200c\\u200d]" + Set("\\u0904-\\u0939");
  return FullMatch("(?:" + first + "|" + in_context + ")(?:" + Set(letters, kDigits, kMarks) + "|" +
                       in_context + "|" + joined + "|-" + first + ")*",
                   text);
}

RegexId RightToLeftLabel(std::string_view digits, TextRegex& text) {
  const std::string letters = Set(kHebrew, kArabic);
  const std::string in_context =
      Set(kHebrew) + "[\\u05f3\\u05f4]|" + Set(kJoining) + "\\u200c" + Set(kJoining);
  const std::string inner = Set(kHebrew, kArabic, digits);
  return FullMatch(
      "(?:" + letters + "|" + in_context + ")(?:" + inner + "|" + in_context + "|-" + inner + ")*",
      text);
}

RegexId AsciiLabel(TextRegex& text) {
  const RegexId label = FullMatch("[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?", text);
  return text.set().And(label, text.Not(FullMatch("..--.*", text)));
}

RegexId Names(RegexId label, TextRegex& text) {
  RegexSet& set = text.set();
  const RegexId point = FullMatch("[.\\u3002\\uff0e\\uff61]", text);
  return set.Concat(label, set.Star(set.Concat(point, label)));
}

}  // namespace

RegexId IdnHostnameFormat(TextRegex& text) {
  RegexSet& set = text.set();
  const RegexId few = text.Length(1, kMaxLabelLength);
  const RegexId ascii = AsciiLabel(text);
  const RegexId left_to_right = set.Or(ascii, set.And(LeftToRightLabel(text), few));
  // In a name with a label from right to left, no label begins with a digit.
  const RegexId letter_first = FullMatch("[A-Za-z].*", text);
  const RegexId right_to_left = set.Or(set.And(RightToLeftLabel("0-9\\u06f0-\\u06f9", text), few),
                                       set.And(RightToLeftLabel("\\u0660-\\u0669", text), few));
  const RegexId mixed = set.Or(set.And(ascii, letter_first), right_to_left);
  return set.And(set.Or(Names(left_to_right, text), Names(mixed, text)),
                 text.Length(1, kMaxNameLength));
}

}  // namespace espalier
