// What states cost that wait for the model: memory, threads, and how deep they may recurse.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/frontend_lang/program_run.h"

namespace espalier::program {
namespace {

constexpr std::int64_t kMostIdleBytes = 64 << 10;

std::int64_t ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  std::int64_t all_pages = 0, resident_pages = 0;
  statm >> all_pages >> resident_pages;
  return resident_pages * ::sysconf(_SC_PAGESIZE);
}

std::ptrdiff_t NumThreads() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

// Rows that are all in flight at once; what the process has at the first and the last gen.
struct InFlight {
  std::int64_t first_bytes = 0, last_bytes = 0;
  std::ptrdiff_t num_new_threads = 0;
  std::size_t most_unfinished = 0;
  std::string returned;
};
InFlight RunRows(const std::string& program, std::size_t num_rows) {
  InFlight in_flight;
  std::size_t num_gens = 0;
  const std::ptrdiff_t num_threads = NumThreads();
  const Ran ran = RunText(program, {.answer = [&](const GenCall&) {
                            if (++num_gens == 1) in_flight.first_bytes = ResidentBytes();
                            if (num_gens == num_rows) {
                              in_flight.last_bytes = ResidentBytes();
                              in_flight.num_new_threads = NumThreads() - num_threads;
                            }
                            return Says("ok");
                          }});
  EXPECT_TRUE(ran.result.status.ok()) << ran.result.traceback;
  in_flight.most_unfinished = ran.log.most_unfinished;
  in_flight.returned = ran.result.return_text;
  return in_flight;
}

TEST(IdleStatesTest, TenThousandInFlightAreSmallAndNeedNoThreads) {
  constexpr std::size_t kNumRows = 10'000;
  const InFlight in_flight = RunRows(R"(
@sgl.function
def f(s, i):
    s += f"Question {i}: " + sgl.gen("a", stop=".")
    if s["a"] == "ok":
        s += sgl.user("and then?") + sgl.assistant(sgl.gen("b"))
    return s["b"]
def main():
    states = f.run_batch([{"i": i} for i in range(10_000)], num_threads=10_000)
    return sum(state.ret_value == "ok" for state in states)
)",
                                     kNumRows);
  EXPECT_EQ(in_flight.returned, "10000");
  EXPECT_EQ(in_flight.most_unfinished, kNumRows);
  EXPECT_EQ(in_flight.num_new_threads, 0);
#if !defined(__SANITIZE_ADDRESS__)
  EXPECT_LT((in_flight.last_bytes - in_flight.first_bytes) / static_cast<std::int64_t>(kNumRows),
            kMostIdleBytes);
#endif
}

TEST(IdleStatesTest, ForksWithoutAGenCostNoFiber) {
  const Ran ran = RunText(R"(
@sgl.function
def f(s):
    s += "x" * 100_000
    forks = s.fork(10_000)
    forks[7_777] += sgl.gen("a")
    return forks[7_777]["a"]
def main(): return f.run().ret_value
)");
  EXPECT_EQ(ran.result.return_text, "<0>") << ran.result.traceback;
}

// The frames of a script are on the heap: a thousand of them fit a fiber's small stack.
TEST(IdleStatesTest, StatesRecurseToDepthOneThousand) {
  const InFlight in_flight = RunRows(R"(
def down(s, depth):
    if depth == 0:
        s += sgl.gen("a")
        return s["a"]
    return down(s, depth - 1)
@sgl.function
def f(s, i):
    return down(s, 990)
def main():
    states = f.run_batch([{"i": i} for i in range(50)], num_threads=50)
    return [state.ret_value for state in states] == ["ok"] * 50
)",
                                     50);
  EXPECT_EQ(in_flight.returned, "True");
  EXPECT_EQ(in_flight.most_unfinished, 50u);
}

TEST(IdleStatesTest, DeeperThanThatIsAnErrorOfThatState) {
  const Ran ran = RunText(R"(
def down(s, depth): return down(s, depth + 1)
@sgl.function
def f(s, i): return down(s, 0) if i == 1 else "fine"
def main():
    good, bad = f.run_batch([{"i": 0}, {"i": 1}])
    return good.ret_value, str(bad.error())[:33]
)");
  EXPECT_NE(ran.result.return_text.find("'fine'"), std::string::npos) << ran.result.traceback;
  EXPECT_NE(ran.result.return_text.find("depth"), std::string::npos) << ran.result.return_text;
}

}  // namespace
}  // namespace espalier::program
