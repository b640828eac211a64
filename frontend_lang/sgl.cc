#include "frontend_lang/sgl.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include <fmt/format.h>

#include "frontend_lang/program/executor.h"
#include "frontend_lang/program/join.h"
#include "frontend_lang/script/compile/compiler.h"
#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/modules/json_text.h"
#include "frontend_lang/script/syntax/source.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/text/str.h"
#include "kernels/base/check.h"
#include "kernels/base/random.h"

namespace espalier::sgl {
namespace {

using lang::Value;
using program::Executor;
using program::PromptState;
using program::Segment;

constexpr int kMostForks = 10'000;

GenOptions ToGenOptions(const GenParameters& from) {
  GenOptions to;
  to.regex = from.regex;
  to.json_schema = from.json_schema;
  to.ebnf = from.ebnf;
  to.max_tokens = from.max_tokens;
  to.min_tokens = from.min_tokens;
  to.n = from.n;
  to.stop = from.stop;
  to.stop_regex = from.stop_regex;
  to.stop_token_ids = from.stop_token_ids;
  to.temperature = from.temperature;
  to.top_p = from.top_p;
  to.top_k = from.top_k;
  to.min_p = from.min_p;
  to.frequency_penalty = from.frequency_penalty;
  to.presence_penalty = from.presence_penalty;
  to.repetition_penalty = from.repetition_penalty;
  to.ignore_eos = from.ignore_eos;
  return to;
}

Expression InRole(std::string_view role, Expression content) {
  std::vector<Segment> segments = std::move(content).Take();
  segments.insert(segments.begin(), program::RoleBegin{std::string(role)});
  segments.push_back(program::RoleEnd{std::string(role)});
  return Expression(std::move(segments));
}

// The executor owns its backend; this one belongs to the caller.
class BorrowedBackend final : public Backend {
 public:
  explicit BorrowedBackend(Backend& backend) : backend_(backend) {}

  bool takes_messages() const override { return backend_.takes_messages(); }
  CallId Start(GenCall call) override { return backend_.Start(std::move(call)); }
  CallId Start(ScoreCall call) override { return backend_.Start(std::move(call)); }
  void Cancel(CallId call) override { backend_.Cancel(call); }
  std::vector<CallEvent> Wait(Deadline deadline) override { return backend_.Wait(deadline); }
  Result<ChatModel> Chat(Deadline deadline) override { return backend_.Chat(deadline); }
  Status FlushCache(Deadline deadline) override { return backend_.FlushCache(deadline); }
  Result<Facts> ServerFacts(Deadline deadline) override { return backend_.ServerFacts(deadline); }

