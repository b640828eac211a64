#include "runtime/cli/commands.h"

#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "runtime/cli/flags.h"
#include "runtime/cli/help.h"
#include "runtime/cli/output.h"

namespace espalier {
namespace {

constexpr auto kCommands = std::to_array<Command>({
    {"run", "run a program", "espalier run examples/triage_tickets.sgl", DeclareRun},
    {"chat", "talk to a model in the terminal", "espalier chat --system 'Be brief.'", DeclareChat},
    {"generate", "one prompt, or many from a file",
     "espalier generate --chat 'Name three colours.' --max-tokens 40", DeclareGenerate},
    {"bench engine", "prefill and decode speed",
     "espalier bench engine --batch 1,8 --prompt 128 --output 32", DeclareBenchEngine},
    {"bench masks", "grammars: verdicts and times on schemas with instances",
     "espalier bench masks maskbench --tokenizer tokenizer.json", DeclareBenchMasks},
    {"bench schemas", "grammars: verdicts on the JSON Schema test suite",
     "espalier bench schemas JSON-Schema-Test-Suite --draft 2020-12", DeclareBenchSchemas},
    {"inspect chat", "messages as the model's chat template renders them",
     "echo '{\"messages\": [{\"role\": \"user\", \"content\": \"Hi\"}]}' | "
     "espalier inspect chat --jsonl -",
     DeclareInspectChat},
    {"inspect logits", "the likeliest next tokens at every position of given ids",
     R"(echo '{"name": "x", "ids": [504, 1463]}' | espalier inspect logits --jsonl -)",
     DeclareInspectLogits},
    {"inspect match", "which texts a constraint accepts",
     R"(echo '{"schema": {"type": "integer"}, "instances": ["1", "x"]}' | )"
     "espalier inspect match --jsonl -",
     DeclareInspectMatch},
    {"inspect model", "what a model file holds: shapes, formats, sizes",
     "espalier inspect model model.gguf", DeclareInspectModel},
    {"inspect schema", "what of a JSON schema is enforced, and what is refused",
     "espalier inspect schema schema.json", DeclareInspectSchema},
    {"inspect tokens", "the tokens of a text",
     "espalier inspect tokens --model tiny 'Hello, world'", DeclareInspectTokens},
});

constexpr std::string_view kVersion = "0.1.0";

// Of those whose name begins with `prefix`.
std::string ListOfCommands(std::string_view prefix) {
  std::string list;
  for (const Command& command : kCommands) {
    if (!command.name.starts_with(prefix)) continue;
    list += fmt::format("  {:<16} {}\n", command.name, command.summary);
  }
  return list;
}

std::string GeneralHelp() {
  return fmt::format(
      "Espalier {}: a structured-generation runtime\n\n"
      "usage: espalier COMMAND [FLAGS]\n\n{}\n"
      "'espalier COMMAND --help' shows a command's flags and an example.\n",
      kVersion, ListOfCommands(""));
}

bool IsHelp(std::string_view word) { return word == "--help" || word == "-h" || word == "help"; }

// The help of a group, such as 'inspect --help'; empty if `args` do not ask for one.
std::string GroupHelp(const std::vector<std::string>& args) {
  if (args.size() != 2 || !IsHelp(args[1])) return "";
  const std::string list = ListOfCommands(args[0] + " ");
  if (list.empty()) return "";
  return fmt::format(
      "usage: espalier {} COMMAND [FLAGS]\n\n{}\n"
      "'espalier {} COMMAND --help' shows a command's flags and an example.\n",
      args[0], list, args[0]);
}

// The words of `name` that `args` begins with, or 0 if they differ.
std::size_t WordsMatched(std::string_view name, const std::vector<std::string>& args) {
  const std::size_t space = name.find(' ');
  if (args.empty() || args[0] != name.substr(0, space)) return 0;
  if (space == std::string_view::npos) return 1;
  return args.size() > 1 && args[1] == name.substr(space + 1) ? 2 : 0;
}

struct Choice {
  const Command* command = nullptr;
  std::vector<std::string> flags;  // what follows the command's words
};

Result<Choice> ChooseCommand(const std::vector<std::string>& args) {
  bool is_group = false;
  for (const Command& command : kCommands) {
    if (const std::size_t words = WordsMatched(command.name, args); words > 0) {
      return Choice{&command, {args.begin() + static_cast<std::ptrdiff_t>(words), args.end()}};
    }
    is_group |= command.name.starts_with(args[0] + " ");
  }
  if (!is_group) {
    return Status(Code::kInvalidArgument,
                  fmt::format("unknown command '{}'; 'espalier --help' lists them", args[0]));
  }
  return Status(Code::kInvalidArgument,
                args.size() > 1
                    ? fmt::format("unknown command '{} {}'; 'espalier {} --help' lists them",
                                  args[0], args[1], args[0])
                    : fmt::format("'{}' needs one of its commands; 'espalier {} --help' lists them",
                                  args[0], args[0]));
}

std::string DescribeParseError(const CLI::ParseError& error, CLI::App& app,
                               std::string_view command) {
  std::string what = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::vector<std::string> extras = app.remaining();
    const std::string extra = extras.empty() ? "" : extras.front();
    what = fmt::format("{} '{}'", extra.starts_with("-") ? "unknown flag" : "unexpected argument",
                       extra);
  }
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) {
    what = "a flag has a value that it cannot take: " + what;
  }
  std::replace(what.begin(), what.end(), '\n', ' ');
  return fmt::format("{}; see 'espalier {} --help'", what, command);
}

