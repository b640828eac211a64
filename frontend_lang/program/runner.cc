#include "frontend_lang/program/runner.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "frontend_lang/program/executor.h"
#include "frontend_lang/program/fiber_strands.h"
#include "frontend_lang/program/module_folder.h"
#include "frontend_lang/program/returned_json.h"
#include "frontend_lang/program/sgl_function.h"
#include "frontend_lang/program/state_object.h"
#include "frontend_lang/script/builtins/builtins.h"
#include "frontend_lang/script/compile/compiler.h"
#include "frontend_lang/script/modules/json_text.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/text/str.h"
#include "kernels/base/random.h"

namespace espalier::program {
namespace {

using lang::Args;
using lang::Value;
using script::Exactly;

// One run: the machine, its executor, and the results so far.
class Runner {
 public:
  Runner(const ScriptProgram& program, const RunOptions& options,
         const std::vector<EntryCall>& calls)
      : program_(program),
        options_(options),
        calls_(calls),
        machine_(program, MachineOptionsOf(options)),
        executor_(machine_, ExecutorOptionsOf(options)),
        results_(std::max<std::size_t>(calls.size(), 1)) {
    machine_.SetStrands(&strands_);
    script::AddBuiltins(machine_);
    AddSglModules(machine_, executor_);
  }

  std::vector<CallResult> Run() {
    executor_.Run([this] { RunFile(); });
    return std::move(results_);
  }

 private:
  script::MachineOptions MachineOptionsOf(const RunOptions& options) {
    script::MachineOptions machine;
    machine.limits.max_bytes = options.limits.max_memory_mib << 20;
    if (options.limits.max_steps) machine.limits.max_steps = *options.limits.max_steps;
    if (options.limits.timeout_ms) {
      machine.limits.timeout = std::chrono::milliseconds(*options.limits.timeout_ms);
    }
    machine.max_depth = options.limits.max_depth;
    machine.print = [this](std::string_view text) { Print(text); };
    machine.read_folder = options.read_folder;
    machine.find_module = [folder = ModuleFolder(options.module_folder)](std::string_view name) {
      return folder.Find(name);
    };
    machine.print_error = options.print_error;
    return machine;
  }
  static ExecutorOptions ExecutorOptionsOf(const RunOptions& options) {
    return {options.seed,  options.make_backend, options.note,  options.progress,
            options.trace, options.observer,     options.pause, options.stopped};
  }

  void Print(std::string_view text) {
    const Status printed = options_.print ? options_.print(text) : Status();
    if (!printed.ok()) executor_.Stop("what the program prints goes nowhere");
  }
  void RunFile();
  void CallEntry(const Value& entry, std::size_t call);
  Result<Value> FindEntry();
  lang::Outcome<Value> CallWithArguments(const Value& entry, std::size_t call);
  lang::Fault Deliver(const Value& entry, Value returned, CallResult& to);
  void Describe(lang::Fault fault, CallResult& to);
  void Exit(const Value& error, CallResult& to);

  const ScriptProgram program_;
  const RunOptions& options_;
  const std::vector<EntryCall>& calls_;
  script::Machine machine_;
  Executor executor_;
  FiberStrands strands_{executor_};
  std::vector<CallResult> results_;
};

void Runner::Describe(lang::Fault fault, CallResult& to) {
  lang::LangError& error = fault.error();
  const script::ErrorObject& object = machine_.ObjectOf(error);
  const Value held = error.object;
  if (object.kind().name == "SystemExit") return Exit(held, to);
  to.raised = true;
  to.traceback = script::FormatTraceback(machine_, object);
  std::string message(object.TypeName());
  if (auto text = const_cast<script::ErrorObject&>(object).Text(machine_);
      text.ok() && !text->empty()) {
    message += ": " + *text;
  }
  const bool limit = error.kind == lang::LangError::Kind::kLimit;
  to.status = Status(limit ? Code::kLimit : object.status, limit ? error.message : message);
}

// As CPython: None and 0 are success, another int is the exit code, and what else there
// is goes to stderr.
void Runner::Exit(const Value& error, CallResult& to) {
  auto code = script::Exactly<script::ErrorObject>(error)->GetAttr(machine_, "code");
  std::optional<std::string> said;
  if (!code.ok() || code->is_none()) {
    to.exit_code = 0;
  } else if (code->is_integral()) {
    to.exit_code = static_cast<int>(code->as_int() & 0xFF);
  } else {
    to.exit_code = 1;
    auto text = lang::Text(machine_, *code);
    if (text.ok()) machine_.PrintError(*text + "\n");
    if (text.ok()) said = std::move(*text);
  }
  if (to.exit_code == 0) return;
  to.status =
      Status(Code::kInvalidArgument,
             fmt::format("SystemExit: {}", said.value_or(fmt::format("{}", *to.exit_code))));
}

void Runner::RunFile() {
  executor_.current().usage = &results_[0].usage;
  lang::Fault fault = machine_.RunFile(options_.module_name);
  if (!fault.ok()) {
    Describe(std::move(fault), results_[0]);
    for (std::size_t i = 1; i < results_.size(); ++i) {
      results_[i] = results_[0];
      results_[i].usage = {};
    }
    return executor_.Abort("the program has ended");
  }
  auto entry = FindEntry();
  if (!entry.ok()) {
    for (CallResult& result : results_) result.status = entry.status();
    return;
  }
  if (entry->is_unset()) return;
  for (std::size_t i = 0; i < results_.size(); ++i) {
    executor_.Spawn(ChildSeed(options_.seed, i + 1),
                    [this, callee = *entry, i] { CallEntry(callee, i); });
  }
}

// The entry, or Unset where the file has done everything itself.
Result<Value> Runner::FindEntry() {
  const std::string name = options_.entry.value_or("main");
  const Value found = machine_.Global(name);
  const auto* program = Exactly<SglFunction>(found);
  const auto* function =
      program != nullptr ? &program->function() : Exactly<script::ScriptFunction>(found);
  if (function == nullptr && options_.entry) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{}: there is no function {}; --entry names a def of the file",
                              program_->source->name(), name));
  }
  const bool wanted =
      function != nullptr && (options_.entry || (!program_->has_main_guard && !function->called()));
  if (wanted) return found;
  if (!calls_.empty() && (calls_.size() > 1 || !calls_[0].empty())) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{}: nothing takes the arguments; define main or name a def with "
                              "--entry",
                              program_->source->name()));
  }
  return Value::Unset();
}

