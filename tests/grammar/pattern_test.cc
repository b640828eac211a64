#include "grammar/regex/pattern.h"
#include "grammar/ebnf/source_cursor.h"
#include "grammar/regex/unicode_property.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace espalier {
namespace {

using Texts = std::vector<std::string>;

struct Row {
  const char* pattern;
  Texts matches, others;
};

void ExpectRows(PatternDialect dialect, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    Fuel fuel(100'000'000);
    RegexSet set(fuel);
    TextRegex text(set, Spelling::kUtf8);
    const auto regex = CompilePattern(row.pattern, dialect, text);
    ASSERT_TRUE(regex.ok()) << row.pattern << ": " << regex.status().message();
    for (const std::string& match : row.matches) {
      EXPECT_TRUE(set.Matches(*regex, match)) << row.pattern << " on " << match;
    }
    for (const std::string& other : row.others) {
      EXPECT_FALSE(set.Matches(*regex, other)) << row.pattern << " on " << other;
    }
    EXPECT_FALSE(fuel.exhausted()) << row.pattern;
  }
}

Status Refusal(const std::string& pattern, PatternDialect dialect) {
  Fuel fuel(100'000'000);
  RegexSet set(fuel);
  TextRegex text(set, Spelling::kUtf8);
  return CompilePattern(pattern, dialect, text).status();
}

TEST(PatternEcma, SearchesAnywhereUnlessAnchored) {
  ExpectRows(PatternDialect::kEcma, {{"b", {"b", "abc", "\nb\n"}, {"", "ac"}},
                                     {"^b", {"b", "bc"}, {"ab", "a\nb"}},
                                     {"b$", {"b", "ab"}, {"bc", "b\n"}},
                                     {"^b$", {"b"}, {"", "bb", "ab", "b\n"}},
                                     {"^(a|b)$|^cc$", {"a", "b", "cc"}, {"ab", "c", "acc"}},
                                     {"foo|^bar", {"xfoo", "bar", "bary"}, {"xbar", "fo"}},
                                     {"", {"", "anything"}, {}},
                                     {"^$", {""}, {"a", "\n"}},
                                     {"a^b|b$a", {}, {"ab", "a^b", "ba", "b$a"}}});
}

TEST(PatternEcma, ClassesAreThoseOfTheStandard) {
  ExpectRows(
      PatternDialect::kEcma,
      {{"^\\d$", {"0", "9"}, {"a", "\u0663"}},
       {"^\\w$", {"a", "Z", "_", "5"}, {"\u00e9", "-"}},
       {"^\\s$", {" ", "\t", "\u00a0", "\ufeff", "\u2028", "\u3000"}, {"\u200b", "a", "\x1c"}},
       {"^.$", {"a", "\u4e2d", "\U0001f600", "\u0085"}, {"\n", "\r", "\u2028", "\u2029", "ab"}},
       {"^[]$", {}, {"", "a", "]"}},
       {"^[^]$", {"\n", "a"}, {"", "ab"}},
       {"^[\\w-.]$", {"a", "-", "."}, {"/", "+"}},
       {"^[a\\-z]$", {"a", "-", "z"}, {"b"}},
       {"^[\\]\\\\[]$", {"]", "\\", "["}, {"a"}},
       {"^[\\b]$", {"\b"}, {"b"}},
       {"^[^\\d]$", {"a"}, {"5"}},
       {"^[\\s\\S]$", {"a", "\n"}, {""}}});
}

TEST(PatternEcma, EscapesNameCodePoints) {
  ExpectRows(PatternDialect::kEcma,
             {{"^\\u00e9\\x41\\cJ\\0$",
               {std::string("\u00e9"
                            "A\n\0",
                            5)},
               {"e"}},
              {"^\\ud83d\\ude00$", {"\U0001f600"}, {"\\ud83d"}},
              {"^\\u{1F600}{2}$", {"\U0001f600\U0001f600"}, {"\U0001f600"}},
              {"^[\\ud83d\\ude00-\\u{1f64f}]$", {"\U0001f610"}, {"\U0001f650"}},
              {"^\\-\\_\\@\\/\\\"\\'\\:\\#\\ $", {"-_@/\"':# "}, {""}},
              {"^\\p{Lu}\\P{Lu}$", {"Aa", "\u00c9-"}, {"AA", "aa"}},
              {"^\\p{Script=Greek}+$", {"\u03b1\u03b2"}, {"a"}},
              {"^[\\ud800-\\udbff]$", {}, {"a", "\U0001f600"}}});
}

