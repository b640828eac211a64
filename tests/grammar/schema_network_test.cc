// What users of other engines met (each case names the report), and the contract of problems.
#include "grammar/schema/schema_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/grammar/network_reader.h"

namespace espalier {
namespace {

constexpr std::uint64_t kFuel = 20'000'000;

struct Language {
  explicit Language(const std::string& schema,
                    SchemaNetworkSettings settings = {.forms = JsonForms::kAny})
      : result(MakeSchemaNetwork(*SchemaDocument::Parse(schema, {}), settings, set, fuel)) {}

  bool Accepts(const std::string& text) {
    return result.network != nullptr && test::NetworkReader(*result.network, set).Accepts(text);
  }

  Fuel fuel{kFuel};
  RegexSet set{fuel};
  SchemaNetworkResult result;
};

struct Report {
  const char* name;
  const char* schema;
  std::vector<std::string> accepted, refused;
};

class SchemaReports : public testing::TestWithParam<Report> {};

TEST_P(SchemaReports, AreSettled) {
  Language language(GetParam().schema);
  ASSERT_NE(language.result.network, nullptr);
  for (const std::string& text : GetParam().accepted) EXPECT_TRUE(language.Accepts(text)) << text;
  for (const std::string& text : GetParam().refused) EXPECT_FALSE(language.Accepts(text)) << text;
}

INSTANTIATE_TEST_SUITE_P(
    All, SchemaReports,
    testing::Values(
        Report{"xgrammar800",
               R"({"type":"string","maxLength":5})",
               {R"("ab\ncd")", R"("abcd\ud83d\ude00")", R"("")"},
               {"\"a\tb\"", R"("abcdef")", R"("abcde\n")"}},
        Report{
            "xgrammar826",
            R"({"propertyNames":{"pattern":"^[a-z]+$"},"additionalProperties":{"type":"integer"}})",
            {R"({"a": 1})"},
            {R"({"a": "x"})", R"({"A": 1})"}},
        Report{"xgrammar208",
               R"({"properties":{"a":{"type":"integer"}},"additionalProperties":true})",
               {R"({"a": 1})", R"({"b": "x"})"},
               {R"({"a": "x"})", R"({"\u0061": "x"})", R"({"b": 1, "b": 2})"}},
        Report{
            "xgrammar487",
            R"({"properties":{"a":{}},"patternProperties":{"^x":{}},"additionalProperties":false})",
            {R"({"a": 1, "xy": 2})"},
            {R"({"b": 1})"}},
        Report{"xgrammar104", R"({"type":"array","minItems":1})", {"[null]"}, {"[]"}},
        Report{
            "xgrammar104Object", R"({"type":"object","minProperties":1})", {R"({"a": 1})"}, {"{}"}},
        Report{"vllm56556",
               R"({"allOf":[{"type":"object","required":["a"]},{"required":["b"]}]})",
               {R"({"a": 1, "b": 2})"},
               {R"({"a": 1})", "{}", "1"}},
        Report{
            "llguidance265",
            R"({"properties":{"ab":{"maximum":5}},"patternProperties":{"^a":{"type":"integer"}},"required":["ab"]})",
            {R"({"ab": 4})"},
            {R"({"ab": 6})", R"({"ab": 1.5})", R"({"ab": "x"})"}},
        Report{"lmfe102",
               R"({"type":"array","items":{"enum":[1,2]}})",
               {"[1, 2, 1]", "[1.0]"},
               {"[3]"}},
        Report{"lmfe178",
               R"({"type":"integer","multipleOf":5,"minimum":0})",
               {"10", "0"},
               {"7", "-5"}},
        Report{
            "llamacpp7703",
            R"({"type":"object","properties":{"a":{},"b":{}},"oneOf":[{"required":["a"]},{"required":["b"]}]})",
            {R"({"a": 1})", R"({"b": 1})"},
            {"{}", R"({"a": 1, "b": 1})"}},
        Report{"llamacpp25923", R"({"type":"object","properties":{}})", {"{}"}, {"[]"}},
        Report{"llamacpp26930", R"({"type":"string","pattern":"b"})", {R"("abc")"}, {R"("ac")"}},
        Report{"llamacpp27087", R"({"type":"string","maxLength":100000})", {R"("abc")"}, {"1"}},
        Report{"xgrammar418", R"({"enum":["中文"]})", {R"("中文")", R"("\u4e2d文")"}, {R"("中")"}},
        Report{"outlines1118",
               R"({"type":"string","pattern":"^(?!foo)[a-z]+$"})",
               {R"("fo")"},
               {R"("foox")"}}),
    [](const testing::TestParamInfo<Report>& info) { return std::string(info.param.name); });

TEST(SchemaNetwork, WhatCannotBeEnforcedIsListedAllAtOnce) {
  const Language language(
      R"({"properties":{"a":{"pattern":"(a)\\1"},"b":{"not":{"pattern":"b(?i)c"}}}})");
  std::vector<std::string> pointers;
  for (const SchemaProblem& problem : language.result.problems) pointers.push_back(problem.pointer);
  EXPECT_EQ(pointers,
            (std::vector<std::string>{"/properties/a/pattern", "/properties/b/not/pattern"}));
}

TEST(SchemaNetwork, ASchemaWithoutValuesIsRefused) {
  for (const char* schema :
       {"false", R"({"allOf":[{"type":"string"},{"type":"null"}]})",
        R"({"type":"object","required":["a"],"properties":{"a":{"$ref":"#"}}})",
        R"({"type":"array","uniqueItems":true,"minItems":3,"items":{"type":"boolean"}})"}) {
    const Language language(schema);
    ASSERT_EQ(language.result.problems.size(), 1u) << schema;
    EXPECT_EQ(language.result.problems[0].message, "no value satisfies the schema");
  }
}

TEST(SchemaNetwork, UnknownFormatsAreListed) {
  const Language language(R"({"properties":{"a":{"format":"colour"},"b":{"format":"date"}}})");
  EXPECT_EQ(language.result.unasserted, std::vector<std::string>{"/properties/a/format"});
}

TEST(SchemaNetwork, UnknownFormatsAreRefusedWhereAllAreAsserted) {
  const SchemaNetworkSettings all = {.format = FormatUse::kAssertAll};
  const Language language(R"({"properties":{"a":{"format":"colour"},"b":{"format":"int32"}}})",
                          all);
  ASSERT_EQ(language.result.problems.size(), 1u);
  EXPECT_EQ(language.result.problems[0].pointer, "/properties/a/format");
  EXPECT_EQ(language.result.problems[0].message, "format colour is not known");
  EXPECT_EQ(language.result.unasserted, std::vector<std::string>{"/properties/b/format"});
  EXPECT_FALSE(Language(R"({"format":"date"})", all).Accepts(R"("2023-02-29")"));
}

TEST(SchemaNetwork, WhitespaceIsAsAsked) {
  const char* schema = R"({"type":"object","properties":{"a":{},"b":{}}})";
  Language fixed(schema), compact(schema, {JsonWhitespace::kCompact, PropertyOrder::kSchema, {}}),
      flexible(schema, {JsonWhitespace::kFlexible, PropertyOrder::kSchema, {}, {}});
  EXPECT_TRUE(fixed.Accepts(R"({"a": 1, "b": 2})"));
  EXPECT_FALSE(fixed.Accepts(R"({"a":1,"b":2})"));
  EXPECT_TRUE(compact.Accepts(R"({"a":1,"b":2})"));
  EXPECT_FALSE(compact.Accepts(R"({"a": 1, "b": 2})"));
  EXPECT_TRUE(flexible.Accepts("{\n  \"a\": 1\r\n ,\n\"b\"\t:2 }"));
  EXPECT_FALSE(flexible.Accepts("{\n\n\"a\": 1}"));
  EXPECT_FALSE(flexible.Accepts("{" + std::string(21, ' ') + "\"a\": 1}"));
}

TEST(SchemaNetwork, PlainFormsAreWhatASchemasAuthorHasInMind) {
  struct Row {
    const char *schema, *text;
    bool is_plain;
  };
  const Row rows[] = {
      {R"({"type":"integer"})", "-12", true},
      {R"({"type":"integer"})", "12.0", false},
      {R"({"type":"integer"})", "1e2", false},
      {R"({"type":"integer"})", "12345678901234567890", false},
      {R"({"multipleOf":4,"type":"integer"})", "4.0", false},
      {R"({"enum":[1,2.5]})", "1", true},
      {R"({"enum":[1,2.5]})", "2.50", true},
      {R"({"type":"number"})", "-0.25e-7", true},
      {R"({"type":"number"})", "0.123456789012345678", false},
      {R"({"minimum":1e30,"type":"integer"})", "1e31", true},  // no shorter form
      {R"({"type":"string"})", R"("\u00e9")", false},
      {R"({"properties":{"a":{}}})", R"({"a": 1})", true},
      {R"({"properties":{"a":{}}})", R"({"b": 1})", false},
      {R"({"properties":{"a":{}},"additionalProperties":true})", R"({"b": 1})", true},
      {R"({"properties":{"a":{}},"minProperties":1})", R"({"b": 1})", true},
      {R"({"patternProperties":{"^x":{}}})", R"({"xy": 1})", true},
      {R"({"patternProperties":{"^x":{}}})", R"({"y": 1})", false},
      {R"({"required":["a"]})", R"({"a": 1, "b": 2})", true},
      {R"({"type":"object"})", R"({"a": 1, "b": 2})", true},
      {R"({"allOf":[{"properties":{"a":{}}},{"properties":{"b":{}}}]})", R"({"a": 1, "b": 2})",
       true},
      {R"({"properties":{"a":{}},"propertyNames":{"maxLength":1}})", R"({"b": 1})", false},
      {R"({"properties":{"a":{}},"unevaluatedProperties":{"type":"null"}})", R"({"b": null})",
       true},
  };
  for (const Row& row : rows) {
    Language plain(row.schema, {.forms = JsonForms::kPlain}), any(row.schema);
    EXPECT_EQ(plain.Accepts(row.text), row.is_plain) << row.schema << " " << row.text;
    EXPECT_TRUE(any.Accepts(row.text)) << row.schema << " " << row.text;
  }
}

TEST(SchemaNetwork, PropertiesKeepTheOrderOfTheSchemaUnlessAnyIsAsked) {
  const char* schema = R"({"properties":{"a":{},"b":{}},"required":["c"]})";
  Language ordered(schema), any(schema, {JsonWhitespace::kFixed, PropertyOrder::kAny, {}});
  EXPECT_TRUE(ordered.Accepts(R"({"b": 1, "c": 2, "other": 3})"));
  EXPECT_FALSE(ordered.Accepts(R"({"b": 1, "a": 2, "c": 3})"));
  EXPECT_FALSE(ordered.Accepts(R"({"other": 1, "c": 2})"));
  EXPECT_TRUE(any.Accepts(R"({"other": 1, "c": 2, "a": 3})"));
  EXPECT_FALSE(any.Accepts(R"({"c": 2, "c": 3})"));
}

// Union of unions, `levels` deep, without the text growing with the number of values.
std::string NestedUnions(int levels) {
  std::string definitions = R"("s0":{"type":"string"})";
  for (int i = 1; i <= levels; ++i) {
    const std::string below = R"({"$ref":"#/$defs/s)" + std::to_string(i - 1) + "\"}";
    definitions +=
        ",\"s" + std::to_string(i) + R"(":{"oneOf":[)" + R"({"type":"object","properties":{"a":)" +
        below + R"(},"required":["a"],"maxProperties":1},)" +
        R"({"type":"object","properties":{"b":)" + below +
        R"(},"required":["b"],"maxProperties":1},)" + R"({"type":"array","items":)" + below + "}]}";
  }
  return R"({"$ref":"#/$defs/s)" + std::to_string(levels) + R"(","$defs":{)" + definitions + "}}";
}

TEST(SchemaNetwork, DeepUnionsTakeLittleFuel) {
  Language shallow(NestedUnions(10));
  ASSERT_NE(shallow.result.network, nullptr);
  EXPECT_TRUE(shallow.Accepts(R"({"a": {"b": []}})"));
  EXPECT_FALSE(shallow.Accepts(R"({"a": {"b": 1}})"));
  Language deep(NestedUnions(40));
  EXPECT_NE(deep.result.network, nullptr);
}

TEST(SchemaNetworkProblems, LimitsAreNamed) {
  const auto first = [](std::string_view schema, std::uint64_t steps) {
    const SchemaReport report = CheckSchema(schema, {}, {}, steps);
    return report.problems.empty() ? ""
                                   : report.problems[0].pointer + ": " + report.problems[0].message;
  };
  EXPECT_EQ(first(R"({"properties": {"a": {"minLength": 4294967295}}})", 1'000'000),
            "/properties/a/minLength: is over the limit of 4294967294 for lengths");
  EXPECT_EQ(first(R"({"type": "integer", "minLength": 4294967295})", 1'000'000), "");
  EXPECT_EQ(first(R"({"required": ["a", "b"]})", 20),
            ": the schema is too complex: it takes more than 20 steps to compile");
}

}  // namespace
}  // namespace espalier
