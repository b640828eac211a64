// `espalier run`: a program, once or once a row of a batch.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "frontend_lang/http/connect.h"
#include "frontend_lang/program/runner.h"
#include "frontend_lang/trace/trace_page.h"
#include "runtime/api/result_json.h"
#include "runtime/cli/batch_rows.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/flags.h"
#include "runtime/cli/load.h"
#include "runtime/cli/output.h"
#include "runtime/cli/progress.h"
#include "runtime/cli/read_file.h"
#include "runtime/cli/totals.h"
#include "runtime/local/local_backend.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxProgramBytes = std::size_t{16} << 20;

struct RunFlags {
  CommonFlags common;
  std::string file, entry, batch, trace, allow_read;
  std::vector<std::string> arguments;  // NAME=VALUE
  int parallel = 0;
  std::int64_t max_steps = 0, max_memory_mib = 2048;
  double timeout_s = 0;
  int max_depth = 1000;
  bool allow_net = false;
};

Status CheckFlags(const RunFlags& flags) {
  const auto later = [](std::string_view flag) {
    return Status(Code::kUnsupported, fmt::format("{}: not in this version; leave it away", flag));
  };
  if (flags.file.empty()) return Status(Code::kInvalidArgument, "give the program, FILE.sgl");
  if (flags.parallel > 0) return later("--parallel (all rows run at once)");
  if (flags.allow_net) return later("--allow-net");
  return Status();
}

Result<program::EntryCall> ParseArguments(const std::vector<std::string>& arguments) {
  program::EntryCall call;
  for (const std::string& argument : arguments) {
    const std::size_t equals = argument.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return Status(Code::kInvalidArgument, fmt::format("--arg {}: must be NAME=VALUE", argument));
    }
    call.emplace_back(argument.substr(0, equals), argument.substr(equals + 1));
  }
  return call;
}

// What a row says wins over --arg.
void AddMissing(const program::EntryCall& common, BatchRow& row) {
  for (const auto& argument : common) {
    const bool is_given = std::any_of(
        row.begin(), row.end(), [&](const auto& given) { return given.first == argument.first; });
    if (!is_given) row.push_back(argument);
  }
}

// The calls of the entry: one a row of --batch, else one with the --arg values, else none.
Result<std::vector<program::EntryCall>> CallsOf(const RunFlags& flags) {
  ESP_ASSIGN_OR_RETURN(program::EntryCall common, ParseArguments(flags.arguments));
  if (flags.batch.empty()) {
    return common.empty() ? std::vector<program::EntryCall>{}
                          : std::vector<program::EntryCall>{std::move(common)};
  }
  ESP_ASSIGN_OR_RETURN(std::vector<BatchRow> rows, ReadBatchRows(flags.batch));
  for (BatchRow& row : rows) AddMissing(common, row);
  return rows;
}

// The traceback, whose line with the error is the one line of ours.
void PrintFailure(const program::CallResult& result) {
  const std::string& message = result.status.message();
  std::string story = result.traceback;
  while (story.ends_with('\n')) story.pop_back();
  const std::size_t at = story.rfind("\n" + message);
  if (message.empty() || at == std::string::npos) {
    if (!story.empty() && story != message) fmt::print(stderr, "{}\n", story);
    return PrintError(message);
  }
  fmt::print(stderr, "{}\n", story.substr(0, at));
  PrintError(story.substr(at + 1));
}

Status PrintResult(const RunFlags& flags, const program::CallResult& result) {
  const bool failed = !result.status.ok();
  if (flags.common.json) {
    return WriteJson(failed ? ErrorJson(result.status)
                            : Json{{"return", result.returned},
                                   {"variables", result.variables},
                                   {"text", result.text},
                                   {"usage", UsageJson(result.usage)}});
  }
  if (failed) {
    if (!result.exit_code) PrintFailure(result);  // sys.exit has said what it had to
    return Status();
  }
  return result.has_return ? WriteOut(result.return_text + "\n") : Status();
}

// What went wrong outside the program, while it ran.
struct Outside {
  Status loaded;   // the model, once a call asked for it
  Status printed;  // what the program printed
  Status traced;   // --trace
};

