#include "runtime/cli/json_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace espalier {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> Shown(const Result<std::vector<JsonPart>>& members) {
  std::vector<std::string> shown;
  if (!members.ok()) return {members.status().message()};
  for (const auto& [name, value] : *members) shown.push_back(name + "=" + std::string(value));
  return shown;
}

TEST(JsonParts, MembersKeepTheirTextAndTheirOrder) {
  EXPECT_THAT(
      Shown(ObjectMembers(" { \"b\" : 1.500e0 , \"\\u0061\":[1, {\"x\":\"]}\"}],\"c\":{} } ")),
      ElementsAre("b=1.500e0", "a=[1, {\"x\":\"]}\"}]", "c={}"));
  EXPECT_THAT(Shown(ObjectMembers("{}")), ElementsAre());
  EXPECT_THAT(Shown(ObjectMembers(R"({"a":1,"a":2})")), ElementsAre("a=1", "a=2"));
}

TEST(JsonParts, StringsHideWhatStandsInThem) {
  EXPECT_THAT(Shown(ObjectMembers(R"({"a":"\\","b":"\"}","c":"x,y"})")),
              ElementsAre(R"(a="\\")", R"(b="\"}")", R"(c="x,y")"));
}

TEST(JsonParts, ElementsKeepTheirText) {
  const auto elements = ArrayElements("[ 1e400,\"a]\" , [[]],true]");
  ASSERT_TRUE(elements.ok());
  EXPECT_THAT(*elements, ElementsAre("1e400", "\"a]\"", "[[]]", "true"));
  EXPECT_TRUE(ArrayElements("[]")->empty());
}

TEST(JsonParts, DeepNestingIsNoMoreThanLongText) {
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  EXPECT_THAT(Shown(ObjectMembers("{\"a\":" + deep + "}")), ElementsAre("a=" + deep));
}

TEST(JsonParts, WhatIsNoObjectOrArrayNamesTheByte) {
  for (const char* text :
       {"", "[1]", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{\"a\":1}x",
        "{a:1}", "{\"a\":\"}", "{\"a\":[}", "{\"a\":}", "{,}"}) {
    const auto members = ObjectMembers(text);
    ASSERT_FALSE(members.ok()) << text;
    EXPECT_EQ(members.status().code(), Code::kInvalidArgument);
  }
  for (const char* text : {"", "{}", "[", "[1", "[1,", "[,]", "[1,]", "[1]]", "[\"]"}) {
    EXPECT_FALSE(ArrayElements(text).ok()) << text;
  }
  EXPECT_EQ(ArrayElements("[1,,2]").status().message(), "not JSON: a value expected at byte 3");
}

TEST(JsonParts, StringOfDecodes) {
  EXPECT_EQ(*StringOf(R"("\u00e9\n")", "it"), "\u00e9\n");
  EXPECT_EQ(StringOf("1", "an instance").status().message(), "an instance must be a string");
  EXPECT_FALSE(StringOf("\"a", "it").ok());
}

}  // namespace
}  // namespace espalier
