#include "frontend_lang/program/executor.h"

#include <algorithm>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "frontend_lang/program/reasoning.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/text/str.h"
#include "kernels/base/random.h"

namespace espalier::program {
namespace {

constexpr auto kNever = script::ProgramClock::TimePoint::max();

}  // namespace

Executor::Executor(script::Machine& machine, ExecutorOptions options)
    : machine_(machine), options_(std::move(options)) {}

Executor::~Executor() = default;

// ---- Fibers.

void Executor::Run(std::function<void()> body) {
  Spawn(options_.seed, std::move(body));
  Loop();
  if (!abort_.empty()) return;
  std::set<std::string> unread;
  for (const auto& state : states_) {
    if (state->failed() && !state->error_seen_) unread.insert(state->error_.message());
  }
  for (const std::string& message : unread) Note(message + " (nothing has read it)");
}

void Executor::Spawn(std::uint64_t seed, std::function<void()> body) {
  unstarted_.push_back({seed, current_ ? current_->usage : nullptr, std::move(body)});
  StartFibers();
}

void Executor::StartFibers() {
  while (!unstarted_.empty() && fibers_.size() < kMostFibers) {
    auto fiber = std::make_unique<Fiber>(stacks_, std::move(unstarted_.front().body));
    fiber->seed = unstarted_.front().seed;
    fiber->usage = unstarted_.front().usage;
    unstarted_.pop_front();
    ready_.push_back(fiber.get());
    fibers_.emplace(fiber.get(), std::move(fiber));
  }
}

void Executor::RunNewest() {
  if (!unstarted_.empty()) return;
  Fiber& newest = *ready_.back();
  ready_.pop_back();
  ResumeFiber(newest);
}

void Executor::Loop() {
  for (;;) {
    while (!ready_.empty()) {
      Fiber* next = ready_.front();
      ready_.pop_front();
      ResumeFiber(*next);
    }
    const bool sleeps = !parked_.empty() && parked_.begin()->first.first != kNever;
    if (calls_.empty() && !sleeps) {
      if (fibers_.empty()) return;
      // Everything waits for something that nobody will do: our own mistake, but the
      // program must end.
      Abort("the program waits for itself");
      continue;
    }
    WaitForNews();
  }
}

// A program that only sleeps takes no time, as long as no model has seen it.
bool Executor::MaySkip() const {
  return backend_ == nullptr && calls_.empty() && num_real_sleeps_ == 0;
}

void Executor::WaitForNews() {
  script::ProgramClock& clock = machine_.clock();
  const auto due = parked_.empty() ? kNever : parked_.begin()->first.first;
  if (MaySkip()) {
    clock.Skip(std::max(due - clock.Now(), script::ProgramClock::Duration()));
    return UnparkDue();
  }
  Backend::Deadline deadline = machine_.deadline();
  if (due != kNever) deadline = std::min(deadline.value_or(kNever), due - clock.skipped());
  const auto start = std::chrono::steady_clock::now();
  if (calls_.empty()) {
    options_.pause ? options_.pause(*deadline) : std::this_thread::sleep_until(*deadline);
  } else {
    HandleEvents(deadline);
  }
  clock.AddWaited(std::chrono::steady_clock::now() - start);
  UnparkDue();
  if (options_.stopped && options_.stopped()) Abort("the run was cancelled");
  if (OutOfTime()) {
    Abort(fmt::format("the time limit of {} ms is reached", machine_.limits().timeout->count()));
  }
}

void Executor::UnparkDue() {
  const auto now = machine_.clock().Now();
  for (const auto& [key, fiber] : parked_) {
    if (key.first > now) return;
    Unpark(*fiber);
  }
}

void Executor::ResumeFiber(Fiber& fiber) {
  script::Task& outer = machine_.task();
  Fiber* resumer = std::exchange(current_, &fiber);
  machine_.SetTask(fiber.task);
  for (fiber.Resume(); asked_ != nullptr; fiber.Resume()) {
    current_ = nullptr;
    (*std::exchange(asked_, nullptr))();
    current_ = &fiber;
  }
  machine_.SetTask(outer);
  current_ = resumer;
  if (!fiber.done()) return;
  fibers_.erase(&fiber);
  StartFibers();
  for (Fiber* waiter : std::exchange(waiting_for_fibers_, {})) ready_.push_back(waiter);
}

lang::Fault Executor::WaitUntil(PromptState* state, const std::function<bool()>& done) {
  while (!done()) {
    if (!abort_.empty()) return lang::LimitError(abort_);
    (state != nullptr ? state->waiters_ : waiting_for_fibers_).push_back(current_);
    current_->Suspend();
  }
  return lang::Fault();
}

lang::Fault Executor::Park(script::Strands::Deadline deadline, Sleep sleep) {
  if (!abort_.empty()) return lang::LimitError(abort_);
  const auto place =
      parked_.emplace(std::pair(deadline.value_or(kNever), num_parks_++), current_).first;
  const int num_real = deadline && sleep == Sleep::kReal ? 1 : 0;
  num_real_sleeps_ += num_real;
  current_->parked = true;
  current_->Suspend();
  num_real_sleeps_ -= num_real;
  parked_.erase(place);
  return abort_.empty() ? lang::Fault() : lang::LimitError(abort_);
}

void Executor::Unpark(Fiber& fiber) {
  if (std::exchange(fiber.parked, false)) ready_.push_back(&fiber);
}

void Executor::Watch(PromptState& state, std::function<void()> watcher) {
  state.watchers_.push_back(std::move(watcher));
}

void Executor::OnOwnStack(const std::function<void()>& work) {
  if (current_ == nullptr) return work();
  asked_ = &work;
  current_->Suspend();
}

void Executor::Wake(PromptState& state) {
  for (Fiber* waiter : std::exchange(state.waiters_, {})) ready_.push_back(waiter);
  for (const auto& watcher : std::exchange(state.watchers_, {})) watcher();
}

void Executor::Abort(std::string message) {
  if (!abort_.empty()) return;
  abort_ = std::move(message);
  for (const auto& [call, state] : calls_) backend_->Cancel(call);
  for (const auto& state : states_) Wake(*state);
  for (Fiber* waiter : std::exchange(waiting_for_fibers_, {})) ready_.push_back(waiter);
  for (const auto& [key, fiber] : parked_) Unpark(*fiber);
}

void Executor::Stop(std::string message) {
  Abort(std::move(message));
  machine_.heap().ChargeOutside(machine_.limits().max_bytes);
}

bool Executor::OutOfTime() const {
  const auto deadline = machine_.deadline();
  return deadline && std::chrono::steady_clock::now() >= *deadline;
}

// ---- The backend.

Result<Backend*> Executor::backend() {
  if (backend_ == nullptr) {
    if (!options_.make_backend) {
      return Status(Code::kUnsupported, "this run has no model; give --model or --url");
    }
    ESP_ASSIGN_OR_RETURN(backend_, options_.make_backend());
  }
  return backend_.get();
}

Result<const ChatFormat*> Executor::roles() {
  if (!roles_) {
    ESP_ASSIGN_OR_RETURN(Backend* const model, backend());
    ESP_ASSIGN_OR_RETURN(const Backend::ChatModel chat, model->Chat(machine_.deadline()));
    auto format = chat.chat_template.empty()
                      ? ChatFormat::Named(chat.chat_format.empty() ? "default" : chat.chat_format)
                      : ChatFormat::FromTemplate(chat.chat_template, chat.bos, chat.eos);
    if (!format.ok()) return format.status();
    roles_ = std::move(*format);
  }
  return &*roles_;
}

Status Executor::SetChatFormat(std::string_view name) {
  ESP_ASSIGN_OR_RETURN(roles_, ChatFormat::Named(name));
  return Status();
}

void Executor::HandleEvents(Backend::Deadline deadline) {
  for (CallEvent& event : backend_->Wait(deadline)) {
    const auto found = calls_.find(event.call);
    if (found == calls_.end()) continue;
    PromptState& state = *found->second;
    if (!event.done) {
      Stream(state, event);
      continue;
    }
    calls_.erase(found);
    Finish(state, event);
  }
}

// ---- States.

PromptState* Executor::NewState(std::uint64_t seed, GenOptions defaults, std::string_view name) {
  PromptState* state = AddState(seed, std::move(defaults), ProgramCall{++num_programs_});
  if (options_.trace) state->trace_id_ = options_.trace->BeginState(Trace::kNoState, name);
  if (options_.observer) options_.observer->OnState(state->number_, std::nullopt);
  return state;
}

PromptState* Executor::AddState(std::uint64_t seed, GenOptions defaults, ProgramCall program) {
  auto& state =
      states_.emplace_back(std::make_unique<PromptState>(seed, std::move(defaults), program));
  state->call_usage_ = current_->usage;
  state->number_ = static_cast<int>(states_.size()) - 1;
  Charge(*state);
  return state.get();
}

// States live as long as the run, so nothing is ever given back but a state's own parts.
void Executor::Charge(PromptState& state) {
  const std::int64_t size_bytes = state.SizeBytes();
  machine_.heap().ChargeOutside(size_bytes - std::exchange(state.charged_bytes_, size_bytes));
}

std::vector<PromptState*> Executor::Fork(PromptState& parent, int count) {
  ForkSegment fork;
  const std::uint64_t seed = ChildSeed(parent.seed(), parent.NextForkSeed());
  for (int i = 0; i < count; ++i) {
    PromptState* child = AddState(ChildSeed(seed, static_cast<std::uint64_t>(i)), parent.defaults(),
                                  parent.program());
    if (options_.trace) {
      child->trace_id_ = options_.trace->BeginState(parent.trace_id_, fmt::format("fork {}", i));
    }
    if (options_.observer) options_.observer->OnState(child->number_, parent.number_);
    child->started_ = false;
    // What the parent knows by name the child does too, though its value may come later.
    for (const std::string& name : parent.names_) child->Set(name, lang::Value::Unset());
    child->num_names_at_fork_ = child->names_.size();
    Charge(*child);
    fork.children.push_back(child);
  }
  std::vector<PromptState*> children = fork.children;
  Append(parent, std::move(fork));
  return children;
}

namespace {

// The variable that a segment will give, or "".
struct VariableOf {
  std::string_view operator()(const GenSegment& gen) const { return gen.name; }
  std::string_view operator()(const SelectSegment& select) const { return select.name; }
  std::string_view operator()(const ScopeEnd& scope) const { return scope.name; }
  template <typename Other>
  std::string_view operator()(const Other&) const {
    return {};
  }
};

}  // namespace

void Executor::Append(PromptState& state, Segment segment) {
  const std::string_view name = std::visit(VariableOf{}, segment);
  if (const auto* gen = std::get_if<GenSegment>(&segment);
      gen != nullptr && !gen->reasoning.empty() && !name.empty()) {
    state.Set(ReasoningName(name), lang::Value::Unset());
  }
  if (!name.empty()) state.Set(name, lang::Value::Unset());
  state.pending_bytes_ += SizeBytes(segment);
  state.pending_.push_back(std::move(segment));
  Advance(state);
}

void Executor::Set(PromptState& state, std::string_view name, lang::Value value) {
  state.Set(name, std::move(value));
  Charge(state);
  Wake(state);
}

lang::Value Executor::ExceptionOf(PromptState& state) {
  state.error_seen_ = true;
  if (state.raised_.is_unset()) {
    lang::Fault fault =
        script::RaiseStatus(machine_.heap(), "RuntimeError", state.error_, state.error_.message());
    state.raised_ = fault.error().object;
  }
  return state.raised_;
}

lang::Fault Executor::ErrorOf(PromptState& state) {
  const lang::Value exception = ExceptionOf(state);
  return lang::Fault(lang::LangError{std::string(lang::TypeName(exception)), state.error_.message(),
                                     lang::LangError::Kind::kRaised, exception});
}

lang::Outcome<lang::Value> Executor::Read(PromptState& state, std::string_view name) {
  const auto settled = [&] {
    const lang::Value* value = state.Find(name);
    if (value == nullptr) return state.failed() || !FunctionRunsElsewhere(state);
    return !value->is_unset() || state.failed();
  };
  ESP_TRY(WaitUntil(&state, settled));
  const lang::Value* value = state.Find(name);
  if (value == nullptr && !state.failed()) {
    return lang::RaiseWith("KeyError", fmt::format("'{}'", name),
                           lang::MakeStr(machine_.heap(), name));
  }
  if (value == nullptr || value->is_unset()) return ErrorOf(state);
  return *value;
}

lang::Fault Executor::WaitUntilEnded(PromptState& state) {
  return WaitUntil(
      &state, [&] { return (state.failed() || state.idle()) && !FunctionRunsElsewhere(state); });
}

lang::Fault Executor::Sync(PromptState& state) {
  ESP_TRY(WaitUntilEnded(state));
  return state.failed() ? ErrorOf(state) : lang::Fault();
}

void Executor::FunctionEnded(PromptState& state) {
  state.EndFunction();
  Wake(state);
}

void Executor::FailWith(PromptState& state, lang::Fault fault) {
  lang::LangError& error = fault.error();
  if (error.kind == lang::LangError::Kind::kLimit) return Abort(error.message);
  const lang::Value exception = lang::Value(&machine_.ObjectOf(error));
  if (state.failed()) return;  // most likely with what the function has just read
  const auto& object = *script::Exactly<script::ErrorObject>(exception);
  auto text = lang::Text(machine_, exception);
  const std::string message = std::string(object.kind().name) +
                              (text.ok() && !text->empty() ? ": " + *text : std::string());
  Fail(state, "", Status(object.status, message));
  state.raised_ = exception;
}

// Forks of forks that have not begun fail with it: a list, as they may nest deep.
void Executor::Fail(PromptState& state, const std::string& what, const Status& status) {
  const Status error(status.code(), what.empty()
                                        ? status.message()
                                        : fmt::format("{} failed: {}", what, status.message()));
  std::vector<PromptState*> failing{&state};
  while (!failing.empty()) {
    PromptState& next = *failing.back();
    failing.pop_back();
    if (!next.failed()) next.error_ = error;  // a fork may have failed on its own
    next.started_ = true;
    for (const Segment& segment : std::exchange(next.pending_, {})) {
      const auto* fork = std::get_if<ForkSegment>(&segment);
      if (fork == nullptr) continue;
      failing.insert(failing.end(), fork->children.begin(), fork->children.end());
    }
    next.pending_bytes_ = 0;
    Charge(next);
    Wake(next);
  }
}

}  // namespace espalier::program
