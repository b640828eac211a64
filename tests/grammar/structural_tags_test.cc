// Structural tags against a reader that looks for triggers from left to right, over all
// short texts of three letters; then the formats one by one, and what the errors say.
#include "grammar/tags/structural_tags.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/ebnf/ebnf.h"
#include "tests/grammar/grammar_sources.h"
#include "tests/grammar/network_walk.h"

namespace espalier {
namespace {

class Tags {
 public:
  explicit Tags(std::string_view text)
      : fuel_(~std::uint64_t{0}), set_(fuel_), network_(Make(text)) {}

  bool ok() const { return network_.ok(); }
  Code code() const { return network_.status().code(); }
  std::string error() const { return network_.status().message(); }
  bool Takes(std::string_view text) { return NetworkWalk(**network_, set_, text).Accepts(); }
  Network& network() { return **network_; }
  RegexSet& set() { return set_; }
  std::string schema() const { return schema_; }

 private:
  // Schemas stand for letters here: one or more b.
  Result<std::unique_ptr<Network>> Make(std::string_view text) {
    const SchemaSection section = [this](std::string_view schema, PropertyOrder) {
      schema_ = schema;
      return MakeEbnfNetwork("root ::= \"b\" root?", NoSources(), set_, fuel_);
    };
    return MakeTagsNetwork(text, {vocabulary_, section}, set_, fuel_);
  }

  const Vocabulary vocabulary_{{}, {}};
  Fuel fuel_;
  RegexSet set_;
  std::string schema_;
  Result<std::unique_ptr<Network>> network_;
};

std::string Format(const std::string& format) {
  return R"({"type": "structural_tag", "format": )" + format + "}";
}

// A section that begins with `begin`, holds one or more b, and ends with `end`.
struct Section {
  std::string begin, end;
};

// Texts of free text and sections, read by hand.
struct Reader {
  std::vector<std::string> triggers;
  std::vector<Section> sections;
  bool at_least_one = false, leading_text = true, stop_after_first = false;

  bool Takes(std::string_view text) const { return At(text, 0, 0); }

 private:
  bool At(std::string_view text, std::size_t at, int num_sections) const {
    if (stop_after_first && num_sections > 0) return at == text.size();
    for (std::size_t end = at + 1; end <= text.size(); ++end) {
      const std::string_view so_far = text.substr(at, end - at);
      for (const std::string& trigger : triggers) {
        if (!so_far.ends_with(trigger)) continue;
        const bool leads = num_sections == 0 && !leading_text;
        return !(leads && so_far != trigger) && Behind(text, end, trigger, num_sections);
      }
    }
    return num_sections > 0 || !at_least_one;
  }

  bool Behind(std::string_view text, std::size_t at, const std::string& trigger,
              int num_sections) const {
    for (const Section& section : sections) {
      if (!section.begin.starts_with(trigger)) continue;
      const std::string rest = section.begin.substr(trigger.size());
      if (!text.substr(at).starts_with(rest)) continue;
      for (std::size_t end = at + rest.size(); end < text.size() && text[end] == 'b'; ++end) {
        if (!text.substr(end + 1).starts_with(section.end)) continue;
        if (At(text, end + 1 + section.end.size(), num_sections + 1)) return true;
      }
    }
    return false;
  }
};

void ExpectSame(Tags& tags, const Reader& reader, const std::string& letters,
                std::size_t max_length) {
  ASSERT_TRUE(tags.ok()) << tags.error();
  std::vector<std::string> texts = {""};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    ASSERT_EQ(tags.Takes(texts[i]), reader.Takes(texts[i])) << texts[i];
    if (texts[i].size() == max_length) continue;
    for (const char letter : letters) texts.push_back(texts[i] + letter);
  }
  for (const auto& [node, cost] : ShortestOfAll(tags.network(), tags.set())) {
    ASSERT_NE(cost, ~std::uint64_t{0}) << "node " << node << " is a dead end";
    ASSERT_EQ(tags.network().MinBytes(node), cost) << "node " << node;
  }
}

TEST(StructuralTagsTest, StructuresAreFoundAsAReaderFindsThem) {
  Tags tags(R"({"type": "structural_tag", "triggers": ["<a", "aa<"], "structures": [
      {"begin": "<ab", "schema": {"z": 1, "a": [true, null, "\u0001\"x"]}, "end": "<"},
      {"begin": "<a<", "schema": {"z": 1, "a": [true, null, "\u0001\"x"]}, "end": ""},
      {"begin": "aa<", "schema": {"z": 1, "a": [true, null, "\u0001\"x"]}, "end": "ba"}]})");
  const Reader reader = {.triggers = {"<a", "aa<"},
                         .sections = {{"<ab", "<"}, {"<a<", ""}, {"aa<", "ba"}}};
  ExpectSame(tags, reader, "<ab", 8);
  EXPECT_EQ(tags.schema(), "{\"z\":1,\"a\":[true,null,\"\\u0001\\\"x\"]}");
}

