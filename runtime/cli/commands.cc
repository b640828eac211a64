#include "runtime/cli/commands.h"

#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "kernels/base/similar_name.h"
#include "runtime/api/did_you_mean.h"
#include "runtime/cli/environment.h"
#include "runtime/cli/flags.h"
#include "runtime/cli/help.h"
#include "runtime/cli/output.h"

namespace espalier {
namespace {

constexpr auto kCommands = std::to_array<Command>({
    {"run", "run a program", "./espalier run examples/triage_tickets.sgl", DeclareRun},
    {"chat", "talk to a model in the terminal", "./espalier chat --system 'Be brief.'",
     DeclareChat},
    {"generate", "one prompt, or many from a file",
     "./espalier generate --chat 'Name three colours.' --max-tokens 40", DeclareGenerate},
    {"serve", "an OpenAI- and SGLang-compatible server", "./espalier serve --port 30000",
     DeclareServe},
    {"bench engine", "prefill and decode speed",
     "./espalier bench engine --batch 1,8 --prompt 128 --output 32", DeclareBenchEngine},
    {"bench masks", "grammars: verdicts and times on schemas with instances",
     R"(echo '{"schema": {"type": "integer"}, "tests": [{"data": 1, "valid": true}]}' )"
     "> /tmp/case.json && ./espalier bench masks /tmp/case.json --tokenizer tiny",
     DeclareBenchMasks},
    {"bench programs", "SGLang's benchmark programs: what is shared, and what it gains",
     "./espalier bench programs --workload few-shot,rag --programs 4", DeclareBenchPrograms},
    {"bench schemas", "grammars: verdicts on the JSON Schema test suite",
     "git clone --depth 1 https://github.com/json-schema-org/JSON-Schema-Test-Suite && "
     "./espalier bench schemas JSON-Schema-Test-Suite --draft 2020-12",
     DeclareBenchSchemas},
    {"inspect chat", "messages as the model's chat template renders them",
     "./espalier inspect chat 'What is a trellis?'", DeclareInspectChat},
    {"inspect logits", "the likeliest next tokens at every position of a text",
     "./espalier inspect logits 'The capital of France is'", DeclareInspectLogits},
    {"inspect match", "which texts a constraint accepts",
     R"(echo '{"schema": {"type": "integer"}, "instances": ["1", "x"]}' | )"
     "./espalier inspect match --jsonl -",
     DeclareInspectMatch},
    {"inspect model", "what a model file holds: shapes, formats, sizes",
     "./espalier inspect model tiny", DeclareInspectModel},
    {"inspect schema", "what of a JSON schema is enforced, and what is refused",
     R"(echo '{"type": "integer", "minimum": 3}' | ./espalier inspect schema -)",
     DeclareInspectSchema},
    {"inspect tokens", "the tokens of a text",
     "./espalier inspect tokens --model tiny 'Hello, world'", DeclareInspectTokens},
    {"inspect tree", "what a server's prefix cache holds",
     "./espalier inspect tree --url localhost:30000", DeclareInspectTree},
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
      "Espalier {}: programs for language models, and outputs that keep their shape\n\n"
      "usage: ./espalier COMMAND [FLAGS]\n\n{}\n"
      "example: ./espalier generate --chat 'Name three colours.' --max-tokens 40\n\n"
      "'./espalier COMMAND --help' shows a command's flags and an example.\n",
      kVersion, ListOfCommands(""));
}

bool IsHelp(std::string_view word) { return word == "--help" || word == "-h" || word == "help"; }

// 'help inspect tokens' and 'inspect help' as 'inspect tokens --help' and 'inspect --help'.
std::vector<std::string> WithHelpLast(std::vector<std::string> args) {
  if (args.size() > 1 && IsHelp(args.front())) {
    std::rotate(args.begin(), args.begin() + 1, args.end());
    args.back() = "--help";
  }
  return args;
}

// "--flag=" as "--flag" and "": CLI11 would take the next word for the value.
std::vector<std::string> WithValuesApart(const std::vector<std::string>& args) {
  std::vector<std::string> apart;
  bool are_flags = true;
  for (const std::string& arg : args) {
    are_flags = are_flags && arg != "--";
    const bool has_empty_value =
        are_flags && arg.starts_with("--") && arg.find('=') == arg.size() - 1;
    apart.push_back(has_empty_value ? arg.substr(0, arg.size() - 1) : arg);
    if (has_empty_value) apart.emplace_back();
  }
  return apart;
}

// The help of a group, such as 'inspect --help'; empty if `args` do not ask for one.
std::string GroupHelp(const std::vector<std::string>& args) {
  if (args.size() != 2 || !IsHelp(args[1])) return "";
  const std::string list = ListOfCommands(args[0] + " ");
  if (list.empty()) return "";
  return fmt::format(
      "usage: ./espalier {} COMMAND [FLAGS]\n\n{}\n"
      "'./espalier {} COMMAND --help' shows a command's flags and an example.\n",
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

std::string_view FirstWord(std::string_view name) { return name.substr(0, name.find(' ')); }

// The commands of a group by their second words: "chat, logits, match".
std::string WordsOfGroup(std::string_view group) {
  std::string words;
  for (const Command& command : kCommands) {
    if (FirstWord(command.name) != group || command.name == group) continue;
    words += words.empty() ? "" : ", ";
    words += command.name.substr(group.size() + 1);
  }
  return words;
}

// What two words that are no command were probably meant to be.
std::string SuggestName(std::string_view words) {
  std::vector<std::string_view> names;
  for (const Command& command : kCommands) names.push_back(command.name);
  return DidYouMean(words, names);
}

// The same of a word that begins no command: it may be like the second word of one, too.
std::string SuggestByWord(std::string_view word) {
  std::vector<std::string_view> first_words, second_words;
  for (const Command& command : kCommands) {
    first_words.push_back(FirstWord(command.name));
    second_words.push_back(command.name.substr(command.name.find(' ') + 1));
  }
  if (std::string first = DidYouMean(word, first_words); !first.empty()) return first;
  const std::string_view second = MostSimilar(word, second_words);
  const auto* found =
      std::find_if(kCommands.begin(), kCommands.end(), [second](const Command& command) {
        return !second.empty() && command.name.ends_with(second);
      });
  return found == kCommands.end() ? "" : fmt::format("; did you mean '{}'?", found->name);
}

Status UnknownCommand(const std::vector<std::string>& args) {
  const auto wrong = [](std::string message) {
    return Status(Code::kInvalidArgument, std::move(message));
  };
  const std::string group = WordsOfGroup(args[0]);
  const std::string words = args.size() > 1 ? fmt::format("{} {}", args[0], args[1]) : args[0];
  std::string meant = SuggestName(words);
  if (group.empty()) {
    if (meant.empty()) meant = SuggestByWord(args[0]);
    return wrong(fmt::format("unknown command '{}'{} 'espalier --help' lists them", args[0],
                             meant.empty() ? ";" : meant));
  }
  if (args.size() == 1) return wrong(fmt::format("'{}' needs one of {}", args[0], group));
  return wrong(fmt::format("unknown command '{}'{} '{}' has {}", words, meant.empty() ? ";" : meant,
                           args[0], group));
}

Result<Choice> ChooseCommand(const std::vector<std::string>& args) {
  for (const Command& command : kCommands) {
    if (const std::size_t words = WordsMatched(command.name, args); words > 0) {
      return Choice{&command, {args.begin() + static_cast<std::ptrdiff_t>(words), args.end()}};
    }
  }
  return UnknownCommand(args);
}

// "; did you mean '--model'?" for a flag of `app`, however its words are joined.
std::string SuggestFlag(std::string flag, const CLI::App& app) {
  flag.erase(std::min(flag.find('='), flag.size()));
  std::replace(flag.begin(), flag.end(), '_', '-');
  std::vector<std::string> flags;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  }
  return DidYouMean(flag, std::vector<std::string_view>(flags.begin(), flags.end()));
}

std::string DescribeParseError(const CLI::ParseError& error, CLI::App& app,
                               std::string_view command) {
  std::string what = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::vector<std::string> extras = app.remaining();
    const std::string extra = extras.empty() ? "" : extras.front();
    const bool is_flag = extra.starts_with("-");
    what = fmt::format("{} '{}'", is_flag ? "unknown flag" : "unexpected argument", extra);
    if (is_flag) what += SuggestFlag(extra, app);
  }
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) {
    what = "a flag has a value that it cannot take: " + what;
  }
  std::replace(what.begin(), what.end(), '\n', ' ');
  return fmt::format("{}{} see 'espalier {} --help'", what, what.ends_with("?") ? "" : ";",
                     command);
}

ExitCode Fail(const Status& status) {
  PrintError(status.message());
  return ExitCodeOf(status.code());
}

ExitCode Print(std::string_view text) {
  const Status status = WriteOut(text);
  return status.ok() ? ExitCode::kDone : Fail(status);
}

// The variables that give flags, of all commands: one that another command reads is no typo.
std::vector<std::string> FlagVariables() {
  std::vector<std::string> variables;
  for (const Command& command : kCommands) {
    CLI::App app;
    [[maybe_unused]] const CommandBody body = command.declare(app);
    AddEnvironment(app);
    for (const CLI::Option* option : app.get_options()) {
      if (!option->get_envname().empty()) variables.push_back(option->get_envname());
    }
  }
  return variables;
}

void WarnOfStrangeVariables() {
  const std::vector<std::string> variables = FlagVariables();
  const std::vector<std::string_view> known(variables.begin(), variables.end());
  for (const std::string& line : StrangeVariables(Environment(), known)) {
    fmt::print(stderr, "espalier: warning: {}\n", line);
  }
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
  RefuseEmptyValues(app);
  std::reverse(flags.begin(), flags.end());  // the order CLI11 takes them in
  try {
    app.parse(std::move(flags));
  } catch (const CLI::CallForHelp&) {
    return Print(app.help());
  } catch (const CLI::ParseError& error) {
    return Fail({Code::kInvalidArgument, DescribeParseError(error, app, command.name)});
  }
  WarnOfStrangeVariables();
  Result<ExitCode> code = body();
  return code.ok() ? *code : Fail(code.status());
}

}  // namespace

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

ExitCode RunCommandLine(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    fmt::print(stderr, "{}\n", GeneralHelp());
    PrintError("no command is given");
    return ExitCode::kBadInput;
  }
  const std::vector<std::string> args = WithHelpLast(arguments);
  if (IsHelp(args[0])) return Print(GeneralHelp());
  if (const std::string help = GroupHelp(args); !help.empty()) return Print(help);
  if (args[0] == "--version") return Print(fmt::format("espalier {}\n", kVersion));
  Result<Choice> choice = ChooseCommand(args);
  if (!choice.ok()) return Fail(choice.status());
  return RunCommand(*choice->command, WithValuesApart(choice->flags));
}

}  // namespace espalier
