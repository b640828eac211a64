// Addresses (RFC 2673, RFC 4291), host names (RFC 1123), mailboxes (RFC 5321, RFC 6531).
#include <array>
#include <string>
#include <string_view>

#include "grammar/schema/format_pattern.h"

namespace espalier {
namespace {

constexpr std::string_view kLabel = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
constexpr std::uint32_t kMaxHostLength = 253;
constexpr std::uint32_t kMaxLocalOctets = 64;

std::string Group(std::string_view pattern) { return "(?:" + std::string(pattern) + ")"; }

// Names of labels, separated by points.
RegexId Names(RegexId label, TextRegex& text) {
  RegexSet& set = text.set();
  const RegexId more = set.Star(set.Concat(text.Literal("."), label));
  return set.And(set.Concat(label, more), text.Length(1, kMaxHostLength));
}

// The part before the @; `beyond`: what it may have besides ASCII.
RegexId LocalPart(std::string_view beyond, std::uint32_t max_length, TextRegex& text) {
  const std::string others(beyond);
  const std::string atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~" + others + "-]+";
  const std::string quoted = "\"(?:[ !#-\\[\\]-~" + others + "]|\\\\[ -~])*\"";
  const RegexId local = FullMatch(atom + "(?:\\." + atom + ")*|" + quoted, text);
  return text.set().And(local, text.Length(1, max_length));
}

RegexId Mailbox(RegexId local, std::string_view label, TextRegex& text) {
  const RegexId names = Names(FullMatch(label, text), text);
  const RegexId literal =
      FullMatch("\\[(?:" + Ipv4Pattern() + "|IPv6:" + Ipv6Pattern() + ")\\]", text);
  return text.set().Concat(std::array{local, text.Literal("@"), text.set().Or(names, literal)});
}

}  // namespace

std::string Ipv4Pattern() {
  const std::string octet = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
  return "(?:" + octet + "(?:\\." + octet + "){3})";
}

std::string Ipv6Pattern() {
  const std::string h16 = "[0-9A-Fa-f]{1,4}";
  const std::string group = Group(h16 + ":");
  const std::string last = Group(h16 + ":" + h16 + "|" + Ipv4Pattern());
  std::string pattern = group + "{6}" + last;
  // Up to `before` groups, "::" for one or more, and the other 7 - before.
  for (int before = 0; before <= 7; ++before) {
    pattern += "|";
    if (before > 0) {
      pattern += Group(group + "{0," + std::to_string(before - 1) + "}" + h16) + "?";
    }
    pattern += "::";
    if (before <= 5) pattern += group + "{" + std::to_string(5 - before) + "}" + last;
    if (before == 6) pattern += h16;
  }
  return Group(pattern);
}

RegexId Ipv4Format(TextRegex& text) { return FullMatch(Ipv4Pattern(), text); }

RegexId Ipv6Format(TextRegex& text) { return FullMatch(Ipv6Pattern(), text); }

RegexId HostnameFormat(TextRegex& text) {
  const RegexId punycode = FullMatch("[xX][nN]--.*", text);
  return Names(text.set().And(FullMatch(kLabel, text), text.Not(punycode)), text);
}

RegexId EmailFormat(TextRegex& text) {
  return Mailbox(LocalPart("", kMaxLocalOctets, text), kLabel, text);
}

RegexId IdnEmailFormat(TextRegex& text) {
  // Octets are what is limited; a character takes up to four.
  const RegexId local = text.set().Or(LocalPart("", kMaxLocalOctets, text),
                                      LocalPart("\\u0080-\\U0010ffff", kMaxLocalOctets / 4, text));
  return Mailbox(local,
                 "[A-Za-z0-9\\u0080-\\U0010ffff]"
                 "(?:[A-Za-z0-9\\u0080-\\U0010ffff-]{0,61}[A-Za-z0-9\\u0080-\\U0010ffff])?",
                 text);
}

}  // namespace espalier
