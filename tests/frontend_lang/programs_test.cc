// The small programs of tests/frontend_lang/programs print what CPython prints; what the
// language refuses is refused by name, and its limits hold.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/frontend_lang/program_run.h"
#include "tests/frontend_lang/program_sections.h"
#include "tests/frontend_lang/script_run.h"

namespace espalier::script {
namespace {

// Threads run beside each other where a program has fibers.
ScriptRun RunAsItNeeds(const std::filesystem::path& path, const std::string& text) {
  if (path.stem() != "threads") return RunScript(text);
  const program::Ran ran = program::RunText(text);
  return {ran.output, ran.result.traceback};
}

TEST(ProgramsTest, PrintWhatCPythonPrints) {
  const auto folder = std::filesystem::path(__FILE__).parent_path() / "programs";
  std::size_t num_programs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::filesystem::path path = entry.path();
    if (path.extension() != ".py") continue;
    const auto programs = Sections(path);
    const auto outputs = Sections(path.replace_extension(".out"));
    ASSERT_EQ(programs.size(), outputs.size()) << path;
    for (std::size_t i = 0; i < programs.size(); ++i) {
      const ScriptRun run = RunAsItNeeds(path, programs[i]);
      EXPECT_EQ(run.output, outputs[i]) << path << "\n" << programs[i];
      EXPECT_EQ(run.error, "") << path << "\n" << programs[i];
    }
    num_programs += programs.size();
  }
  EXPECT_GE(num_programs, 270u);
}

struct Golden {
  std::string program, error;
};

TEST(ProgramsTest, CompileErrorsPointAtTheName) {
  const std::vector<Golden> goldens = {
      {"x.__class__", "the attribute __class__ is not in the language"},
      {"def f():\n  nonlocal x", "no binding for nonlocal 'x' found"},
      {"def f(x):\n  global x", "name 'x' is parameter and global"},
      {"def f(x, x): pass", "duplicate argument 'x' in function definition"},
      {"yield 1", "'yield' outside function"},
      {"x.__dict__", "the attribute __dict__ is not in the language"},
      {"class A:\n  def __getattribute__(self, n): pass",
       "the method __getattribute__ is not in the language"},
      {"for x in y:\n  try: pass\n  except* A: break",
       "'break', 'continue' and 'return' cannot appear in an except* block"},
      {"class A:\n  yield 1", "'yield' outside function"},
  };
  for (const Golden& golden : goldens) {
    const std::string error = RunScript(golden.program).error;
    EXPECT_NE(error.find(golden.error), std::string::npos) << golden.program << "\n" << error;
    EXPECT_NE(error.find('^'), std::string::npos) << error;
  }
}

TEST(ProgramsTest, ALiteralOfMoreDigitsThanTextMayHaveIsRefused) {
  EXPECT_EQ(RunScript("x = 1" + std::string(4299, '0')).error, "");
  EXPECT_NE(RunScript("x = 1" + std::string(4300, '0')).error.find("Exceeds the limit (4300"),
            std::string::npos);
  EXPECT_EQ(RunScript("x = 0x1" + std::string(5000, '0')).error, "");
}

TEST(ProgramsTest, ProgramsCannotReachOutOfTheLanguage) {
  for (const std::string program :
       {"getattr('', '__class__')", "open('/etc/passwd')", "eval('1')", "exec('1')",
        "__import__('os')", "globals()", "'{0.__class__}'.format(1)", "import subprocess"}) {
    EXPECT_NE(RunScript(program).error, "") << program;
  }
}

TEST(ProgramsTest, LimitsCannotBeCaught) {
  MachineOptions options;
  options.limits.max_steps = 50'000;
  options.limits.max_bytes = 32 << 20;
  for (const std::string program :
       {"while True: pass",
        "while True:\n  try:\n    while True: pass\n  except BaseException: pass",
        "x = []\nwhile True: x.append('a' * 1000)", "x = 'a'\nwhile True: x += x", "[0] * 10 ** 12",
        "'a' * 10 ** 12", "sum(range(10 ** 15))", "list(range(10 ** 12))",
        "x = [1]\nfor i in x: x.append(i)", "def g():\n  while True: yield 1\nsorted(g())"}) {
    EXPECT_EQ(RunScript(program, options).error.substr(0, 7), "limit: ") << program;
  }
}

TEST(ProgramsTest, DeepNestsEndInAnErrorNotACrash) {
  for (const std::string program :
       {"def f(): f()\nf()", "def f(x): return sorted([1, 2], key=lambda v: f(v))\nf(1)",
        "def g(n):\n  yield from g(n + 1)\nlist(g(0))",
        "async def f():\n  await f()\nimport asyncio\nasyncio.run(f())",
        "x = []\nfor i in range(10000): x = [x]\nprint(x)",
        "x = []\nfor i in range(10000): x = [x]\nx == [x]"}) {
    EXPECT_NE(RunScript(program).error.find("RecursionError"), std::string::npos) << program;
  }
  EXPECT_EQ(RunScript("x = []\nfor i in range(100000): x = [x]\ndel x").error, "");
}

}  // namespace
}  // namespace espalier::script
