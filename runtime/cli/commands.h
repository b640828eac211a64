// The command line: the one table of subcommands, and what runs one of them.
//
// A command is declared in its own file by a function that adds its flags to a
// CLI11 parser and returns the body to run once they are parsed. Only the chosen
// command's flags are ever declared.
//
// Thread safety: main thread only.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/status.h"
#include "runtime/cli/exit_code.h"

namespace CLI {
class App;
}

namespace espalier {

// Runs after parsing. A non-ok status is printed as the one error line.
using CommandBody = std::function<Result<ExitCode>()>;

// A row of the table.
struct Command {
  std::string_view name;     // one word or two: "generate", "inspect tokens"
  std::string_view summary;  // one line, for the list of commands
  std::string_view example;  // works as it stands
  CommandBody (*declare)(CLI::App& app);
};

// The rows' functions, each in the file of its name.
CommandBody DeclareBenchEngine(CLI::App& app);
CommandBody DeclareBenchMasks(CLI::App& app);
CommandBody DeclareBenchPrograms(CLI::App& app);
CommandBody DeclareBenchSchemas(CLI::App& app);
CommandBody DeclareChat(CLI::App& app);
CommandBody DeclareGenerate(CLI::App& app);
CommandBody DeclareInspectChat(CLI::App& app);
CommandBody DeclareInspectLogits(CLI::App& app);
CommandBody DeclareInspectMatch(CLI::App& app);
CommandBody DeclareInspectModel(CLI::App& app);
CommandBody DeclareInspectSchema(CLI::App& app);
CommandBody DeclareInspectTokens(CLI::App& app);
CommandBody DeclareInspectTree(CLI::App& app);
CommandBody DeclareRun(CLI::App& app);
CommandBody DeclareServe(CLI::App& app);

// Runs `arguments` (without the program's name) and returns the exit code. Prints to
// stdout and stderr.
ExitCode RunCommandLine(const std::vector<std::string>& arguments);

}  // namespace espalier
