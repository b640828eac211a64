// JSON texts: what is kept, what is refused and where, and equality of values.
#include "grammar/schema/json.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace espalier {
namespace {

constexpr std::size_t kDepth = 100;

Json Parsed(std::string_view text) {
  Result<Json> json = ParseJson(text, kDepth);
  EXPECT_TRUE(json.ok()) << text << ": " << json.status().message();
  return json.ok() ? *json : Json();
}

std::string ErrorOf(std::string_view text) {
  const Result<Json> json = ParseJson(text, kDepth);
  return json.ok() ? "no error" : json.status().message();
}

TEST(Json, KeepsNumbersExactlyAndMembersInOrder) {
  const Json json = Parsed(R"({"b": 123456789012345678901234567890.5, "a": [-0, 1.50, 1e2]})");
  ASSERT_EQ(json.members.size(), 2u);
  EXPECT_EQ(json.members[0].name, "b");
  EXPECT_EQ(json.members[0].value.number.ToString(), "123456789012345678901234567890.5");
  EXPECT_EQ(CanonicalText(json), R"({"a":[0,1.5,100],"b":123456789012345678901234567890.5})");
}

TEST(Json, UnescapesStringsAndNames) {
  const Json json = Parsed(R"({"\u0061\n": "\ud83d\ude00\"\\"})");
  EXPECT_EQ(json.members[0].name, "a\n");
  EXPECT_EQ(json.members[0].value.string, "\xf0\x9f\x98\x80\"\\");
  EXPECT_EQ(CanonicalText(json), "{\"a\\n\":\"\xf0\x9f\x98\x80\\\"\\\\\"}");
}

TEST(Json, FindsMembersByName) {
  const Json json = Parsed(R"({"a": 1, "b": null})");
  ASSERT_NE(json.Find("b"), nullptr);
  EXPECT_EQ(json.Find("b")->kind, Json::Kind::kNull);
  EXPECT_EQ(json.Find("c"), nullptr);
  EXPECT_EQ(Json().Find("a"), nullptr);
}

TEST(Json, TellsTheLineAndColumnOfAnError) {
  EXPECT_EQ(ErrorOf("{\"a\": 1,\n \"a\": 2}"), "line 2, column 4: the name \"a\" stands twice");
  EXPECT_EQ(ErrorOf("[1,\n\n2,]"),
            "line 3, column 3: unexpected ']'; expected '[', '{', or a literal");
  EXPECT_EQ(ErrorOf("[\"\xc3\xa9\xc3\xa9\", x]"), "line 1, column 8: invalid literal");
  EXPECT_EQ(ErrorOf("{} {}"), "line 1, column 4: unexpected '{'; expected end of input");
  EXPECT_EQ(ErrorOf("\"; last read: '; expected \\x"),
            "line 1, column 28: invalid string: forbidden character after backslash");
}

TEST(Json, RefusesWhatIsNotJson) {
  for (const char* text : {"",     " ",      "nul",         "01",       "1.",           ".5",
                           "+1",   "NaN",    "'a'",         "[1 2]",    "{\"a\"}",      "{a: 1}",
                           "[",    "\"\t\"", "\"\\ud800\"", "\"\xff\"", "\"\xc0\xaf\"", "// c\n1",
                           "[1,]", "\"a"}) {
    const Result<Json> json = ParseJson(text, kDepth);
    ASSERT_FALSE(json.ok()) << text;
    EXPECT_EQ(json.status().code(), Code::kInvalidArgument) << text;
  }
}

TEST(Json, NumbersBeyondADoubleAreALimit) {
  for (const char* text : {"1e400", "[-1E+309]", "1e-400"}) {
    const Result<Json> json = ParseJson(text, kDepth);
    ASSERT_FALSE(json.ok()) << text;
    EXPECT_EQ(json.status().code(), Code::kLimit) << text;
  }
  EXPECT_TRUE(ParseJson("[1.7e308, 4.9e-324, 0e999, 18446744073709551615]", kDepth).ok());
}