Backend::Deadline DeadlineOf(const program::RunLimits& limits) {
  if (!limits.timeout_ms) return std::nullopt;
  return std::chrono::steady_clock::now() + std::chrono::milliseconds(*limits.timeout_ms);
}

// A server's, or that of a model which is loaded for it.
Result<std::unique_ptr<Backend>> MakeBackend(const RunFlags& flags, Backend::Deadline deadline) {
  if (!flags.common.url.empty()) {
    return ConnectToServer(flags.common.url,
                           {.api_key = flags.common.api_key, .model = "", .deadline = deadline});
  }
  ESP_ASSIGN_OR_RETURN(std::unique_ptr<LocalModel> model, LoadLocalModel(flags.common));
  if (!flags.batch.empty()) LogKvCache(flags.common, *model);
  return std::unique_ptr<Backend>(std::make_unique<LocalBackend>(std::move(model)));
}

// Where what the program prints and says goes.
void SetOutputs(const RunFlags& flags, Progress& progress, Outside& outside,
                program::RunOptions& options) {
  options.print_error = [](std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
  };
  options.print = [&flags, &outside, to_stderr = options.print_error](std::string_view text) {
    if (!flags.common.json) return outside.printed = WriteOut(text);
    to_stderr(text);
    return Status();
  };
  options.note = [log = flags.common.log()](std::string_view line) { log.Info(line); };
  options.progress = [&progress](int done, int total) {
    if (done == total) return progress.Clear();
    progress.Draw(static_cast<double>(done) / total, fmt::format("{} of {}", done, total));
  };
}

program::RunOptions ToRunOptions(const RunFlags& flags, Progress& progress, Outside& outside) {
  program::RunOptions options;
  if (!flags.entry.empty()) options.entry = flags.entry;
  if (flags.max_steps > 0) options.limits.max_steps = flags.max_steps;
  if (flags.timeout_s > 0) {
    options.limits.timeout_ms = static_cast<std::int64_t>(flags.timeout_s * 1000);
  }
  options.limits.max_memory_mib = flags.max_memory_mib;
  options.limits.max_depth = flags.max_depth;
  options.seed = flags.common.seed;
  options.wants_json = flags.common.json;
  options.read_folder = flags.allow_read;
  options.module_folder = std::filesystem::absolute(flags.file).parent_path();
  options.make_backend = [&flags, &outside, deadline = DeadlineOf(options.limits)] {
    Result<std::unique_ptr<Backend>> backend = MakeBackend(flags, deadline);
    outside.loaded = backend.status();
    return backend;
  };
  SetOutputs(flags, progress, outside, options);
  return options;
}

// Runs the program, and writes --trace once it has ended, however it did.
Result<std::vector<program::CallResult>> RunTraced(const RunFlags& flags,
                                                   const program::ScriptProgram& program,
                                                   const std::vector<program::EntryCall>& calls,
                                                   program::RunOptions options, Status& traced) {
  if (flags.trace.empty()) return program::RunProgram(program, options, calls);
  std::ofstream file(flags.trace, std::ios::binary);
  if (!file) {
    return Status(Code::kInvalidArgument,
                  fmt::format("--trace {}: cannot be written: {}", flags.trace, strerror(errno)));
  }
  program::Trace trace;
  options.trace = &trace;
  std::vector<program::CallResult> results = program::RunProgram(program, options, calls);
  file << program::TracePage(trace, flags.file);
  file.close();
  if (!file) {
    traced = Status(Code::kDataLoss, fmt::format("--trace {}: is not whole", flags.trace));
  }
  return results;
}

Result<program::ScriptProgram> Load(const RunFlags& flags) {
  ESP_ASSIGN_OR_RETURN(std::string text, ReadFile(flags.file));
  if (text.size() > kMaxProgramBytes) {
    return Status(Code::kLimit,
                  fmt::format("{}: longer than {} bytes", flags.file, kMaxProgramBytes));
  }
  return program::LoadProgram(flags.file, std::move(text));
}

