// Hostile schemas, made into networks: each ends in time and memory that grow with its
// length, or is refused by a limit.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "grammar/limits.h"
#include "grammar/schema/schema_network.h"

namespace espalier {
namespace {

// What `text` gives for each number below `count`, with commas between.
std::string Listed(int count, const std::function<std::string(const std::string&)>& text) {
  std::string out;
  for (int i = 0; i < count; ++i) out += (i > 0 ? "," : "") + text(std::to_string(i));
  return out;
}

SchemaReport Check(const std::string& text) {
  return CheckSchema(text, {}, {}, GrammarLimits().compile_steps);
}

bool IsLimit(const SchemaReport& report) {
  return report.problems.size() == 1 && report.problems.front().code == Code::kLimit;
}

std::string Contains(int count) {
  const auto part = [](const std::string& i) { return R"({"contains":{"const":)" + i + "}}"; };
  return R"({"type":"array","allOf":[)" + Listed(count, part) + "]}";
}

TEST(SchemaHostile, ManyContainsAreALimitAndNotAPowerOfTwo) {
  EXPECT_TRUE(Check(Contains(6)).problems.empty());
  EXPECT_TRUE(IsLimit(Check(Contains(40))));
}

// Two of names are two clauses; two of numbers of members stay choices.
TEST(SchemaHostile, TwoLongChoicesDoNotTakeTheMemoryOfTheirProduct) {
  const auto both = [](const std::string& before, const std::string& after) {
    const auto choice = [&](const std::string& name) {
      return R"({"anyOf":[)" +
             Listed(4'000, [&](const std::string& i) { return before + name + i + after; }) + "]}";
    };
    return R"({"type":"object","allOf":[)" + choice("1") + "," + choice("2") + "]}";
  };
  EXPECT_TRUE(Check(both(R"({"required":["a)", "\"]}")).problems.empty());
  EXPECT_TRUE(IsLimit(Check(both(R"({"required":["a"],"minProperties":)", "}"))));
}

TEST(SchemaHostile, ManyProblemsAreEachListedOnce) {
  const auto bad = [](const std::string&) { return std::string(R"({"pattern":"("})"); };
  EXPECT_EQ(Check(R"({"anyOf":[)" + Listed(20'000, bad) + "]}").problems.size(), 20'000u);
}

TEST(SchemaHostile, AConstantMayHaveManyMembers) {
  const auto member = [](const std::string& i) { return "\"k" + i + "\":" + i; };
  EXPECT_TRUE(Check(R"({"const":{)" + Listed(10'000, member) + "}}").problems.empty());
}

TEST(SchemaHostile, ManyDynamicReferencesAreFollowedTogether) {
  const auto resource = [](const std::string& i) {
    return "\"d" + i + R"(":{"$id":"http://a/d)" + i + R"(","$dynamicAnchor":"x"})";
  };
  const auto reference = [](const std::string&) {
    return std::string(R"({"items":{"$dynamicRef":"#x"}})");
  };
  const std::string schema = R"({"$id":"http://a/","$dynamicAnchor":"x","$defs":{)" +
                             Listed(2'000, resource) + R"(},"anyOf":[)" +
                             Listed(10'000, reference) + "]}";
  EXPECT_TRUE(Check(schema).problems.empty());
}

TEST(SchemaHostile, ATaggedUnionMayHaveManyMembers) {
  const auto member = [](const std::string& i) {
    return R"({"properties":{"kind":{"const":")" + i + R"("}},"required":["kind"]})";
  };
  EXPECT_TRUE(
      Check(R"({"type":"object","oneOf":[)" + Listed(1'000, member) + "]}").problems.empty());
}

TEST(SchemaHostile, ManyMembersMayHaveToBreakARule) {
  const auto name = [](const std::string& i) { return "\"r" + i + "\""; };
  const auto rule = [](const std::string& i) { return "\"n" + i + R"(":{"const":1})"; };
  EXPECT_TRUE(Check(R"({"type":"object","required":[)" + Listed(3'000, name) +
                    R"(],"not":{"properties":{)" + Listed(6'000, rule) + "}}}")
                  .problems.empty());
}

}  // namespace
}  // namespace espalier
