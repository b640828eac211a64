#include "runtime/cli/bench/bench_run.h"

#include <gtest/gtest.h>

#include <string>

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

BenchRun RunOf(const BenchWorkload& workload) {
  BenchRun run{.workload = workload, .variant = "espalier", .num_programs = 2, .scale = 0.1};
  run.flags.local.model = "tiny";
  run.flags.local.threads = 1;
  run.flags.local.kv_cache_tokens = 1 << 16;
  run.flags.log_level = "error";
  return run;
}

BenchRun SimulatedRunOf(const BenchWorkload& workload) {
  BenchRun run = RunOf(workload);
  run.machine = FindSimulatedMachine("cpu");
  return run;
}

Json Must(const BenchRun& run) {
  const Result<Json> row = run.Run();
  EXPECT_TRUE(row.ok()) << run.workload.name << ": " << row.status().message();
  return row.ok() ? *row : Json();
}

TEST(BenchRunTest, EveryWorkloadRunsOnARealModel) {
  for (const BenchWorkload& workload : BenchWorkloads()) {
    const Json row = Must(RunOf(workload));
    EXPECT_GT(row.value("prompt_tokens", 0), 0) << workload.name;
    EXPECT_GT(row["first_token_s"].value("p50", 0.0), 0) << workload.name;
    // Rows of one step may share the last token too, which the optimum counts for each.
    EXPECT_LE(row.value("hit_rate", 1.0), row.value("optimal_hit_rate", 0.0) + 0.02)
        << workload.name;
  }
}

TEST(BenchRunTest, ASimulatedRunRepeatsToTheLastDigit) {
  for (const BenchWorkload& workload : BenchWorkloads()) {
    Json first = Must(SimulatedRunOf(workload));
    Json second = Must(SimulatedRunOf(workload));
    for (const char* real : {"radix_seconds", "total_seconds"}) {
      first.erase(real);
      second.erase(real);
    }
    EXPECT_EQ(first, second) << workload.name;
    EXPECT_GT(first.value("simulated_seconds", 0.0), 0) << workload.name;
  }
}

TEST(BenchRunTest, WithoutThePrefixCacheASimulatedRunTakesLonger) {
  BenchRun run = SimulatedRunOf(*FindBenchWorkload("few-shot"));
  run.num_programs = 16;
  const Json with = Must(run);
  run.flags.local.no_prefix_cache = true;
  const Json without = Must(run);
  EXPECT_GT(with.value("programs_per_s", 0.0), 2 * without.value("programs_per_s", 0.0));
  EXPECT_EQ(without.value("hit_rate", 1.0), 0);
}

TEST(BenchRunTest, WholePrefixesAreCountedWhereTheWorkloadHasThem) {
  const Json row = Must(SimulatedRunOf(*FindBenchWorkload("shared-prefix")));
  EXPECT_TRUE(row.contains("whole_prefix_rate"));
  EXPECT_FALSE(Must(SimulatedRunOf(*FindBenchWorkload("rag"))).contains("whole_prefix_rate"));
}

}  // namespace
}  // namespace espalier
