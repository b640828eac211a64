// What goes wrong in one place stays there: errors of a gen, of a fork, of a row, of a value
// that is given back.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/frontend_lang/program_run.h"

namespace espalier::program {
namespace {

TEST(ProgramFaultsTest, AForkThatIsNamedByItsNumberGoesOn) {
  const Ran ran = RunText(R"(
@sgl.function
def f(s):
    s += "P"
    forks = s.fork(2)
    for i in range(2):
        forks[i] += f"[{i}]" + sgl.gen("x")
    forks[-1] += "!"
    print(forks[0].text(), forks[1], str(forks[1]), f"{forks[0]}")
    for wrong in [forks[0], s, "text"]:
        try: forks[1] = wrong
        except AssertionError as e: print("AssertionError", e)
    try: forks[2] += "x"
    except IndexError as e: print("IndexError", e)
f.run()
)");
  EXPECT_EQ(ran.output,
            "P[0]<0> ProgramState(P[1]<1>!) ProgramState(P[1]<1>!) ProgramState(P[0]<0>)\n"
            "AssertionError \nAssertionError \nAssertionError \n"
            "IndexError list index out of range\n")
      << ran.result.traceback;
}

TEST(ProgramFaultsTest, ALimitOfTheBackendIsAnErrorOfItsGen) {
  Scenario scenario;
  scenario.answer = [](const GenCall& call) {
    return call.prompt == "1" ? Fails(Code::kLimit, "the prompt is too long") : Says("ok");
  };
  const std::string program = R"(
@sgl.function
def f(s, i):
    s += str(i) + sgl.gen("x")
    return s["x"]
)";
  const Ran ran = RunText(program + R"(
try: f.run(i=1)
except RuntimeError as e: print("caught", e)
for st in f.run_batch([{"i": i} for i in range(3)]):
    print(st["x"] if st.error() is None else repr(st.error()))
)",
                          scenario);
  EXPECT_EQ(ran.output,
            "caught gen \"x\" failed: the prompt is too long\nok\n"
            "RuntimeError('gen \"x\" failed: the prompt is too long')\nok\n")
      << ran.result.traceback;
  scenario.options.entry = "f";
  scenario.calls = {{{"i", "0"}}, {{"i", "1"}}, {{"i", "2"}}};
  const Ran rows = RunText(program, scenario);
  EXPECT_EQ(rows.all[0].returned, "ok");
  EXPECT_EQ(rows.all[1].status.code(), Code::kLimit);
  EXPECT_EQ(rows.all[2].returned, "ok");
}

TEST(ProgramFaultsTest, ARowAfterALimitFailsToo) {
  Scenario scenario;
  scenario.options.limits.max_steps = 10'000;
  scenario.calls = {{{"n", "1"}}, {{"n", "2"}}, {{"n", "3"}}};
  const Ran ran =
      RunText("def main(n):\n  if n == 2:\n    while True: pass\n  return [n]\n", scenario);
  EXPECT_EQ(ran.all[0].returned.dump(), "[1]");
  for (const std::size_t row : {1u, 2u}) {
    EXPECT_EQ(ran.all[row].status.code(), Code::kLimit) << row;
    EXPECT_TRUE(ran.all[row].returned.is_null()) << row;
  }
}

TEST(ProgramFaultsTest, AValueThatCannotBeToldIsAnError) {
  const Ran ran =
      RunText("class A:\n  def __repr__(self): raise ValueError('no')\ndef main(): return A()\n");
  EXPECT_EQ(ran.result.status.message(), "ValueError: no");
  EXPECT_TRUE(ran.result.raised);
  const Ran inside = RunText(
      "class A:\n  def __repr__(self): raise ValueError('no')\n  def __str__(self): return 'a'\n"
      "class B(list):\n  def __str__(self): return 'b'\n"
      "def main():\n  return {'x': [A()]}\n");
  EXPECT_EQ(inside.result.status.message(), "ValueError: no");
}

TEST(ProgramFaultsTest, WhatHasNoJsonFormIsItsRepr) {
  const auto json = [](const std::string& body) {
    const Ran ran = RunText("def main():\n  " + body + "\n");
    EXPECT_TRUE(ran.result.status.ok()) << ran.result.traceback;
    return ran.result.returned.dump();
  };
  EXPECT_EQ(json("return {1: (None, True, 2.5), 'k': float('nan'), 's': {3}}"),
            R"({"1":[null,true,2.5],"k":"nan","s":"{3}"})");
  EXPECT_EQ(json("a = [1]; a.append(a); return a"), R"([1,"[1, [...]]"])");
  EXPECT_EQ(json("a = []\n  for i in range(101): a = [a]\n  return a"),
            std::string(100, '[') + "\"[[]]\"" + std::string(100, ']'));
  EXPECT_EQ(RunText("def main(): return None").result.variables.dump(), "{}");
}