// Counts them too. The code of the first call that failed, but that of one that ran counts most.
Result<ExitCode> PrintResults(const RunFlags& flags,
                              const std::vector<program::CallResult>& results, Totals& totals) {
  ExitCode code = ExitCode::kDone;
  for (const program::CallResult& result : results) {
    ESP_RETURN_IF_ERROR(PrintResult(flags, result));
    if (result.status.ok()) {
      totals.Add(result.usage);
    } else {
      totals.AddFailure(result.usage);
    }
    if (result.status.ok() || code == ExitCode::kFailed) continue;
    if (result.exit_code && flags.batch.empty()) {
      code = static_cast<ExitCode>(*result.exit_code);
      continue;
    }
    const bool ran = result.raised || !flags.batch.empty();
    code = ran ? ExitCode::kFailed : ExitCodeOf(result.status.code());
  }
  return code;
}

Result<ExitCode> Run(const RunFlags& flags) {
  ESP_RETURN_IF_ERROR(CheckFlags(flags));
  ESP_ASSIGN_OR_RETURN(const std::vector<program::EntryCall> calls, CallsOf(flags));
  if (!flags.batch.empty() && calls.empty()) return ExitCode::kDone;
  ESP_ASSIGN_OR_RETURN(const program::ScriptProgram program, Load(flags));
  Totals totals("program");
  Progress progress(std::chrono::milliseconds(500));
  Outside outside;
  ESP_ASSIGN_OR_RETURN(
      const std::vector<program::CallResult> results,
      RunTraced(flags, program, calls, ToRunOptions(flags, progress, outside), outside.traced));
  progress.Clear();
  ESP_RETURN_IF_ERROR(outside.loaded);
  ESP_RETURN_IF_ERROR(outside.printed);
  ESP_ASSIGN_OR_RETURN(const ExitCode code, PrintResults(flags, results, totals));
  const bool says_nothing = std::none_of(
      results.begin(), results.end(), [](const auto& r) { return r.has_return || !r.status.ok(); });
  if (!flags.batch.empty() && !flags.common.json && says_nothing) {
    flags.common.log().Info("the entry returned nothing to print; --json shows its variables");
  }
  if (totals.num_prompt_tokens() > 0) flags.common.log().Info(totals.Line());
  if (outside.traced.ok()) return code;
  PrintError(outside.traced.message());
  return ExitCode::kFailed;
}

}  // namespace

CommandBody DeclareRun(CLI::App& app) {
  auto flags = std::make_shared<RunFlags>();
  app.add_option("FILE", flags->file, "The program");
  app.add_option("--entry", flags->entry, "The function to call (default: main, if there is one)")
      ->type_name("NAME");
  AddRepeated(app, "--arg", flags->arguments, "An argument of the entry; JSON, or else text")
      ->type_name("NAME=VALUE");
  app.add_option("--batch", flags->batch, "Call the entry once a row of a .jsonl or .csv file")
      ->type_name("ROWS");
  app.add_option("--parallel", flags->parallel, "Rows at once; not in this version: all are")
      ->type_name("N")
      ->check(WholeNumber(1, 1 << 20))
      ->group("");
  app.add_option("--trace", flags->trace, "Write a page that shows the run")->type_name("OUT.html");
  app.add_option("--allow-read", flags->allow_read, "A folder that the program may read")
      ->type_name("DIR");
  app.add_flag("--allow-net", flags->allow_net,
               "The program decides which server to ask; not in this version")
      ->group("");
  app.add_option("--max-steps", flags->max_steps,
                 "Most steps of the run, all rows together; 0: any")
      ->type_name("N")
      ->check(WholeNumber(0, std::numeric_limits<std::int64_t>::max()))
      ->group("Limits");
  app.add_option("--timeout", flags->timeout_s, "Most seconds of the run; 0: any")
      ->type_name("SECONDS")
      ->check(Seconds(1e9))
      ->group("Limits");
  app.add_option("--max-memory-mib", flags->max_memory_mib, "Most memory of its values")
      ->type_name("N")
      ->check(WholeNumber(1, 1 << 20))
      ->group("Limits");
  app.add_option("--max-depth", flags->max_depth, "Most calls within calls")
      ->type_name("N")
      ->check(WholeNumber(1, 100000))
      ->group("Limits");
  AddJsonFlag(app, flags->common);
  AddEngineFlags(app, flags->common);
  ShowServerFlags(app);
  return [flags] { return Run(*flags); };
}

}  // namespace espalier
