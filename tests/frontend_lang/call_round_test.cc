#include "frontend_lang/http/call_round.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

const std::string kLong(100, 'x');

std::string SharedBy(const std::vector<std::string>& prompts) {
  CallRound round;
  for (std::size_t i = 0; i < prompts.size(); ++i) round.Add(CallId{i}, prompts[i], [] {});
  return round.SharedText();
}

TEST(CallRoundTest, FindsWhatAllPromptsBeginWith) {
  EXPECT_EQ(SharedBy({kLong + "a", kLong + "b", kLong + "bc"}), kLong);
  EXPECT_EQ(SharedBy({kLong, kLong}), kLong);
  EXPECT_EQ(SharedBy({kLong, kLong + "a"}), kLong);
  EXPECT_EQ(SharedBy({kLong + "a", kLong + "a", "other"}), "");
}

TEST(CallRoundTest, OneCallOrAShortBeginningShareNothing) {
  EXPECT_EQ(SharedBy({}), "");
  EXPECT_EQ(SharedBy({kLong}), "");
  const std::string brief(CallRound::kShortBytes, 'x');
  EXPECT_EQ(SharedBy({brief + "a", brief + "b"}), "");
  EXPECT_EQ(SharedBy({brief + "xa", brief + "xb"}), brief + "x");
}

TEST(CallRoundTest, ItEndsWithAWholeCharacter) {
  EXPECT_EQ(SharedBy({kLong + "é", kLong + "è"}), kLong);  // C3 A9, C3 A8
  EXPECT_EQ(SharedBy({kLong + "é", kLong + "éa"}), kLong + "é");
}

TEST(CallRoundTest, SendsInOrderWhatWasNotRemoved) {
  CallRound round;
  std::string sent;
  for (const char name : {'a', 'b', 'c'}) {
    round.Add(CallId{static_cast<std::uint64_t>(name)}, "", [&sent, name] { sent += name; });
  }
  EXPECT_TRUE(round.Remove(CallId{'b'}));
  EXPECT_FALSE(round.Remove(CallId{'b'}));
  round.Send();
  EXPECT_EQ(sent, "ac");
  EXPECT_TRUE(round.empty());
  EXPECT_FALSE(round.Remove(CallId{'a'}));
}

}  // namespace
}  // namespace espalier