TEST(PatternEcma, BracesThatAreNoQuantifierStandForThemselves) {
  ExpectRows(PatternDialect::kEcma, {{"^a{$", {"a{"}, {"a"}},
                                     {"^{a}]$", {"{a}]"}, {"a"}},
                                     {"^a{,2}$", {"a{,2}"}, {"aa"}},
                                     {"^a{2}$", {"aa"}, {"a", "a{2}"}},
                                     {"^a{1,}?b+?$", {"ab", "aabb"}, {"b"}},
                                     {"^(?<n>a|b){0}c$", {"c"}, {"ac"}}});
}

TEST(PatternEcma, LookaroundHoldsWhereItStands) {
  ExpectRows(
      PatternDialect::kEcma,
      {{"^(?!foo)[a-z]+$", {"fox", "bar", "fo"}, {"foo", "foox"}},
       {"^(?=.*[A-Z])(?=.*\\d).{4,8}$", {"aA1b", "1Abcdefg"}, {"aa1b", "aAbb", "A1", "A1bcdefgh"}},
       {"(?<=\\$)\\d+", {"cost $5"}, {"5", "$x5"}},
       {"(?<!-)x$", {"x", "ax", "--ax"}, {"-x"}},
       {"^((?!bad).)*$", {"", "good", "ba d"}, {"bad", "xbadx"}},
       {"\\bfoo\\b", {"foo", "a foo b", "foo."}, {"afoo", "foox", "_foo"}},
       {"\\Boo", {"foo"}, {"oo", " oo"}},
       {"^((?!-)[A-Za-z0-9-]{1,63}(?<!-)\\.)+[A-Za-z]{2,6}$",
        {"a.com", "a-b.c-d.org"},
        {"-a.com", "a-.com", "a..com", "a.c", std::string(64, 'a') + ".com"}},
       {"(?<=^|,)b(?=,|$)", {"b", "a,b", "b,a", "a,b,a"}, {"ab", "bb", "a,bb"}},
       {"^(?=(?!ab)a)(?:a.)$", {"aa", "ac"}, {"ab", "ba"}},
       {"^(?:(?<!a)b|a)*$", {"ba", "bba", "aaa"}, {"ab", "bab"}},
       {"^\\d+(?:\\.\\d+)?(?!.)$", {"1", "1.5"}, {"1.", "x"}},
       {"^(?:(?=a)a|(?!a)b){3}$", {"aba", "bbb"}, {"abc", "ab"}}});
}

TEST(PatternEcma, ModifiersFoldCaseWithinTheirGroup) {
  ExpectRows(PatternDialect::kEcma, {{"^a(?i:bc)$", {"abc", "aBC"}, {"Abc"}},
                                     {"^(?i:[^k])$", {"j"}, {"K", "k", "\u212a"}},
                                     {"^(?s:.)$", {"\n"}, {""}},
                                     {"(?m:^a$)", {"b\na\nb", "a"}, {"ba", "ab"}}});
}

// What is no ECMA-262, but what all who write it mean by it.
TEST(PatternEcma, OtherDialectsAreReadWhereTheyAreClear) {
  ExpectRows(PatternDialect::kEcma, {{"\\Aab\\Z", {"ab"}, {"ab\n", "xab", "abx"}},
                                     {"^a\\z", {"a"}, {"a\n", "ab"}},
                                     {"(?i)^ab$", {"ab", "AB"}, {"b"}},
                                     {"^(?P<n>a)$", {"a"}, {""}},
                                     {"^(?:/(?!x)*y|(?!b)+[abc])$", {"/y", "a", "c"}, {"/", "b"}}});
}

TEST(PatternEcma, BigBoundsCostLittle) {
  ExpectRows(PatternDialect::kEcma,
             {{"^a{1,100000}$", {"a", std::string(1000, 'a')}, {""}},
              {"^(?:[ab]{1,50000}c){2,30000}$", {"acbc"}, {"ac", "abab"}},
              {"^(?!b)[ab]{2,40000}(?<!b)$", {"aba", std::string(500, 'a')}, {"ab", "ba", "a"}}});
}

