#include "runtime/cli/run_apart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

namespace espalier {
namespace {

using ::testing::ElementsAre;

// "<result>" or "!<death>", by item.
std::vector<std::string> Outcomes(const ApartWork& work) {
  std::vector<std::string> outcomes;
  const Status status = RunApart(work, [&](std::size_t item, const ApartResult& result) {
    EXPECT_EQ(item, outcomes.size());
    outcomes.push_back(result.death.empty() ? result.result : "!" + result.death);
    return Status();
  });
  EXPECT_TRUE(status.ok()) << status.message();
  return outcomes;
}

constexpr std::chrono::seconds kPlenty(60);

TEST(RunApart, ItemsAreDoneInOrderEachOnce) {
  const ApartWork work{4, [](std::size_t i) { return std::to_string(i * i); }, kPlenty};
  EXPECT_THAT(Outcomes(work), ElementsAre("0", "1", "4", "9"));
  EXPECT_THAT(Outcomes({0, work.work, kPlenty}), ElementsAre());
}

TEST(RunApart, ADeathCostsOneItem) {
  const auto work = [](std::size_t i) -> std::string {
    if (i == 1) raise(SIGKILL);
    if (i == 3) _exit(7);
    return "done";
  };
  EXPECT_THAT(Outcomes({5, work, kPlenty}),
              ElementsAre("done", "!killed by signal 9", "done", "!exit code 7", "done"));
}

TEST(RunApart, AHangIsEnded) {
  const auto hang = [](std::size_t) -> std::string {
    while (true) pause();
  };
  EXPECT_THAT(Outcomes({1, hang, std::chrono::seconds(1)}), ElementsAre("!no answer in 1 s"));
}

TEST(RunApart, LongResultsComeWhole) {
  const std::string longest(3'000'000, 'x');
  EXPECT_THAT(Outcomes({2, [&](std::size_t) { return longest; }, kPlenty}),
              ElementsAre(longest, longest));
}

TEST(RunApart, AFailureOfTakeEndsTheRun) {
  int taken = 0;
  const Status status =
      RunApart({3, [](std::size_t) { return "x"; }, kPlenty}, [&](std::size_t, const ApartResult&) {
        ++taken;
        return Status(Code::kInternal, "full");
      });
  EXPECT_EQ(status.message(), "full");
  EXPECT_EQ(taken, 1);
}

}  // namespace
}  // namespace espalier