lang::Outcome<Value> Runner::CallWithArguments(const Value& entry, std::size_t call) {
  std::vector<lang::Keyword> keywords;
  if (!calls_.empty()) {
    for (const auto& [name, text] : calls_[call]) {
      auto parsed = script::ReadJson(machine_, text);
      keywords.push_back(
          {name, parsed.ok() ? std::move(*parsed) : lang::MakeStr(machine_.heap(), text)});
    }
  }
  if (options_.prepare.empty()) return machine_.Call(entry, Args{{}, keywords});
  auto prepared = machine_.Call(machine_.Global(options_.prepare), Args{{}, keywords});
  const lang::Dict* const dict = prepared.ok() ? prepared->If<lang::Dict>() : nullptr;
  results_[call].bad_arguments = dict == nullptr;
  if (!prepared.ok()) return prepared.TakeFault();
  if (dict == nullptr) return lang::TypeError(options_.prepare + " must give a dict");
  std::vector<lang::Keyword> checked;
  for (std::size_t at = 0; const auto* item = dict->EntryAt(at); ++at) {
    if (item->key.is_str()) checked.push_back({lang::TextOf(item->key), item->value});
  }
  return machine_.Call(entry, Args{{}, checked});
}

void Runner::CallEntry(const Value& entry, std::size_t call) {
  executor_.current().usage = &results_[call].usage;
  auto returned = CallWithArguments(entry, call);
  lang::Fault fault =
      returned.ok() ? Deliver(entry, std::move(*returned), results_[call]) : returned.TakeFault();
  if (!fault.ok()) Describe(std::move(fault), results_[call]);
}

lang::Fault Runner::Deliver(const Value& entry, Value returned, CallResult& to) {
  const Value held = returned;
  if (auto* object = Exactly<StateObject>(returned);
      object != nullptr && Exactly<SglFunction>(entry) != nullptr) {
    PromptState& state = object->state();
    ESP_TRY(executor_.Sync(state));
    to.text = state.text();
    if (options_.wants_json) {
      ESP_TRY_ASSIGN(to.variables, ReturnedJson(machine_).VariablesOf(state));
    }
    returned = object->return_value;
  } else if (options_.wants_json) {
    to.variables = nlohmann::ordered_json::object();
  }
  to.has_return = !returned.is_none();
  ESP_TRY_ASSIGN(to.return_text, lang::Text(machine_, returned));
  if (options_.wants_json) {
    ESP_TRY_ASSIGN(to.returned, ReturnedJson(machine_).Of(returned));
  }
  return lang::Fault();
}

}  // namespace

Result<ScriptProgram> LoadProgram(std::string file_name, std::string text) {
  ESP_ASSIGN_OR_RETURN(auto source,
                       script::Source::FromText(std::move(file_name), std::move(text)));
  auto compiled = script::Compile(source);
  if (const auto* problem = std::get_if<script::SyntaxProblem>(&compiled)) {
    return Status(Code::kInvalidArgument, script::Describe(*problem, *source));
  }
  return std::get<ScriptProgram>(compiled);
}

std::vector<CallResult> RunProgram(const ScriptProgram& program, const RunOptions& options,
                                   const std::vector<EntryCall>& calls) {
  return Runner(program, options, calls).Run();
}

}  // namespace espalier::program
