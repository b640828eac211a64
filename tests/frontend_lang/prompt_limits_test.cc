// Prompts under limits: what they occupy counts, and forks of forks nest no stack.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "frontend_lang/program/runner.h"
#include "tests/frontend_lang/fake_backend.h"

namespace espalier::program {
namespace {

// A gen gives "<0>", or fails with `code`.
CallResult RunText(const std::string& text, Code code) {
  auto program = LoadProgram("p.sgl", text);
  if (!program.ok()) return {.status = program.status()};
  FakeLog log;
  RunOptions options;
  options.limits.max_memory_mib = 64;
  options.make_backend = [&]() -> Result<std::unique_ptr<Backend>> {
    auto backend = std::make_unique<FakeBackend>(log);
    if (code != Code::kOk) {
      backend->answer = [code](const GenCall&) {
        CallEvent event;
        event.status = Status(code, "gone");
        return event;
      };
    }
    return std::unique_ptr<Backend>(std::move(backend));
  };
  return RunProgram(*program, options, {})[0];
}

TEST(PromptLimitsTest, ForksOfForksWithoutEndNestNoStack) {
  const std::string chain = R"(
@sgl.function
def f(s):
    s += sgl.gen("x")
    t = s
    for i in range(20000):
        t = t.fork(1)[0]
    return t.text()
def main(): return f.run().ret_value
)";
  EXPECT_EQ(RunText(chain, Code::kOk).return_text, "<0>");
  const CallResult failed = RunText(chain, Code::kOverloaded);
  EXPECT_EQ(failed.status.message(), "RuntimeError: gen \"x\" failed: gone");
}

// The texts of prompts count as the program's memory, wherever they wait.
TEST(PromptLimitsTest, TheMemoryLimitCountsPrompts) {
  const std::string head = "@sgl.function\ndef f(s):\n    s += 'x' * 1000\n";
  const std::vector<std::string> growing = {
      head + "    while True: s += 'x' * 1000\nf.run()",
      head + "    while True: s.fork(100)\nf.run()",
      head + "    s += 'x' * 10**7 + sgl.gen('g')\n    [t.text() for t in s.fork(1000)]\nf.run()",
      head + "    s += sgl.gen('g')\n    while True: s += 'x' * 1000\nf.run()",
      head + "    while True: s += sgl.user('x' * 1000)\nf.run()",
      head + "while True: f.run()",
      head + "    for i in range(10**9): s.set_var(str(i), 1)\nf.run()",
      "e = sgl.user('x' * 1000)\nwhile True: e = e + e",
  };
  for (const std::string& text : growing) {
    const CallResult result = RunText(text, Code::kOk);
    EXPECT_EQ(result.status.code(), Code::kLimit) << text;
    EXPECT_EQ(result.status.message(), "the memory limit of 64 MiB is reached") << text;
  }
}

// A fork copies no text: a thousand of them of 10 MB fit into 64 MiB.
TEST(PromptLimitsTest, ForksShareTheirText) {
  const std::string program = R"(
@sgl.function
def f(s):
    s += 'x' * 10**7
    forks = s.fork(1000)
    forks += lambda i: sgl.gen("x") if i == 7 else sgl.user("u")
    return forks[7]["x"], len(forks)
def main(): return f.run().ret_value
)";
  EXPECT_EQ(RunText(program, Code::kOk).return_text, "('<0>', 1000)");
}

}  // namespace
}  // namespace espalier::program