TEST(StructuralTagsTest, FlagsOfTriggeredTagsAreKept) {
  for (const bool at_least_one : {false, true}) {
    for (const bool leading_text : {false, true}) {
      for (const bool stop_after_first : {false, true}) {
        const auto flag = [](bool value) { return std::string(value ? "true" : "false"); };
        Tags tags(Format(R"({"type": "triggered_tags", "triggers": ["<"], "tags": [
            {"type": "tag", "begin": "<a", "content": {"type": "json_schema", "json_schema": {}},
             "end": "<"}], "at_least_one": )" +
                         flag(at_least_one) + R"(, "leading_text": )" + flag(leading_text) +
                         R"(, "stop_after_first": )" + flag(stop_after_first) + "}"));
        // Without a section there is nothing to lead.
        if (!at_least_one && !leading_text) continue;
        const Reader reader = {.triggers = {"<"},
                               .sections = {{"<a", "<"}},
                               .at_least_one = at_least_one,
                               .leading_text = leading_text,
                               .stop_after_first = stop_after_first};
        ExpectSame(tags, reader, "<ab", 8);
      }
    }
  }
}

struct Verdicts {
  std::string format;
  std::vector<std::string_view> taken, refused;
};

TEST(StructuralTagsTest, EachFormatHasItsLanguage) {
  const std::vector<Verdicts> rows = {
      {R"({"type": "const_string", "value": "x\ny"})", {"x\ny"}, {"", "x"}},
      {R"({"type": "regex", "pattern": "[0-9]{2}"})", {"12"}, {"1", "123"}},
      {R"({"type": "grammar", "grammar": "root ::= \"(\" root \")\" | \"\""})",
       {"", "(())"},
       {"(()"}},
      {R"({"type": "any_text", "excludes": ["no", "\u00e9"]})", {"", "n\no"}, {"now", "\u00e9"}},
      {R"({"type": "sequence", "elements": [{"type": "const_string", "value": "a"},
           {"type": "star", "content": {"type": "const_string", "value": "b"}}]})",
       {"a", "abb"},
       {"", "ba"}},
      {R"({"type": "or", "elements": [{"type": "const_string", "value": "a"},
           {"type": "plus", "content": {"type": "regex", "pattern": "b|c"}}]})",
       {"a", "bcb"},
       {"", "ab"}},
      {R"({"type": "repeat", "min": 1, "max": 2, "content": {"type": "grammar",
           "grammar": "root ::= \"a\" root \"b\" | \"c\""}})",
       {"c", "acbc"},
       {"", "ccc"}},
      {R"({"type": "repeat", "min": 2, "max": -1, "content":
           {"type": "json_schema", "json_schema": true, "any_order": true}})",
       {"bb", "bbbb"},
       {"b"}},
      {R"({"type": "optional", "content": {"type": "const_string", "value": "a"}})",
       {"", "a"},
       {"aa"}},
      {R"({"type": "tags_with_separator", "separator": ",", "tags": [{"type": "tag",
           "begin": "<", "content": {"type": "any_text"}, "end": [">", "/"]}]})",
       {"", "<x>", "<x>,<y/,<>"},
       {"<x>,", "<x/>", ","}},
      {R"({"type": "tags_with_separator", "separator": ",", "tags": [
           {"begin": "[", "content": {"type": "regex", "pattern": "\\d+"}, "end": "]"}]})",
       {"", "[1],[23]"},
       {"[1],", "[]"}},
      {R"({"type": "dispatch", "rules": [["#", {"type": "regex", "pattern": "\\d"}],
           ["@", {"type": "const_string", "value": "me"}]], "excludes": ["!"]})",
       {"", "x #1 y @me z", "#1#2"},
       {"#", "@you", "x!", "#a"}},
  };
  for (const Verdicts& row : rows) {
    Tags tags(Format(row.format));
    ASSERT_TRUE(tags.ok()) << row.format << "\n" << tags.error();
    for (const auto text : row.taken) EXPECT_TRUE(tags.Takes(text)) << row.format << "\n" << text;
    for (const auto text : row.refused) {
      EXPECT_FALSE(tags.Takes(text)) << row.format << "\n" << text;
    }
  }
}