TEST(ProgramFaultsTest, AValueThatHoldsOneListManyTimesEndsAtALimit) {
  Scenario scenario;
  scenario.options.limits.max_memory_mib = 16;
  const Ran ran = RunText(
      "def main():\n  a = [1]\n  for i in range(60): a = [a, a]\n  return {'a': a}\n", scenario);
  EXPECT_EQ(ran.result.status.code(), Code::kLimit);
  scenario.options.limits = {.max_steps = 100'000};
  scenario.options.entry = "f";
  const Ran state = RunText(
      "@sgl.function\ndef f(s):\n  a = [1]\n  for i in range(60): a = [a, a]\n  s['x'] = a\n",
      scenario);
  EXPECT_EQ(state.result.status.code(), Code::kLimit);
}

TEST(ProgramFaultsTest, EachCallHasItsOwnUsage) {
  Scenario scenario;
  scenario.calls = {{{"n", "1"}}, {{"n", "2"}}, {{"n", "0"}}};
  const Ran ran = RunText(R"(
@sgl.function
def f(s, n):
    forks = s.fork(n)
    for fork in forks: fork += sgl.gen("x")
    forks.join()
f.run(n=3)
def main(n):
    if n: f.run_batch([{"n": n}])
)",
                          scenario);
  std::vector<std::int64_t> used;
  for (const CallResult& result : ran.all) used.push_back(result.usage.completion_tokens);
  EXPECT_EQ(used, (std::vector<std::int64_t>{2 * (3 + 1), 2 * 2, 0}));
}

TEST(ProgramFaultsTest, ARunWhoseOutputNobodyTakesStops) {
  Scenario scenario;
  scenario.print_fails = true;
  const Ran ran =
      RunText("while True:\n  try: print('x')\n  except BaseException: pass\n", scenario);
  EXPECT_EQ(ran.result.status.code(), Code::kLimit);
  EXPECT_EQ(ran.output, "x\n");
  const Ran rows = RunText(R"(
@sgl.function
def f(s, i):
    s += sgl.gen("x")
    print(s["x"])
f.run_batch([{"i": i} for i in range(9)])
)",
                           scenario);
  EXPECT_EQ(rows.output, "<0>\n");
}

TEST(ProgramFaultsTest, NumThreadsIsANumberOrAuto) {
  const std::string begin = "@sgl.function\ndef f(s): s += 'x'\n";
  for (const std::string good : {"4", "'auto'", "None"}) {
    EXPECT_TRUE(RunText(begin + "f.run_batch([{}], num_threads=" + good + ")").result.status.ok());
  }
  for (const std::string bad : {"'x'", "2.5", "0", "-1"}) {
    EXPECT_EQ(RunText(begin + "f.run_batch([{}], num_threads=" + bad + ")").result.status.message(),
              "ValueError: num_threads must be a positive int, or \"auto\"");
  }
}

TEST(ProgramFaultsTest, TheTypeOfAnErrorIsKnownWithoutItsModule) {
  const Ran ran = RunText(R"(
try: sgl.gen("x", json_schema="{")
except ValueError as e: print(type(e).__name__, isinstance(e, type(e)))
)");
  EXPECT_EQ(ran.output, "JSONDecodeError True\n") << ran.result.traceback;
}

// The template needs about as much stack as a fiber has, and the state is run from deep
// within one.
TEST(ProgramFaultsTest, ATemplateRendersFromDeepWithinAProgram) {
  Scenario scenario;
  scenario.chat.chat_template = "{% for m in messages %}{{ " + std::string(48, '(') + "m.content" +
                                std::string(48, ')') + " }}{% endfor %}";
  const Ran ran = RunText(R"(
@sgl.function
def f(s):
    s += sgl.user("hi")
def deep(n):
    if n == 0:
        print(f.run().text())
        return 0
    return sorted([0], key=lambda _: deep(n - 1))[0]
deep(95)
)",
                          scenario);
  EXPECT_EQ(ran.output, "hi\n") << ran.result.traceback;
}

TEST(ProgramFaultsTest, TheLastWordOfAnExitIsItsMessage) {
  EXPECT_EQ(RunText("import sys\nsys.exit('bye')").result.status.message(), "SystemExit: bye");
  EXPECT_EQ(RunText("import sys\nsys.exit(3)").result.status.message(), "SystemExit: 3");
}

}  // namespace
}  // namespace espalier::program
