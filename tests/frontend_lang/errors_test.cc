// The programs of tests/frontend_lang/errors end with the errors that CPython gives them:
// whole tracebacks, and of what is no program the line and the message.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/frontend_lang/program_sections.h"
#include "tests/frontend_lang/script_run.h"

namespace espalier::script {
namespace {

// "line 3: SyntaxError: ..." of a problem with its excerpt; a traceback as it is.
std::string Shortened(const std::string& error) {
  if (!error.starts_with("  File \"p.sgl\", line ")) return error;
  const std::size_t line = error.find("line ");
  const std::size_t last = error.rfind('\n', error.size() - 2) + 1;
  return error.substr(line, error.find(',', line) - line) + ": " + error.substr(last);
}

TEST(ErrorsTest, AreThoseOfCPython) {
  const auto folder = std::filesystem::path(__FILE__).parent_path() / "errors";
  std::size_t num_programs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::filesystem::path path = entry.path();
    if (path.extension() != ".py") continue;
    const auto programs = Sections(path);
    const auto errors = Sections(path.replace_extension(".err"));
    ASSERT_EQ(programs.size(), errors.size()) << path;
    for (std::size_t i = 0; i < programs.size(); ++i) {
      EXPECT_EQ(Shortened(RunScript(programs[i]).error), errors[i]) << path << "\n" << programs[i];
    }
    num_programs += programs.size();
  }
  EXPECT_GE(num_programs, 400u);
}

TEST(ErrorsTest, SayWhatTheLanguageHas) {
  const std::string error = RunScript("import nump").error;
  EXPECT_NE(error.find("ModuleNotFoundError: No module named 'nump'; the language has: "),
            std::string::npos)
      << error;
  EXPECT_EQ(RunScript("try: import nump\nexcept ImportError as e: print(e)").output,
            "No module named 'nump'\n");
}

}  // namespace
}  // namespace espalier::script
