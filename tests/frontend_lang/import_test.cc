// Programs that import what lies beside them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/frontend_lang/program_run.h"
#include "tests/support/scratch_folder.h"

namespace espalier::program {
namespace {

class ImportTest : public testing::Test {
 protected:
  ImportTest() { std::filesystem::create_directories(folder_ / "pack"); }

  void Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
  }
  Ran Run(const std::string& text) {
    Scenario scenario;
    scenario.options.module_folder = folder_.path();
    return RunText(text, scenario);
  }

  const test::ScratchFolder folder_;
};

TEST_F(ImportTest, AModuleRunsOnceAndKeepsItsOwnGlobals) {
  Write("tools.py",
        "count = 0\ndef add():\n    global count\n    count += 1\n    return count\n"
        "print('loaded', __name__)\n");
  const Ran ran = Run(R"(
import tools
from tools import add, count
import tools as again
count = 100
print(add(), add(), tools.count, count, again is tools)
tools.count = 7
print(add())
)");
  EXPECT_TRUE(ran.result.status.ok()) << ran.result.traceback;
  EXPECT_EQ(ran.output, "loaded tools\n1 2 2 100 True\n8\n");
}

TEST_F(ImportTest, PackagesAndClassesOfModules) {
  Write("pack/__init__.py", "base = 1\n");
  Write("pack/part.sgl", "class P:\n    pass\ndef f():\n    raise ValueError('deep')\n");
  const Ran ran = Run(R"(
import pack.part
from pack.part import P
import pack
print(P, pack.base, pack.part is not None)
pack.part.f()
)");
  EXPECT_EQ(ran.output, "<class 'pack.part.P'> 1 True\n") << ran.result.traceback;
  EXPECT_NE(ran.result.traceback.find("pack/part.sgl\", line 4, in f"), std::string::npos)
      << ran.result.traceback;
}

TEST_F(ImportTest, ErrorsOfAModuleAreTheImports) {
  Write("broken.py", "x = (1,\n");
  Write("fails.py", "1 / 0\n");
  const Ran ran = Run(R"(
for name in ("a", "b"):
    try:
        if name == "a":
            import broken
        else:
            import fails
    except (SyntaxError, ZeroDivisionError) as error:
        print(type(error).__name__)
try:
    from fails import x
except ZeroDivisionError:
    print("again")
)");
  EXPECT_EQ(ran.output, "SyntaxError\nZeroDivisionError\nagain\n") << ran.result.traceback;
}

TEST_F(ImportTest, NothingOutsideTheFolderIsFound) {
  const test::ScratchFolder outside;
  std::ofstream(outside / "outside_module.py") << "x = 1\n";
  std::filesystem::create_symlink(outside / "outside_module.py", folder_ / "linked.py");
  const Ran ran = Run("import linked\n");
  EXPECT_NE(ran.result.status.message().find("No module named 'linked'"), std::string::npos)
      << ran.result.status.message();
  const Ran without = RunText("import outside_module\n");
  EXPECT_NE(without.result.status.message().find("No module named"), std::string::npos);
}

TEST_F(ImportTest, TheLanguagesOwnPartsAreHidden) {
  const Ran ran = Run("import _machine\n");
  EXPECT_NE(ran.result.status.message().find("No module named '_machine'"), std::string::npos);
}

}  // namespace
}  // namespace espalier::program
