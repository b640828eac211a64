// URIs (RFC 3986), IRIs (RFC 3987), URI templates (RFC 6570).
#include <string>
#include <string_view>

#include "grammar/schema/format_pattern.h"

namespace espalier {
namespace {

constexpr std::string_view kScheme = "[A-Za-z][A-Za-z0-9+.-]*";
constexpr std::string_view kPercent = "%[0-9A-Fa-f]{2}";
// unreserved and sub-delims, for use in a set
constexpr std::string_view kPlain = "A-Za-z0-9._~!$&'()*+,;=-";
// ucschar and iprivate of RFC 3987; the last two code points of a plane are no characters.
constexpr std::string_view kUcschar =
    "\\u00a0-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\uffef"
    "\\U00010000-\\U0001fffd\\U00020000-\\U0002fffd\\U00030000-\\U0003fffd"
    "\\U00040000-\\U0004fffd\\U00050000-\\U0005fffd\\U00060000-\\U0006fffd"
    "\\U00070000-\\U0007fffd\\U00080000-\\U0008fffd\\U00090000-\\U0009fffd"
    "\\U000a0000-\\U000afffd\\U000b0000-\\U000bfffd\\U000c0000-\\U000cfffd"
    "\\U000d0000-\\U000dfffd\\U000e1000-\\U000efffd";
constexpr std::string_view kPrivate =
    "\\ue000-\\uf8ff\\U000f0000-\\U000ffffd\\U00100000-\\U0010fffd";

// The patterns of RFC 3986, with more characters where RFC 3987 has them.
class UriPatterns {
 public:
  UriPatterns(std::string_view more, std::string_view more_in_query)
      : more_(more), query_(Chars(std::string("/?:@").append(more_in_query)) + "*") {}

  std::string Absolute() const {
    return std::string(kScheme) + ":(?:" + AfterScheme() + ")" + QueryAndFragment();
  }
  std::string Relative() const {
    // The first segment has no colon, or it would be a scheme.
    const std::string first = Chars("@") + "+";
    return "(?:" + AuthorityPath() + "|" + AbsolutePath() + "|" + first + Segments() + ")?" +
           QueryAndFragment();
  }

 private:
  // One character of kPlain and `others`, or a percent triplet.
  std::string Chars(std::string_view others) const {
    return "(?:[" + std::string(others) + more_ + std::string(kPlain) + "]|" +
           std::string(kPercent) + ")";
  }
  std::string Segments() const { return "(?:/" + Chars(":@") + "*)*"; }
  std::string AbsolutePath() const { return "/(?:" + Chars(":@") + "+" + Segments() + ")?"; }
  std::string AuthorityPath() const {
    const std::string future = "[vV][0-9A-Fa-f]+\\.[:" + std::string(kPlain) + "]+";
    const std::string host =
        "(?:\\[(?:" + Ipv6Pattern() + "|" + future + ")\\]|" + Chars("") + "*)";
    return "//(?:" + Chars(":") + "*@)?" + host + "(?::[0-9]*)?" + Segments();
  }
  std::string AfterScheme() const {
    return AuthorityPath() + "|" + AbsolutePath() + "|" + Chars(":@") + "+" + Segments() + "|";
  }
  std::string QueryAndFragment() const {
    return "(?:\\?" + query_ + ")?(?:#" + Chars("/?:@") + "*)?";
  }

  const std::string more_, query_;
};

std::string Either(const std::string& a, const std::string& b) {
  return "(?:" + a + ")|(?:" + b + ")";
}

}  // namespace

RegexId UriFormat(TextRegex& text) { return FullMatch(UriPatterns("", "").Absolute(), text); }

RegexId UriReferenceFormat(TextRegex& text) {
  const UriPatterns patterns("", "");
  return FullMatch(Either(patterns.Absolute(), patterns.Relative()), text);
}

RegexId IriFormat(TextRegex& text) {
  return FullMatch(UriPatterns(kUcschar, kPrivate).Absolute(), text);
}

RegexId IriReferenceFormat(TextRegex& text) {
  const UriPatterns patterns(kUcschar, kPrivate);
  return FullMatch(Either(patterns.Absolute(), patterns.Relative()), text);
}

RegexId UriTemplateFormat(TextRegex& text) {
  const std::string percent(kPercent);
  const std::string literal =
      "[!#$&-;=?-\\[\\]_a-z~" + std::string(kUcschar) + std::string(kPrivate) + "]|" + percent;
  const std::string name_char = "(?:[A-Za-z0-9_]|" + percent + ")";
  const std::string name = name_char + "(?:\\.?" + name_char + ")*";
  const std::string variable = name + "(?::[1-9][0-9]{0,3}|\\*)?";
  return FullMatch("(?:" + literal + "|\\{[+#./;?&]?" + variable + "(?:," + variable + ")*\\})*",
                   text);
}

}  // namespace espalier
