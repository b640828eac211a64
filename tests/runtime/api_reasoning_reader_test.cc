#include "runtime/api/reasoning_reader.h"

#include <string>

#include <gtest/gtest.h>

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;
using Start = ReasoningReader::Start;

// The parts of `text`, fed in pieces of `size` bytes.
ReasoningReader::News Read(Start start, std::string_view text, std::size_t size) {
  ReasoningReader reader(start);
  ReasoningReader::News all;
  const auto add = [&](const ReasoningReader::News& news) {
    all.reasoning += news.reasoning;
    all.text += news.text;
  };
  for (std::size_t at = 0; at < text.size(); at += size) add(reader.Feed(text.substr(at, size)));
  add(reader.Finish());
  return all;
}

struct Case {
  Start start;
  const char *output, *reasoning, *text;
};
constexpr Case kCases[] = {
    {Start::kBefore, "<think>\nso it is\n</think>\n\nBlue.\n", "so it is", "Blue.\n"},
    {Start::kBefore, "\n<think>a < b</th ink></think>c", "a < b</th ink>", "c"},
    {Start::kBefore, "Blue.", "", "Blue."},
    {Start::kBefore, "<thin", "", "<thin"},
    {Start::kBefore, "<think></think>Blue.", "", "Blue."},
    {Start::kBefore, "<think>cut sho", "cut sho", ""},
    {Start::kInside, "so</think>Blue. <think>no</think>", "so", "Blue. <think>no</think>"},
    {Start::kInside, "cut at its mark </thi", "cut at its mark </thi", ""},
    {Start::kInside, "", "", ""},
};

TEST(ReasoningReaderTest, PartsAreTheSameHoweverTheOutputIsCut) {
  for (const Case& one : kCases) {
    for (std::size_t size = 1; size <= 40; ++size) {
      const ReasoningReader::News parts = Read(one.start, one.output, size);
      EXPECT_EQ(parts.reasoning, one.reasoning) << one.output << " by " << size;
      EXPECT_EQ(parts.text, one.text) << one.output << " by " << size;
    }
  }
}

TEST(ReasoningReaderTest, TheTemplateAndThePromptSayWhereItBegins) {
  EXPECT_EQ(ReasoningStart("no marks", "<think>"), std::nullopt);
  EXPECT_EQ(ReasoningStart("</think>", "assistant\n"), Start::kBefore);
  EXPECT_EQ(ReasoningStart("</think>", "assistant\n<think>\n"), Start::kInside);
  EXPECT_EQ(ReasoningStart("</think>", "<think>\n\n</think>\n\n"), std::nullopt);
}

TEST(ReasoningReaderTest, AConstraintHoldsBehindTheReasoning) {
  for (const Json& line :
       {Json{{"regex", "a+"}}, Json{{"ebnf", "start: \"a\""}},
        Json{{"json_schema", {{"type", "object"}}}}, Json{{"json_schema", R"({"type": "object"})"}},
        Json{{"structural_tag", {{"format", {{"type", "any_text"}}}}}}}) {
    Json moved = line;
    ASSERT_TRUE(ConstrainBehindReasoning(Start::kInside, moved).ok());
    ASSERT_EQ(moved.size(), 1U) << moved;
    const Json elements = moved["structural_tag"]["format"]["elements"];
    EXPECT_EQ(elements[0]["begin"], "");
    EXPECT_EQ(elements[0]["end"], "</think>");
    EXPECT_EQ(elements.size(), 2U);
  }
  Json plain = {{"temperature", 1}};
  EXPECT_TRUE(ConstrainBehindReasoning(Start::kBefore, plain).ok());
  EXPECT_EQ(plain.size(), 1U);
  for (Json wrong : {Json{{"regex", 3}}, Json{{"json_schema", "{"}}, Json{{"structural_tag", "[]"}},
                     Json{{"regex", "a"}, {"ebnf", "b"}}}) {
    EXPECT_FALSE(ConstrainBehindReasoning(Start::kBefore, wrong).ok()) << wrong;
  }
}

}  // namespace
}  // namespace espalier
