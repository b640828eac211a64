// Grammars that try to cost too much: each ends in a result or a named limit.
#include <gtest/gtest.h>

#include <string>

#include "grammar/ebnf/ebnf.h"
#include "tests/grammar/grammar_sources.h"
#include "tests/grammar/network_walk.h"

namespace espalier {
namespace {

constexpr std::uint64_t kFuel = 50'000'000;

std::string Chain(int num_rules, const std::string& before, const std::string& after,
                  const std::string& last) {
  std::string text = "root ::= r0\n";
  for (int i = 0; i < num_rules; ++i) {
    text += "r" + std::to_string(i) + " ::= " + before + " r" + std::to_string(i + 1) + " " +
            after + "\n";
  }
  return text + "r" + std::to_string(num_rules) + " ::= " + last + "\n";
}

struct Outcome {
  Code code = Code::kOk;
  std::uint64_t min_bytes = 0;
};

Outcome Compile(const std::string& text) {
  Fuel fuel(kFuel);
  RegexSet set(fuel);
  auto network = MakeEbnfNetwork(text, NoSources(), set, fuel);
  if (!network.ok()) return {network.status().code()};
  (*network)->Expand((*network)->start());
  return {Code::kOk, (*network)->MinBytes((*network)->start())};
}

TEST(EbnfHostileTest, DeepParenthesesAreALimit) {
  const std::string deep =
      "root ::= " + std::string(10'000, '(') + "\"a\"" + std::string(10'000, ')');
  EXPECT_EQ(Compile(deep).code, Code::kLimit);
  const std::string lark =
      "start: " + std::string(10'000, '[') + "\"a\"" + std::string(10'000, ']');
  EXPECT_EQ(Compile(lark).code, Code::kLimit);
  const std::string fair =
      "root ::= " + std::string(250, '(') + "\"a\" root?" + std::string(250, ')');
  EXPECT_EQ(Compile(fair).min_bytes, 1u);
}

TEST(EbnfHostileTest, LongChainsOfRulesCompile) {
  EXPECT_EQ(Compile(Chain(40'000, "\"a\"", "", "\"b\"")).min_bytes, 40'001u);
  EXPECT_EQ(Compile(Chain(40'000, "", "\"a\"", "\"b\"")).min_bytes, 40'001u);
  EXPECT_EQ(Compile(Chain(30'000, "\"x\" root \"y\" |", "", "\"b\"")).min_bytes, 1u);
  EXPECT_EQ(Compile(Chain(20'000, "root? ", "\"y\"", "root \"b\" | \"a\"")).min_bytes, 20'001u);
}

TEST(EbnfHostileTest, DoublingRulesStayRules) {
  std::string text = "root ::= r0\n";
  for (int i = 0; i < 60; ++i) {
    const std::string next = "r" + std::to_string(i + 1);
    text += "r" + std::to_string(i) + " ::= " + next + " " + next + "\n";
  }
  EXPECT_EQ(Compile(text + "r60 ::= \"a\" | \"bc\"\n").min_bytes, std::uint64_t{1} << 60);
}

TEST(EbnfHostileTest, NestedRepeatsCostNoUnrolling) {
  EXPECT_EQ(Compile("root ::= (((\"ab\"{1000}){1000}){1000}){2}").min_bytes, 4'000'000'000u);
  EXPECT_EQ(
      Compile("root ::= x{100000}\nx ::= \"(\" x? \")\" | y{5,1000000}\ny ::= \"a\" y | \"b\"")
          .min_bytes,
      200'000u);
  EXPECT_EQ(Compile("root ::= ((((root{1000} | \"a\"){1000}){1000}){1000}){1000000}").min_bytes,
            1'000'000'000'000'000u);
}

TEST(EbnfHostileTest, ANodeExpandedWithoutFuelIsWholeOnceThereIsFuel) {
  Fuel fuel(kFuel);
  RegexSet set(fuel);
  auto network = MakeEbnfNetwork("root ::= \"(\" root \")\" | \"a\"", NoSources(), set, fuel);
  ASSERT_TRUE(network.ok());
  fuel.Spend(~std::uint64_t{0});
  EXPECT_TRUE((*network)->Expand((*network)->start()).edges.empty());
  fuel.Refill(kFuel);
  EXPECT_TRUE(NetworkWalk(**network, set, "((a))").Accepts());
}

TEST(EbnfHostileTest, LittleFuelIsALimit) {
  Fuel fuel(100);
  RegexSet set(fuel);
  const auto network = MakeEbnfNetwork(Chain(200, "\"a\"", "", "\"b\""), NoSources(), set, fuel);
  ASSERT_FALSE(network.ok());
  EXPECT_EQ(network.status().code(), Code::kLimit);
}

}  // namespace
}  // namespace espalier