TEST(Json, DepthIsALimit) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(ParseJson(nested(kDepth), kDepth).ok());
  for (const std::size_t depth : {kDepth + 1, std::size_t{1'000'000}}) {
    const Result<Json> json = ParseJson(nested(depth), kDepth);
    ASSERT_FALSE(json.ok());
    EXPECT_EQ(json.status().code(), Code::kLimit);
    EXPECT_EQ(json.status().message(),
              "line 1, column 101: values are nested deeper than 100 levels");
  }
}

TEST(Json, LargeObjectsMayNotRepeatANameEither) {
  std::string text = "{";
  for (int i = 0; i < 50'000; ++i)
    text += "\"" + std::to_string(i) + "\":" + std::to_string(i) + ",";
  EXPECT_EQ(Parsed(text + "\"x\":0}").members.size(), 50'001u);
  EXPECT_NE(ErrorOf(text + "\"777\":0}").find("the name \"777\" stands twice"), std::string::npos);
  EXPECT_NE(ErrorOf(text + "\"3\":0}").find("the name \"3\" stands twice"), std::string::npos);
}

TEST(Json, LongNamesAreCutInMessages) {
  const std::string name(1'000'000, 'n');
  EXPECT_LT(ErrorOf("{\"" + name + "\":1,\"" + name + "\":1}").size(), 200u);
  EXPECT_LT(ErrorOf("[" + name).size(), 200u);
  EXPECT_EQ(QuotedText("a\"\n"), R"("a\"\n")");
}

// Pairs of texts, each with whether the values are equal.
TEST(Json, EqualityIsByValue) {
  const struct {
    const char *a, *b;
    bool equal;
  } kCases[] = {
      {"1", "1.0", true},
      {"100", "1e2", true},
      {"0", "-0", true},
      {"1", "true", false},
      {"0", "false", false},
      {"\"1\"", "1", false},
      {"[1,2]", "[2,1]", false},
      {"[1]", "[1,1]", false},
      {"[]", "{}", false},
      {"null", "\"null\"", false},
      {"\"a\"", "\"\\u0061\"", true},
      {R"({"a":1,"b":2})", R"({"b":2,"a":1})", true},
      {R"({"a":1})", R"({"a":1,"b":null})", false},
      {R"({"a":{"x":[1]}})", R"({"a":{"x":[1.0]}})", true},
      {R"(["a,b"])", R"(["a","b"])", false},
      {R"({"a\":1,\"b":2})", R"({"a":1,"b":2})", false},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(JsonEqual(Parsed(c.a), Parsed(c.b)), c.equal) << c.a << " " << c.b;
    EXPECT_EQ(CanonicalText(Parsed(c.a)) == CanonicalText(Parsed(c.b)), c.equal)
        << c.a << " " << c.b;
  }
}

std::string RandomText(std::mt19937& random, int depth) {
  const auto kind = random() % (depth > 0 ? 6 : 4);
  if (kind == 0) return random() % 2 == 0 ? "null" : "true";
  if (kind == 1) return std::to_string(random() % 3) + (random() % 2 == 0 ? ".0" : "");
  if (kind == 2) return "1e" + std::to_string(random() % 2);
  if (kind == 3) return random() % 2 == 0 ? "\"a\"" : "\"\\u0061\"";
  std::string text;
  const bool object = kind == 5;
  std::string names = random() % 2 == 0 ? "ab" : "ba";
  for (std::size_t i = 0; i < random() % 3; ++i) {
    if (!text.empty()) text += ", ";
    if (object) text += std::string("\"") + names[i] + "\": ";
    text += RandomText(random, depth - 1);
  }
  return object ? "{" + text + "}" : "[" + text + "]";
}

TEST(Json, CanonicalTextsAreEqualExactlyForEqualValuesAndReadBackAsThem) {
  std::mt19937 random(1);
  std::vector<Json> values;
  for (int i = 0; i < 300; ++i) values.push_back(Parsed(RandomText(random, 2)));
  int num_equal = 0;
  for (const Json& a : values) {
    EXPECT_TRUE(JsonEqual(Parsed(CanonicalText(a)), a)) << CanonicalText(a);
    for (const Json& b : values) {
      const bool equal = JsonEqual(a, b);
      num_equal += equal ? 1 : 0;
      EXPECT_EQ(equal, CanonicalText(a) == CanonicalText(b)) << CanonicalText(a);
    }
  }
  EXPECT_GT(num_equal, 600);
}

}  // namespace
}  // namespace espalier
