// The command line: the one table of subcommands, and what runs one of them.
//
// A command is declared in its own file by a function that adds its flags to a
// CLI11 parser and returns the body to run once they are parsed. Only the chosen
// command's flags are ever declared.
//
// Exit codes (a contract with scripts):
//   0    done
//   1    it ran and failed
//   2    the input is wrong: a flag, a file, a schema, a model
//   130  interrupted
//
// Thread safety: main thread only.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "kernels/base/status.h"

namespace espalier {

enum class ExitCode : int { kDone = 0, kFailed = 1, kBadInput = 2, kInterrupted = 130 };

// What an error with this code makes of the process.
ExitCode ExitCodeOf(Code code);

// Runs after parsing. A non-ok status is printed as the one error line.
using CommandBody = std::function<Result<ExitCode>()>;

// A row of the table.
struct Command {
  std::string_view name;     // one word or two: "generate", "inspect tokens"
  std::string_view summary;  // one line, for the list of commands
  std::string_view example;  // works as it stands
  CommandBody (*declare)(CLI::App& app);
};
std::span<const Command> Commands();

// Each in the file of its name; the rows of the table.
CommandBody DeclareInspectLogits(CLI::App& app);
CommandBody DeclareInspectModel(CLI::App& app);

// Runs `args` (without the program's name) and returns the exit code. Prints to
// stdout and stderr.
ExitCode RunCommandLine(const std::vector<std::string>& args);

}  // namespace espalier