 private:
  Backend& backend_;
};

// A machine without a script: the heap and the limits of a run.
std::shared_ptr<const script::Program> EmptyScript() {
  auto source = script::Source::FromText("", "");
  ESP_CHECK(source.ok()) << source.status().message();
  auto compiled = script::Compile(*source);
  auto* program = std::get_if<std::shared_ptr<const script::Program>>(&compiled);
  ESP_CHECK(program != nullptr) << "the empty script does not compile";
  return *program;
}

script::MachineOptions MachineOptionsOf(const CallOptions& options) {
  script::MachineOptions machine;
  if (options.timeout_ms > 0) {
    machine.limits.timeout = std::chrono::milliseconds(options.timeout_ms);
  }
  return machine;
}

std::string TextOf(lang::Host& host, const Value& value) {
  if (value.is_str()) return std::string(lang::TextOf(value));
  auto text = value.If<lang::List>() != nullptr ? script::WriteJson(host, value, {})
                                                : lang::Text(host, value);
  return text.ok() ? *text : std::string();
}

std::vector<std::string> TextsOf(lang::Host& host, const Value& value) {
  std::vector<std::string> texts;
  if (const auto* list = value.If<lang::List>()) {
    for (const Value& item : list->items()) texts.push_back(TextOf(host, item));
  } else if (!value.is_unset()) {
    texts.push_back(TextOf(host, value));
  }
  return texts;
}

}  // namespace

Expression::Expression(std::string text) {
  if (!text.empty()) segments_.push_back(program::TextSegment{std::move(text)});
}

Expression& Expression::operator+=(Expression other) {
  for (Segment& segment : other.segments_) segments_.push_back(std::move(segment));
  return *this;
}

Expression Gen(std::string name, GenParameters parameters) {
  program::GenSegment gen;
  gen.name = std::move(name);
  gen.options = ToGenOptions(parameters);
  return Expression(std::vector<Segment>{std::move(gen)});
}

Expression Select(std::string name, std::vector<std::string> choices, ChoicesMethod method) {
  return Expression(
      std::vector<Segment>{program::SelectSegment{std::move(name), std::move(choices), method}});
}

Expression System(Expression content) { return InRole("system", std::move(content)); }
Expression User(Expression content) { return InRole("user", std::move(content)); }
Expression Assistant(Expression content) { return InRole("assistant", std::move(content)); }

State& State::operator+=(Expression expression) {
  for (Segment& segment : std::move(expression).Take()) {
    executor_->Append(*prompt_, std::move(segment));
  }
  return *this;
}

std::string State::operator[](std::string_view name) {
  auto value = executor_->Read(*prompt_, name);
  if (value.ok()) return TextOf(executor_->machine(), *value);
  if (!prompt_->failed()) executor_->FailWith(*prompt_, value.TakeFault());
  return "";
}

std::vector<std::string> State::All(std::string_view name) {
  auto value = executor_->Read(*prompt_, name);
  if (value.ok()) return TextsOf(executor_->machine(), *value);
  if (!prompt_->failed()) executor_->FailWith(*prompt_, value.TakeFault());
  return {};
}

bool State::Has(std::string_view name) const { return prompt_->Find(name) != nullptr; }

void State::Set(std::string_view name, std::string text) {
  executor_->Set(*prompt_, name, lang::MakeStr(executor_->machine().heap(), text));
}

std::string State::Arg(std::string_view name) {
  const auto found = arguments_->find(name);
  if (found != arguments_->end()) return found->second;
  Fail(Status(Code::kInvalidArgument, fmt::format("Arg(\"{}\"): there is no such argument", name)));
  return "";
}

Forks State::Fork(int count) {
  Forks forks(*this);
  if (count < 1 || count > kMostForks) {
    Fail(Status(Code::kInvalidArgument,
                fmt::format("Fork({}): takes 1 to {} forks", count, kMostForks)));
    count = std::clamp(count, 0, 1);
  }
  if (count == 0) return forks;
  for (PromptState* child : executor_->Fork(*prompt_, count)) {
    forks.states_.push_back(State(*executor_, *child, *arguments_));
  }
  return forks;
}

std::string State::Text() {
  (void)status();
  return prompt_->text();
}

std::vector<ChatTurn> State::Messages() {
  (void)status();
  return prompt_->messages();
}

nlohmann::json State::MetaInfo(std::string_view name) {
  (void)(*this)[name];
  const Value* meta = prompt_->Meta(name);
  if (meta == nullptr) return nullptr;
  auto text = script::WriteJson(executor_->machine(), *meta, {});
  return text.ok() ? nlohmann::json::parse(*text, nullptr, false) : nlohmann::json();
}

Status State::status() {
  lang::Fault fault = executor_->Sync(*prompt_);
  if (fault.ok()) return Status();
  if (prompt_->failed()) return prompt_->error();
  return Status(Code::kLimit, fault.error().message);
}

void State::Fail(Status error) {
  if (error.ok() || prompt_->failed()) return;
  std::string message = error.message();
  executor_->FailWith(*prompt_, script::RaiseStatus(executor_->machine().heap(), "RuntimeError",
                                                    error, std::move(message)));
}

void Forks::Join(JoinMode mode) {
  std::vector<PromptState*> forks;
  for (const State& state : states_) forks.push_back(state.prompt_);
  lang::Fault fault = program::JoinForks(*parent_.executor_, *parent_.prompt_, forks, mode);
  if (!fault.ok()) parent_.executor_->FailWith(*parent_.prompt_, std::move(fault));
}

std::string ProgramResult::Text(std::string_view name) const {
  const auto found = variables.find(name);
  return found == variables.end() || found->second.empty() ? "" : found->second.front();
}

Status Program::CheckArguments(const Arguments& arguments) const {
  for (const std::string& name : arguments_) {
    if (arguments.contains(name)) continue;
    return Status(Code::kInvalidArgument,
                  fmt::format("{}: the argument {} is missing", name_, name));
  }
  for (const auto& [name, text] : arguments) {
    if (std::find(arguments_.begin(), arguments_.end(), name) != arguments_.end()) continue;
    return Status(Code::kInvalidArgument, fmt::format("{} has no argument {}", name_, name));
  }
  return Status();
}

ProgramResult Program::Call(Backend& backend, const Arguments& arguments,
                            const CallOptions& options) const {
  return std::move(CallBatch(backend, {arguments}, options).front());
}

void Program::CallOn(State& state, const Arguments& arguments) const {
  if (Status status = CheckArguments(arguments); !status.ok()) return state.Fail(std::move(status));
  State own(*state.executor_, *state.prompt_, arguments);
  body_(own);
}

ProgramResult Program::RunBody(Executor& executor, const Arguments& arguments,
                               const GenParameters& defaults) const {
  ProgramResult run;
  run.status = CheckArguments(arguments);
  if (!run.status.ok()) return run;
  PromptState* prompt =
      executor.NewState(ChildSeed(executor.current().seed, 0), ToGenOptions(defaults), name_);
  State state(executor, *prompt, arguments);
  body_(state);
  run.status = state.status();
  run.text = prompt->text();
  run.messages = prompt->messages();
  run.usage = prompt->usage();
  for (const std::string& name : prompt->names()) {
    run.variables[name] = TextsOf(executor.machine(), *prompt->Find(name));
  }
  return run;
}

std::vector<ProgramResult> Program::CallBatch(Backend& backend, const std::vector<Arguments>& rows,
                                              const CallOptions& options) const {
  std::vector<ProgramResult> runs(rows.size());
  script::Machine machine(EmptyScript(), MachineOptionsOf(options));
  program::ExecutorOptions executor_options;
  executor_options.seed = options.seed;
  executor_options.make_backend = [&backend]() -> Result<std::unique_ptr<Backend>> {
    return std::unique_ptr<Backend>(std::make_unique<BorrowedBackend>(backend));
  };
  Executor executor(machine, std::move(executor_options));
  int num_done = 0;
  const auto run_row = [&](std::size_t row) {
    runs[row] = RunBody(executor, rows[row], options.defaults);
    if (options.progress) options.progress(++num_done, static_cast<int>(rows.size()));
  };
  executor.Run([&] {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      executor.Spawn(ChildSeed(options.seed, row + 1), [&run_row, row] { run_row(row); });
    }
  });
  return runs;
}

}  // namespace espalier::sgl