TEST(PatternPython, MatchesTheWholeText) {
  ExpectRows(PatternDialect::kPython,
             {{"b", {"b"}, {"", "ab", "bc"}},
              {"^b$", {"b"}, {"b\n", "ab"}},
              {"b$\\n", {"b\n"}, {"b"}},
              {"(?m)a$\\n^b", {"a\nb"}, {"ab"}},
              {"\\Aa\\Z", {"a"}, {"a\n"}},
              {"a{,2}", {"", "a", "aa"}, {"aaa", "a{,2}"}},
              {"a{,}", {"", "aaaa"}, {"b"}},
              {"a{x}", {"a{x}"}, {"a"}},
              {"[]a]+", {"]a"}, {"b"}},
              {"[^]a]", {"b"}, {"]", "a"}},
              {"(?P<year>\\d{4})-(?P<month>\\d\\d)", {"2024-05"}, {"24-05"}}});
}

TEST(PatternPython, ReadsClassesAsUnicodeUnlessAsked) {
  ExpectRows(PatternDialect::kPython, {{"\\d", {"5", "\u0663"}, {"a"}},
                                       {"(?a)\\d", {"5"}, {"\u0663"}},
                                       {"\\w+", {"\u00e9\u4e2d_1"}, {"-"}},
                                       {"(?a:\\w)", {"a"}, {"\u00e9"}},
                                       {"\\s", {" ", "\x1c", "\u00a0"}, {"\ufeff"}},
                                       {".", {"\r", "\u2028"}, {"\n"}},
                                       {"(?s).", {"\n"}, {""}},
                                       {"\\bfoo\\b.*", {"foo bar"}, {"foobar", "foo\u00e9"}}});
}

TEST(PatternPython, FlagsHoldWhereTheyAreSet) {
  ExpectRows(PatternDialect::kPython, {{"(?i)straSSe", {"STRASSE"}, {"stra\u00dfe"}},
                                       {"a(?i:b)c", {"abc", "aBc"}, {"abC"}},
                                       {"(?i)a(?-i:b)", {"Ab"}, {"AB"}},
                                       {"(?x) a b # a comment\n [ ] c", {"ab c"}, {"abc"}},
                                       {"a(?#a comment)+", {"aa"}, {""}},
                                       {"(?ai)k", {"K"}, {"\u212a"}}});
}

TEST(PatternRefusals, NameWhatIsWrongAndWhere) {
  struct Refused {
    const char* pattern;
    PatternDialect dialect;
    Code code;
    const char* says;
  };
  const auto ecma = PatternDialect::kEcma, python = PatternDialect::kPython;
  for (const Refused& row : std::vector<Refused>{
           {"ab(c", ecma, Code::kInvalidArgument, "character 3: this ( has no )"},
           {"a)", ecma, Code::kInvalidArgument, "character 2: this ) has no ("},
           {"a[b", ecma, Code::kInvalidArgument, "character 2: this [ has no ]"},
           {"*a", ecma, Code::kInvalidArgument, "character 1: nothing stands before"},
           {"a**", python, Code::kInvalidArgument, "character 3: a quantifier follows"},
           {"^*", ecma, Code::kInvalidArgument, "an anchor cannot be repeated"},
           {"a{3,2}", ecma, Code::kInvalidArgument, "bounds are out of order"},
           {"[b-a]", ecma, Code::kInvalidArgument, "character 2: the range is out of order"},
           {"\\G", ecma, Code::kInvalidArgument, "\\G has no meaning"},
           {"[\\A]", ecma, Code::kInvalidArgument, "\\A has no meaning"},
           {"a\\", ecma, Code::kInvalidArgument, "character 2: nothing follows the backslash"},
           {"\\u12", ecma, Code::kInvalidArgument, "4 hex digits"},
           {"\\u{110000}", ecma, Code::kInvalidArgument, "beyond U+10FFFF"},
           {"(a)\\1", ecma, Code::kUnsupported, "the back-reference \\1 is not supported"},
           {"(?<a>b)\\k<a>", ecma, Code::kUnsupported, "back-reference"},
           {"a(?i)", ecma, Code::kInvalidArgument, "must stand at its start"},
           {"\\p{Klingon}", ecma, Code::kUnsupported, "property Klingon"},
           {"(?<=a(?=b))c", ecma, Code::kUnsupported, "within a lookbehind"},
           {"(?>a)", python, Code::kUnsupported, "atomic"},
           {"a++", python, Code::kUnsupported, "possessive"},
           {"(a)?(?(1)b)", python, Code::kUnsupported, "conditional"},
           {"(?P=a)", python, Code::kUnsupported, "back-reference"},
           {"\\012", python, Code::kUnsupported, "octal"},
           {"\\N{DIGIT ONE}", python, Code::kUnsupported, "\\N"},
           {"a(?i)b", python, Code::kInvalidArgument, "must stand at its start"},
           {"(?P<a>b)(?P<a>c)", python, Code::kInvalidArgument, "another group has this name"},
           {"[\\w-.]", python, Code::kInvalidArgument, "a range ends at a set"},
           {"\\q", python, Code::kInvalidArgument, "\\q has no meaning"},
           {"[a-z&&[^b]]", ecma, Code::kInvalidArgument, "character 1: a class in a class"},
           {"[[a]]", ecma, Code::kInvalidArgument, "character 1: a class in a class"},
           {R"([\p{L}--[a-z]])", ecma, Code::kInvalidArgument, "character 1: a class in a class"},
           {"(?<n>a)|(?<n>b)", ecma, Code::kInvalidArgument, "another group has this name"},
           {"a{4294967295}", ecma, Code::kLimit, "repeat count"},
           {"(?:\\bx){100000}", ecma, Code::kLimit, "too long"},
           {"\xff", ecma, Code::kInvalidArgument, "UTF-8"}}) {
    const Status status = Refusal(row.pattern, row.dialect);
    EXPECT_EQ(status.code(), row.code) << row.pattern << ": " << status.message();
    EXPECT_NE(status.message().find(row.says), std::string::npos) << status.message();
  }
}

