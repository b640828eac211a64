// Hostile schemas: each is read in time that grows with its length, or refused by a limit.
#include <gtest/gtest.h>

#include <string>

#include "grammar/schema/schema_document.h"
#include "tests/support/schema_text.h"

namespace espalier {
namespace {

std::string Repeated(std::string_view text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

// "text" for each number below `count`, which stands for '@', with commas between.
std::string Listed(std::string_view text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) {
    if (i > 0) out += ',';
    for (const char c : text) out += c == '@' ? std::to_string(i) : std::string(1, c);
  }
  return out;
}

Result<SchemaDocument> Read(const std::string& text) {
  return SchemaDocument::Parse(text, {.default_draft = "2020-12"});
}

std::string ProblemsOf(const std::string& text) {
  const Result<SchemaDocument> document = Read(text);
  return document.ok() ? test::ProblemsText(*document) : document.status().message();
}

TEST(SchemaLimits, NestingIsBounded) {
  EXPECT_EQ(Read(Repeated("{\"not\":", 511) + "{}" + Repeated("}", 511))->size(), 512u);
  const auto deep = Read(Repeated("{\"not\":", 10'000) + "{}" + Repeated("}", 10'000));
  EXPECT_EQ(deep.status().code(), Code::kLimit);
  EXPECT_EQ(Read(Repeated("[", 1'000'000)).status().code(), Code::kLimit);
}

TEST(SchemaLimits, BytesAreBounded) {
  const auto error = Read("{\"title\": \"" + std::string(1 << 20, 'x') + "\"}").status();
  EXPECT_EQ(error.code(), Code::kLimit);
  EXPECT_EQ(error.message(), "schema: longer than 1048576 bytes");
}

TEST(SchemaLimits, NodesAreBounded) {
  EXPECT_EQ(Read("{\"anyOf\":[" + Listed("{}", 99'999) + "]}")->size(), 100'000u);
  EXPECT_EQ(ProblemsOf("{\"anyOf\":[" + Listed("{}", 100'000) + "]}"),
            ": more than 100000 schemas");
}

TEST(SchemaLimits, ManyReferencesAreFollowed) {
  const std::string defs = "{\"$defs\":{" + Listed(R"("a@":{})", 25'000) + "},\"anyOf\":[" +
                           Listed(R"({"$ref":"#/$defs/a@"})", 25'000) + "]}";
  EXPECT_EQ(Read(defs)->size(), 50'001u);
  const std::string anchors = "{\"$defs\":{" + Listed(R"("a@":{"$anchor":"a@"})", 20'000) +
                              "},\"anyOf\":[" + Listed(R"({"$ref":"#a@"})", 20'000) + "]}";
  EXPECT_EQ(Read(anchors)->size(), 40'001u);
  EXPECT_EQ(Read("{\"allOf\":[" + Listed(R"({"items":{"$ref":"#"}})", 40'000) + "]}")->size(),
            80'001u);
}

TEST(SchemaLimits, ALongCycleOfReferencesIsAProblem) {
  std::string chain = R"({"$ref":"#/$defs/a0","$defs":{)";
  for (int i = 0; i < 20'000; ++i) {
    chain += "\"a" + std::to_string(i) + R"(":{"$ref":"#/$defs/a)" + std::to_string(i + 1) + "\"},";
  }
  EXPECT_EQ(ProblemsOf(chain + R"("a20000":{}}})"), "");
  EXPECT_EQ(ProblemsOf(chain + R"("a20000":{"$ref":"#/$defs/a7"}}})"),
            "/$defs/a7: the schema refers to itself without end");
}

TEST(SchemaLimits, MemoryOfPointersAndUrisIsBounded) {
  const std::string long_name(500'000, 'n');
  EXPECT_EQ(ProblemsOf("{\"properties\":{\"" + long_name + "\":{\"anyOf\":[" +
                       Listed("{}", 50'000) + "]}}}"),
            ": the JSON pointers of the schemas are too long");
  const std::string lost =
      ": more than 10000 schemas have an $id, or one is longer than 2048 bytes";
  EXPECT_EQ(ProblemsOf("{\"$defs\":{" + Listed(R"("a@":{"$id":"a@"})", 20'000) + "}}"), lost);
  EXPECT_EQ(ProblemsOf(R"({"items":{"$id":"http://)" + std::string(3000, 'x') + "\"}}"), lost);
  EXPECT_TRUE(ProblemsOf("{\"$ref\":\"" + std::string(3000, 'x') + "\"}")
                  .ends_with("...: the URI is longer than 2048 bytes"));
}

TEST(SchemaLimits, ProblemsAreBoundedInNumberAndLength) {
  const Result<SchemaDocument> document =
      Read("{\"anyOf\":[" + Listed(R"({"type":"x"})", 50'000) + "]}");
  ASSERT_EQ(document->problems().size(), 1001u);
  EXPECT_EQ(document->problems().back().message, "further problems are not listed");
  EXPECT_LT(ProblemsOf("{\"type\":\"" + std::string(500'000, 'x') + "\"}").size(), 250u);
  EXPECT_LT(ProblemsOf("{\"$ref\":\"#/" + std::string(500'000, 'x') + "\"}").size(), 300u);
}

}  // namespace
}  // namespace espalier
