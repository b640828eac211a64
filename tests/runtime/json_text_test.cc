#include "runtime/local/json_text.h"

#include <gtest/gtest.h>

#include <string>

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

TEST(JsonTextTest, ReadsWhatNlohmannReads) {
  for (const char* text :
       {"null", "true", "-12", "18446744073709551615", "1.5e3", "\"a\\u00e9\\ud83d\\ude00\"", "[]",
        "{}", "[1, [2, [3]], {}]", R"({"b": 1, "a": {"c": [null, {"d": ""}]}, "": false})",
        R"({"a": 1, "b": 2, "a": 3})", R"({"a": {"x": 1}, "a": [2]})"}) {
    const Result<Json> json = ParseJson(text);
    ASSERT_TRUE(json.ok()) << text;
    EXPECT_EQ(json->dump(), Json::parse(text).dump()) << text;
  }
}

TEST(JsonTextTest, SaysWhereItIsNotJson) {
  for (const char* text : {"", "{", "[1,]", "{\"a\" 1}", "tru", "1 2", "\"\xff\"", "1e999"}) {
    const Result<Json> json = ParseJson(text);
    ASSERT_FALSE(json.ok()) << text;
    EXPECT_EQ(json.status().code(), Code::kInvalidArgument);
    EXPECT_TRUE(json.status().message().starts_with("not JSON: ")) << json.status().message();
    EXPECT_EQ(json.status().message().find("json.exception"), std::string::npos);
  }
}

TEST(JsonTextTest, BoundsTheDepth) {
  const auto nested = [](int depth) {
    return std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']');
  };
  EXPECT_TRUE(ParseJson(nested(100)).ok());
  EXPECT_EQ(ParseJson(nested(101)).status().message(), "JSON nested deeper than 100");
  EXPECT_FALSE(ParseJson(std::string(1'000'000, '[')).ok());
}

// With a look at all earlier members a new one would cost, these take hours.
TEST(JsonTextTest, ManyMembersAndElementsCostNoMoreThanTheirNumber) {
  constexpr int kMany = 200'000;
  std::string object = "{\"k0\": 0";
  std::string list = "[{}";
  for (int i = 1; i < kMany; ++i) {
    object += ",\"k" + std::to_string(i) + "\":" + std::to_string(i);
    list += ",{}";
  }
  const Result<Json> members = ParseJson(object + ", \"k7\": \"again\"}");
  ASSERT_TRUE(members.ok());
  EXPECT_EQ(members->size(), kMany);
  EXPECT_EQ(members->at("k7"), "again");
  const Result<Json> elements = ParseJson(list + "]");
  ASSERT_TRUE(elements.ok());
  EXPECT_EQ(elements->size(), kMany);
}

}  // namespace
}  // namespace espalier
