// Programs that wait: for a backend that never answers, for times, for each other.
#include <gtest/gtest.h>

#include <string>

#include "frontend_lang/sgl.h"
#include "tests/frontend_lang/program_run.h"

namespace espalier::program {
namespace {

Scenario Hanging(std::int64_t timeout_ms) {
  Scenario scenario;
  scenario.hangs = true;
  scenario.options.limits.timeout_ms = timeout_ms;
  return scenario;
}

TEST(WaitsTest, TheTimeLimitEndsAProgramThatWaitsForTheBackendAndNamesTheLine) {
  const Ran ran = RunText(R"(
@sgl.function
def f(s):
    s += "A" + sgl.gen("x")
st = f.run()
print("started")
print(st["x"])
)",
                          Hanging(30));
  EXPECT_EQ(ran.output, "started\n");
  EXPECT_EQ(ran.result.status.code(), Code::kLimit);
  EXPECT_NE(ran.result.traceback.find("line 7"), std::string::npos) << ran.result.traceback;
  EXPECT_NE(ran.result.traceback.find("the time limit of 30 ms"), std::string::npos);
  EXPECT_EQ(ran.log.num_cancelled, 1);
}

TEST(WaitsTest, TheTimeLimitEndsASleepAndNamesTheLine) {
  Scenario scenario;
  scenario.options.limits.timeout_ms = 30;
  const Ran ran = RunText("import time\nprint(1)\ntime.sleep(1000)\nprint(2)\n", scenario);
  EXPECT_EQ(ran.output, "1\n");
  EXPECT_EQ(ran.result.status.code(), Code::kLimit);
  EXPECT_NE(ran.result.traceback.find("line 3"), std::string::npos) << ran.result.traceback;
}

TEST(WaitsTest, ALimitIsNotCaughtByTheProgram) {
  const Ran ran = RunText(R"(
@sgl.function
def f(s):
    s += sgl.gen("x")
try:
    f.run()["x"]
except Exception:
    print("caught")
)",
                          Hanging(20));
  EXPECT_EQ(ran.output, "");
  EXPECT_EQ(ran.result.status.code(), Code::kLimit);
}

TEST(WaitsTest, OtherFibersRunWhileOneSleeps) {
  const Ran ran = RunText(R"(
import threading, time
def tell(name, seconds):
    for i in range(2):
        time.sleep(seconds)
        print(name, i)
threads = [threading.Thread(target=tell, args=pair) for pair in (("a", 0.02), ("b", 0.03))]
for thread in threads: thread.start()
for thread in threads: thread.join()
)");
  EXPECT_TRUE(ran.result.status.ok()) << ran.result.traceback;
  EXPECT_EQ(ran.output, "a 0\nb 0\na 1\nb 1\n");
}

TEST(WaitsTest, AsyncioSleepsTakeNoTimeWhereNothingElseHappens) {
  Scenario scenario;
  scenario.options.limits.timeout_ms = 5000;
  const Ran ran = RunText(R"(
import asyncio, time
async def main():
    start = time.monotonic()
    await asyncio.sleep(3600)
    return time.monotonic() - start >= 3600
print(asyncio.run(main()))
)",
                          scenario);
  EXPECT_EQ(ran.output, "True\n") << ran.result.traceback;
}

TEST(WaitsTest, OtherTasksRunWhileATextStreamWaits) {
  Scenario scenario;
  scenario.increments = 3;
  scenario.answer = [](const GenCall&) { return Says("abc"); };
  const Ran ran = RunText(R"(
import asyncio
@sgl.function
def f(s):
    s += "Q" + sgl.gen("x")
async def read(state):
    async for piece in state.text_async_iter("x"):
        print("piece", piece)
async def tick(done):
    count = 0
    while not done.is_set():
        await asyncio.sleep(0)
        count += 1
    print("ticked", count > 0)
async def main():
    done = asyncio.Event()
    ticking = asyncio.create_task(tick(done))
    await read(f.run(stream=True))
    done.set()
    await ticking
asyncio.run(main())
)",
                          scenario);
  EXPECT_TRUE(ran.result.status.ok()) << ran.result.traceback;
  EXPECT_EQ(ran.output, "piece a\npiece b\npiece c\nticked True\n");
}

TEST(WaitsTest, WaitForGivesUpOnABackendThatHangs) {
  const Ran ran = RunText(R"(
import asyncio
@sgl.function
def f(s):
    s += sgl.gen("x")
async def main():
    try:
        await asyncio.wait_for(asyncio.to_thread(lambda: f.run()["x"]), 0.02)
    except asyncio.TimeoutError:
        print("gave up")
asyncio.run(main())
)",
                          Hanging(400));
  EXPECT_EQ(ran.output, "gave up\n") << ran.result.traceback;
}

TEST(WaitsTest, ModelCallsOfThreadsAreUnderWayTogether) {
  const Ran ran = RunText(R"(
from concurrent.futures import ThreadPoolExecutor
@sgl.function
def f(s, i):
    s += str(i) + sgl.gen("x")
with ThreadPoolExecutor(4) as pool:
    print(list(pool.map(lambda i: f.run(i=i)["x"], range(4))))
)");
  EXPECT_TRUE(ran.result.status.ok()) << ran.result.traceback;
  EXPECT_EQ(ran.output, "['<0>', '<1>', '<2>', '<3>']\n");
  EXPECT_EQ(ran.log.most_unfinished, 4u);
}

TEST(WaitsTest, AProgramThatWaitsForItselfEnds) {
  const Ran ran = RunText("import threading\nthreading.Event().wait()\n");
  EXPECT_EQ(ran.result.status.code(), Code::kLimit);
  EXPECT_NE(ran.result.status.message().find("waits for itself"), std::string::npos);
}

TEST(WaitsTest, TheEmbeddedLanguageHasTheSameTimeLimit) {
  FakeLog log;
  FakeBackend backend(log);
  backend.hangs = true;
  const sgl::Program program("ask", {}, [](sgl::State& s) { s += "A" + sgl::Gen("x"); });
  const sgl::ProgramResult run = program.Call(backend, {}, {.timeout_ms = 30});
  EXPECT_EQ(run.status.code(), Code::kLimit);
}

}  // namespace
}  // namespace espalier::program
