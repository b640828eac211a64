#include "runtime/server/run_registry.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

using Time = RunRegistry::Time;
using std::chrono::seconds;

class RunRegistryTest : public testing::Test {
 protected:
  RunRegistry::RunId Add(std::string id, std::optional<int> deadline_s = std::nullopt) {
    RunRegistry::Run run{.id = id, .num_outputs = 2};
    if (deadline_s) run.deadline = Time(seconds(*deadline_s));
    run.cancel = [this, id] { cancelled_.push_back(id); };
    return runs_.Add(std::move(run));
  }

  using Ids = std::vector<std::string>;
  RunRegistry runs_;
  Ids cancelled_;
};

TEST_F(RunRegistryTest, AbortTakesAllThatBeginSoAndEachOnce) {
  Add("a1");
  Add("b");
  Add("a2");
  EXPECT_EQ(runs_.Abort("a"), 2);
  EXPECT_EQ(runs_.Abort("a"), 0);
  EXPECT_EQ(runs_.Abort(""), 1);
  EXPECT_EQ(cancelled_, (Ids{"a1", "a2", "b"}));
  EXPECT_EQ(runs_.size(), 3u);
}

TEST_F(RunRegistryTest, WhatIsOverdueIsCancelledInOrder) {
  Add("late", 9);
  Add("never");
  Add("soon", 5);
  EXPECT_EQ(runs_.next_deadline(), Time(seconds(5)));
  runs_.CancelOverdue(Time(seconds(4)));
  EXPECT_TRUE(cancelled_.empty());
  runs_.CancelOverdue(Time(seconds(5)));
  EXPECT_EQ(cancelled_, (Ids{"soon"}));
  EXPECT_EQ(runs_.next_deadline(), Time(seconds(9)));
  runs_.CancelOverdue(Time(seconds(100)));
  EXPECT_EQ(cancelled_, (Ids{"soon", "late"}));
  EXPECT_FALSE(runs_.next_deadline());
}

TEST_F(RunRegistryTest, WhatHasEndedIsForgotten) {
  const auto run = Add("a", 1);
  Add("b", 2);
  EXPECT_EQ(runs_.num_outputs(), 4u);
  runs_.Remove(run);
  runs_.Remove(run);
  EXPECT_EQ(runs_.num_outputs(), 2u);
  EXPECT_EQ(runs_.next_deadline(), Time(seconds(2)));
  runs_.CancelOverdue(Time(seconds(3)));
  EXPECT_EQ(cancelled_, (Ids{"b"}));
}

TEST_F(RunRegistryTest, ACancelMayRemoveAndAddRuns) {
  RunRegistry::RunId first = 0;
  first = runs_.Add({.id = "x", .cancel = [&] {
                       runs_.Remove(first);
                       Add("y");
                     }});
  EXPECT_EQ(runs_.Abort(""), 1);
  EXPECT_EQ(runs_.size(), 1u);
  EXPECT_EQ(runs_.Abort("y"), 1);
}

}  // namespace
}  // namespace espalier