ExitCode Fail(const Status& status) {
  PrintError(status.message());
  return ExitCodeOf(status.code());
}

ExitCode Print(std::string_view text) {
  const Status status = WriteOut(text);
  return status.ok() ? ExitCode::kDone : Fail(status);
}

ExitCode RunCommand(const Command& command, std::vector<std::string> flags) {
  CLI::App app{std::string(command.summary), fmt::format("espalier {}", command.name)};
  app.option_defaults()->always_capture_default();
  app.formatter(std::make_shared<HelpFormatter>());
  app.footer(
      fmt::format("\nThe environment may give each flag too: ESPALIER_KV_CACHE_TOKENS for "
                  "--kv-cache-tokens.\n\nexample: {}",
                  command.example));
  const CommandBody body = command.declare(app);
  AddEnvironment(app);
  std::reverse(flags.begin(), flags.end());  // the order CLI11 takes them in
  try {
    app.parse(std::move(flags));
  } catch (const CLI::CallForHelp&) {
    return Print(app.help());
  } catch (const CLI::ParseError& error) {
    return Fail({Code::kInvalidArgument, DescribeParseError(error, app, command.name)});
  }
  Result<ExitCode> code = body();
  return code.ok() ? *code : Fail(code.status());
}

}  // namespace

std::span<const Command> Commands() { return kCommands; }

ExitCode ExitCodeOf(Code code) {
  switch (code) {
    case Code::kOk: return ExitCode::kDone;
    case Code::kInvalidArgument:
    case Code::kNotFound:
    case Code::kUnsupported:
    case Code::kLimit:
    case Code::kDataLoss: return ExitCode::kBadInput;
    case Code::kOverloaded:
    case Code::kCancelled:
    case Code::kInternal: return ExitCode::kFailed;
  }
  return ExitCode::kFailed;
}

ExitCode RunCommandLine(const std::vector<std::string>& args) {
  if (args.empty()) {
    PrintError("no command; 'espalier --help' lists them");
    return ExitCode::kBadInput;
  }
  if (IsHelp(args[0])) return Print(GeneralHelp());
  if (const std::string help = GroupHelp(args); !help.empty()) return Print(help);
  if (args[0] == "--version") return Print(fmt::format("espalier {}\n", kVersion));
  Result<Choice> choice = ChooseCommand(args);
  if (!choice.ok()) return Fail(choice.status());
  return RunCommand(*choice->command, choice->flags);
}

}  // namespace espalier