TEST(PatternRefusals, DeepAndLongPatternsAreLimits) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "(";
  EXPECT_EQ(Refusal(deep, PatternDialect::kEcma).code(), Code::kLimit);
  EXPECT_EQ(Refusal(std::string(70'000, 'a'), PatternDialect::kEcma).code(), Code::kLimit);
  const std::string nested = std::string(990, '(') + "a" + std::string(990, ')');
  EXPECT_TRUE(Refusal(nested, PatternDialect::kPython).ok());
}

TEST(PatternSpelling, JsonStringsMatchHoweverTheyAreEscaped) {
  Fuel fuel(100'000'000);
  RegexSet set(fuel);
  TextRegex json(set, Spelling::kJsonString);
  const auto regex = CompilePattern("^(?!ab)[a-c\"\\n]+(?<!c)$", PatternDialect::kEcma, json);
  ASSERT_TRUE(regex.ok());
  for (const char* text : {"a", "ca", "\\u0061", "b\\u0062", "\\\"b", "\\n\\u000A", "\\u0063a"}) {
    EXPECT_TRUE(set.Matches(*regex, text)) << text;
  }
  for (const char* text : {"", "ab", "\\u0061b", "a\\u0062", "c", "b\\u0063", "\"", "\n", "d"}) {
    EXPECT_FALSE(set.Matches(*regex, text)) << text;
  }
}

TEST(PatternEcma, BinaryProperties) {
  struct Row {
    std::string_view property, inside, outside;
  };
  const Row rows[] = {{"Emoji", "#", "a"},
                      {"Emoji_Presentation", "\U0001F600", "#"},
                      {"EBase", "\U0001F44B", "\U0001F600"},
                      {"ID_Start", "\u2118", "_"},
                      {"IDC", "_", "-"},
                      {"XIDS", "a", "\u309B"},
                      {"Math", "+", "-"},
                      {"Cased", "\u01C5", "1"},
                      {"Dash", "\u2014", "_"},
                      {"Ideographic", "\u4E00", "a"},
                      {"Hex_Digit", "\uFF21", "g"}};
  for (const Row& row : rows) {
    const auto set = UnicodeProperty(row.property);
    ASSERT_TRUE(set.has_value()) << row.property;
    const auto first = [](std::string_view text) { return SourceCursor(text).TakeCodePoint(); };
    EXPECT_TRUE(set->Contains(first(row.inside))) << row.property;
    EXPECT_FALSE(set->Contains(first(row.outside))) << row.property;
  }
}

}  // namespace
}  // namespace espalier
