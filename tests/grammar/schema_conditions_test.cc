// Conditions that are settled in the output: many of them, overlapping patterns of names, and
// keywords that must fail.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "grammar/schema/schema_network.h"
#include "tests/grammar/network_reader.h"

namespace espalier {
namespace {

struct Conditions {
  explicit Conditions(const std::string& schema)
      : result(MakeSchemaNetwork(*SchemaDocument::Parse(schema, {}),
                                 {.order = PropertyOrder::kAny, .forms = JsonForms::kAny}, set,
                                 fuel)) {}

  bool Accepts(const std::string& text) {
    return result.network != nullptr && test::NetworkReader(*result.network, set).Accepts(text) &&
           !fuel.exhausted();
  }

  Fuel fuel{50'000'000};
  RegexSet set{fuel};
  SchemaNetworkResult result;
};

// `text` for each number below `count`, which stands for '@', with commas between.
std::string Listed(std::string_view text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) {
    if (i > 0) out += ", ";
    for (const char c : text) out += c == '@' ? std::to_string(i) : std::string(1, c);
  }
  return out;
}

struct Case {
  std::string schema;
  std::vector<std::string> accepted, refused;
};

void Expect(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    Conditions language(one.schema);
    ASSERT_NE(language.result.network, nullptr) << one.schema << "\n"
                                                << language.result.problems.front().message;
    for (const std::string& text : one.accepted) {
      EXPECT_TRUE(language.Accepts(text)) << one.schema << "\n" << text;
    }
    for (const std::string& text : one.refused) {
      EXPECT_FALSE(language.Accepts(text)) << one.schema << "\n" << text;
    }
  }
}

TEST(SchemaConditions, ManyOfThemOpenNoBranches) {
  const std::string ifs =
      Listed(R"({"if":{"properties":{"k@":{"const":1}},"required":["k@"]},)"
             R"("then":{"required":["r@"]},"else":{"properties":{"r@":{"maxLength":1}}}})",
             40);
  const std::string choices = Listed(R"({"anyOf":[{"required":["a@"]},{"required":["b@"]}]})", 30);
  const std::string ones = Listed(R"({"oneOf":[{"required":["a@"]},{"required":["b@"]}]})", 20);
  const std::string all_a = Listed(R"("a@": 1)", 30);
  Expect({{R"({"type":"object","allOf":[)" + ifs + "]}",
           {"{}", R"({"k7": 2})", R"({"k7": 1, "r7": "long"})", R"({"r39": "long", "k39": 1})"},
           {R"({"k7": 1})", R"({"k7": 1, "r8": ""})", R"({"r7": "long"})",
            R"({"k7": 2, "r7": "long"})"}},
          {R"({"allOf":[)" + choices + "]}",
           {"{" + all_a + "}", "1"},
           {"{}", "{" + Listed(R"("a@": 1)", 29) + "}"}},
          {R"({"allOf":[)" + ones + "]}",
           {"{" + Listed(R"("a@": 1)", 20) + "}", "{" + Listed(R"("b@": 1)", 20) + "}"},
           {"{" + all_a.substr(0, all_a.find(", \"a20")) + R"(, "b3": 1})", "{}"}}});
}

TEST(SchemaConditions, OverlappingPatternsAreLookedUpByName) {
  const std::string letters = R"({"patternProperties":{"a":{"minimum":1},"b":{"minimum":2},)"
                              R"("c":{"minimum":3},"d":{"minimum":4},"e":{"minimum":5},)"
                              R"("f":{"minimum":6},"g":{"minimum":7},"h":{"minimum":8},)"
                              R"("i":{"minimum":9},"j":{"minimum":10},"k":{"minimum":11},)"
                              R"("l":{"minimum":12},"m":{"minimum":13},"n":{"minimum":14},)"
                              R"("o":{"const":20},"p":{"const":"p"},"q":{"minLength":2}},)"
                              R"("additionalProperties":false})";
  Expect({{letters,
           {R"({"an": 14, "x o": 20, "p": "p", "qa": "xy"})", R"({"nmi": null, "a": 1})",
            R"({"aa": "x"})"},
           {R"({"an": 13})", R"({"op": 20})", R"({"op": "p"})", R"({"x": 1})", R"({"pq": "p"})",
            R"({"on": 14})"}}});
}

TEST(SchemaConditions, UniqueItemsMayHaveToFail) {
  Expect({{R"({"not":{"uniqueItems":true}})",
           {"[1, 1]", "[1, 2, 1.0]", R"([{"a": [1]}, 2, {"a": [1]}, 3])"},
           {"[]", "[1]", "[1, 2]", "1"}},
          {R"({"type":"array","not":{"uniqueItems":true},"maxItems":3,)"
           R"("prefixItems":[{"type":"string"},{"type":"integer"},{"maxLength":1}]})",
           {R"(["a", 1, "a"])", "[\"long\", 1, 1]"},
           {R"(["a", 1, "b"])", R"(["long", 1, "long"])", R"(["a", 1])"}},
          {R"({"oneOf":[{"items":{"type":"string"}},{"uniqueItems":true}]})",
           {R"(["a", "a"])", "[1, 2]"},
           {R"(["a", "b"])", "[1, 1]"}},
          {R"({"oneOf":[{"properties":{"k":{"const":"a"},"v":{"uniqueItems":true}},)"
           R"("required":["k"]},{"properties":{"k":{"const":"b"}},"required":["k"]}]})",
           {R"({"k": "a", "v": [1, 2]})", R"({"k": "b", "v": [1, 1]})"},
           {R"({"k": "a", "v": [1, 1]})"}}});
}