TEST(StructuralTagsTest, TextInsideATagEndsAtTheFirstEnd) {
  Tags tags(Format(R"({"type": "tag", "begin": "a", "content": {"type": "any_text"},
                       "end": "bab"})"));
  ASSERT_TRUE(tags.ok()) << tags.error();
  EXPECT_TRUE(tags.Takes("abab"));
  EXPECT_TRUE(tags.Takes("abbab"));
  EXPECT_FALSE(tags.Takes("ababab"));
  EXPECT_FALSE(tags.Takes("ababbab"));
}

TEST(StructuralTagsTest, ReasoningComesBeforeToolCalls) {
  Tags tags(Format(R"({"type": "sequence", "elements": [
      {"type": "tag", "begin": "<think>", "content": {"type": "any_text"}, "end": "</think>"},
      {"type": "triggered_tags", "triggers": ["<call"], "tags": [
        {"begin": "<call=f>", "content": {"type": "json_schema", "json_schema": {}},
         "end": "</call>"}]}]})"));
  ASSERT_TRUE(tags.ok()) << tags.error();
  EXPECT_TRUE(tags.Takes("<think>a <call> is not one here</think>So: <call=f>bb</call> done"));
  EXPECT_TRUE(tags.Takes("<think></think>"));
  EXPECT_FALSE(tags.Takes("<call=f>b</call>"));
  EXPECT_FALSE(tags.Takes("<think>endless"));
  EXPECT_FALSE(tags.Takes("<think></think><call=g>b</call>"));
}

TEST(StructuralTagsTest, SectionsInsideATagStopAtItsEnd) {
  Tags tags(Format(R"({"type": "tag", "begin": "[", "end": "]", "content":
      {"type": "triggered_tags", "triggers": ["<"], "tags": [
        {"begin": "<a", "content": {"type": "json_schema", "json_schema": {}}, "end": ">"}]}})"));
  ASSERT_TRUE(tags.ok()) << tags.error();
  EXPECT_TRUE(tags.Takes("[x<ab>y<abb>]"));
  EXPECT_TRUE(tags.Takes("[]"));
  EXPECT_FALSE(tags.Takes("[x]y]"));
  EXPECT_FALSE(tags.Takes("[<ab>"));
  EXPECT_FALSE(tags.Takes("[<b>]"));
}

TEST(StructuralTagsTest, ErrorsNameThePlace) {
  struct Row {
    std::string text;
    Code code;
    std::string_view message;
  };
  constexpr Code kWrong = Code::kInvalidArgument;
  const std::vector<Row> rows = {
      {"{", kWrong, "line 1"},
      {"[]", kWrong, "JSON object"},
      {R"({"type": "x"})", kWrong, "/type must be"},
      {R"({"type": "structural_tag"})", kWrong, "/format is missing"},
      {Format(R"({"type": "exclude_token"})"), Code::kUnsupported, "/format/type is"},
      {Format(R"({"type": "token", "token": 3})"), kWrong, "/format/token is 3, which"},
      {Format(R"({"type": "const_string"})"), kWrong, "/format/value is missing"},
      {Format(R"({"type": "const_string", "value": "a", "x": 1})"), Code::kUnsupported,
       "/format/x is not supported"},
      {Format(R"({"type": "const_string", "value": "a", "b/c~": 1})"), Code::kUnsupported,
       "/format/b~1c~0 is not supported"},
      {Format(R"({"type": "any_text", "max_tokens": 3})"), Code::kUnsupported,
       "/format/max_tokens"},
      {Format(R"({"type": "or", "elements": [{"type": "regex", "pattern": "("}]})"), kWrong,
       "/format/elements/0/pattern: "},
      {Format(R"({"type": "grammar", "grammar": "root ::= x"})"), kWrong,
       "/format/grammar: line 1, column 10"},
      {Format(R"({"type": "json_schema", "json_schema": {}, "style": "qwen_xml"})"),
       Code::kUnsupported, "/format/style"},
      {Format(R"({"type": "tag", "begin": {"type": "token", "token": 1}, "end": "",
                  "content": {"type": "any_text"}})"),
       kWrong, "/format/begin/token is 1, which"},
      {Format(R"({"type": "triggered_tags", "triggers": ["<"], "tags": [{"begin": "[",
                  "content": {"type": "any_text"}, "end": "]"}]})"),
       kWrong, "/format/tags/0/begin begins with no trigger"},
      {Format(R"({"type": "repeat", "min": 3, "max": 2, "content": {"type": "any_text"}})"), kWrong,
       "/format/min is more than max"},
  };
  for (const Row& row : rows) {
    const Tags tags(row.text);
    ASSERT_FALSE(tags.ok()) << row.text;
    EXPECT_EQ(tags.code(), row.code) << row.text << "\n" << tags.error();
    EXPECT_NE(tags.error().find(row.message), std::string::npos) << row.text << "\n"
                                                                 << tags.error();
  }
}

}  // namespace
}  // namespace espalier