TEST(SchemaConditions, FormatsThatAreKnownInPartMayHaveToFail) {
  Expect({{R"({"oneOf":[{"properties":{"a":{"format":"regex"}},"required":["a"]},)"
           R"({"required":["b"]}]})",
           {R"({"a": "x+"})", R"({"b": 1})"},
           {R"({"a": "x+", "b": 1})", "{}"}},
          {R"({"type":"string","not":{"format":"idn-email"}})", {R"("x")"}, {R"("a@b.c")"}},
          {R"({"type":"string","not":{"format":"hostname"}})",
           {R"("a b")"},
           {R"("a.b")", R"("xn--9n2bp8q")"}}});
}

TEST(SchemaConditions, IntegersOfDraft4HaveNoPoint) {
  const std::string draft4 = R"("$schema":"http://json-schema.org/draft-04/schema#")";
  Expect({{"{" + draft4 + R"(,"type":"integer"})", {"1", "-12"}, {"1.0", "1e2", "1.5"}},
          {"{" + draft4 + R"(,"enum":[100.0],"type":"integer"})", {"100"}, {"100.0", "1e2"}},
          {"{" + draft4 + R"(,"not":{"type":"integer"}})", {"1.0", "1.5", "null"}, {"1"}},
          {R"({"type":"integer"})", {"1", "1.0", "1e2"}, {"1.5"}}});
}

TEST(SchemaConditions, MultiplesHaveScientificSpellings) {
  Expect({{R"({"multipleOf":7})", {"7e0", "1.4E1", "2.1e+01", "7e2"}, {"8e0", "1.5e1"}},
          {R"({"multipleOf":0.5})", {"5e-1", "2.5E0", "1e0"}, {"5e-2", "2.55e0"}},
          {R"({"multipleOf":60,"maximum":100000})", {"6e1", "1.2e2", "1.02e3"}, {"1e2", "6e5"}}});
}

TEST(SchemaConditions, ARepeatMayBeWantedBesideContains) {
  const std::string either = R"("anyOf":[{"uniqueItems":true},{"not":{"uniqueItems":true}}])";
  Expect(
      {{"{" + either + R"(,"contains":{},"maxItems":2})",
        {R"(["a"])", R"(["a", "b"])", R"(["a", "a"])", "{}"},
        {"[]", "[1, 2, 3]"}},
       {R"({"not":{"uniqueItems":true},"contains":{"type":"string"},"maxContains":1,"maxItems":3})",
        {R"([1, "a", 1])", R"([1, 1, "a"])", R"(["a", 2, 2])"},
        {R"(["a", 1, 2])", R"(["a", "a"])", R"(["a", "a", 1])", "[1, 1]"}},
       {R"({"not":{"uniqueItems":true},"prefixItems":[{"type":"string"},{"type":"integer"}],)"
        R"("items":{"enum":["x",7]},"contains":{"const":"x"},"maxItems":3})",
        {R"(["x", 1, "x"])", R"(["x", 7, 7])"},
        {R"(["a", 1, "x"])", R"(["y", 7, "y"])", R"(["a", 7, 7])"}}});
}

TEST(SchemaConditions, NamesThatAPatternMayStillCoverAreKept) {
  Expect({{R"({"anyOf":[{"patternProperties":{"^x":{}},"unevaluatedProperties":false},)"
           R"({"additionalProperties":false,"propertyNames":{}}]})",
           {R"({"x": 1})", "{}", R"({"x": 1, "xy": 2})"},
           {R"({"a": 1})", R"({"x": 1, "a": 2})"}}});
}

// The problem names the schema whose conditions are too many.
TEST(SchemaConditions, ALimitHasAPointer) {
  std::string counts;
  for (int i = 0; i < 20; ++i) {
    const std::string n = std::to_string(i);
    counts += (i == 0 ? "" : ",") + std::string(R"({"anyOf":[{"minProperties":)") + n +
              R"(,"required":["a)" + n + R"("]},{"maxProperties":)" + n + "}]}";
  }
  const Conditions language(R"({"properties":{"x":{"type":"object","allOf":[)" + counts +
                            R"(]}},"required":["x"],"type":"object"})");
  ASSERT_EQ(language.result.problems.size(), 1u);
  EXPECT_EQ(language.result.problems[0].code, Code::kLimit);
  EXPECT_EQ(language.result.problems[0].pointer, "/properties/x");
}

}  // namespace
}  // namespace espalier
