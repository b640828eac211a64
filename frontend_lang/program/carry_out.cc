// The half of Executor that carries out segments.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "frontend_lang/program/choices.h"
#include "frontend_lang/program/executor.h"
#include "frontend_lang/program/gen_parameters.h"
#include "frontend_lang/program/meta_info.h"
#include "frontend_lang/program/reasoning.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/text/str.h"
#include "kernels/base/random.h"

namespace espalier::program {
namespace {

std::string Named(std::string_view kind, const std::string& name) {
  return name.empty() ? std::string(kind) : fmt::format("{} \"{}\"", kind, name);
}

void AddUsage(CallUsage& to, const CallUsage& usage) {
  to.prompt_tokens += usage.prompt_tokens;
  to.cached_tokens += usage.cached_tokens;
  to.completion_tokens += usage.completion_tokens;
  to.forced_tokens += usage.forced_tokens;
  to.accepted_draft_tokens += usage.accepted_draft_tokens;
}

std::string ConstraintOf(const GenOptions& options) {
  if (options.regex) return "regex " + *options.regex;
  if (options.json_schema) return "json_schema " + *options.json_schema;
  if (options.ebnf) return "ebnf " + *options.ebnf;
  return "";
}

// max_tokens=0 with log-probabilities asks how likely what comes next is: a token is drawn,
// and not taken.
bool OnlyScores(const GenSegment& gen) {
  return gen.options.max_tokens == 0 && gen.options.return_logprob.value_or(false);
}

}  // namespace

// One state's fork lets others advance, forks of forks without bound: they take turns
// here instead of deepening the stack.
void Executor::Advance(PromptState& state) {
  to_advance_.push_back(&state);
  if (advancing_) return;
  advancing_ = true;
  while (!to_advance_.empty()) {
    PromptState& next = *to_advance_.front();
    to_advance_.pop_front();
    AdvanceOne(next);
  }
  advancing_ = false;
}

void Executor::AdvanceOne(PromptState& state) {
  while (state.started_ && !state.running_ && !state.pending_.empty() && !state.failed()) {
    Segment next = std::move(state.pending_.front());
    state.pending_.pop_front();
    state.pending_bytes_ = state.pending_.empty() ? 0 : state.pending_bytes_ - SizeBytes(next);
    CarryOut(state, std::move(next));
    TellText(state, "");
  }
  Charge(state);
  if (state.failed()) {
    Fail(state, "", state.error_);  // also what was appended since
  } else if (state.idle()) {
    Wake(state);
  }
}

void Executor::CarryOut(PromptState& state, Segment segment) {
  struct Visitor {
    Executor& executor;
    PromptState& state;
    void operator()(TextSegment& text) { state.text_.Append(text.text); }
    void operator()(GenSegment& gen) { executor.StartGen(state, std::move(gen)); }
    void operator()(SelectSegment& select) { executor.StartSelect(state, std::move(select)); }
    void operator()(RoleBegin& begin) { executor.BeginRole(state, begin.role); }
    void operator()(RoleEnd& end) { executor.EndRole(state, end.role); }
    void operator()(ScopeBegin& scope) {
      state.scopes_.emplace_back(std::move(scope.name), state.text_.size());
    }
    void operator()(ScopeEnd& scope) {
      const std::size_t start = state.scopes_.back().second;
      state.scopes_.pop_back();
      executor.Set(state, scope.name,
                   lang::MakeStr(executor.machine_.heap(), state.text_.Text(start)));
    }
    void operator()(ForkSegment& fork) { executor.StartForks(state, fork); }
  };
  std::visit(Visitor{*this, state}, segment);
}

void Executor::StartGen(PromptState& state, GenSegment gen) {
  const std::uint64_t seed = ChildSeed(state.seed_, 2 * state.num_gens_++);
  auto model = backend();
  if (!model.ok()) return Fail(state, Named("gen", gen.name), model.status());
  gen.options = Merge(state.defaults_, gen.options);
  gen.options.stop = Stops(gen.options);
  GenCall request{state.text_, gen.options, seed, {}, state.program_};
  if ((*model)->takes_messages() && !(state.messages_.empty() && state.role_.empty())) {
    request.messages = state.messages_;
    request.messages.push_back({state.role_, state.text_.Text(state.role_start_)});
  }
  if (OnlyScores(gen)) request.options.max_tokens = 1;
  const CallId call = (*model)->Start(std::move(request));
  calls_.emplace(call, &state);
  const std::string name = gen.name, constraint = ConstraintOf(gen.options);
  state.running_ = PromptState::Running{call, std::move(gen), ""};
  TraceCall(state, {.kind = "gen", .name = name, .constraint = constraint});
}

// The program's stops and those of a chat format that it chose by name. (A model's own
// format ends with a token that ends the text anyway.)
std::vector<std::string> Executor::Stops(const GenOptions& options) const {
  std::vector<std::string> stops = options.stop;
  for (const std::string_view stop : roles_ ? roles_->stops() : std::span<const std::string_view>())
    if (std::find(stops.begin(), stops.end(), stop) == stops.end()) stops.emplace_back(stop);
  return stops;
}

void Executor::StartSelect(PromptState& state, SelectSegment select) {
  auto model = backend();
  if (!model.ok()) return Fail(state, Named("select", select.name), model.status());
  const bool unconditional = select.method == ChoicesMethod::kUnconditional;
  const CallId call =
      (*model)->Start(ScoreCall{state.text_, select.choices, unconditional, state.program_});
  calls_.emplace(call, &state);
  const std::string choices = fmt::format("choices {}", fmt::join(select.choices, " | "));
  const std::string name = select.name;
  state.running_ = PromptState::Running{call, std::move(select), ""};
  TraceCall(state, {.kind = "select", .name = name, .constraint = choices});
}

void Executor::TraceCall(PromptState& state, Trace::Call call) {
  if (options_.trace == nullptr) return;
  call.state = state.trace_id_;
  call.before = state.text_.Text(std::min(state.traced_end_, state.text_.size()));
  state.running_->trace_id = options_.trace->BeginCall(std::move(call));
}

// What the state's text has gained since it was last told.
void Executor::TellText(PromptState& state, std::string_view variable) {
  if (options_.observer == nullptr || state.told_end_ >= state.text_.size()) return;
  options_.observer->OnText(state.number_, variable, state.text_.Text(state.told_end_));
  state.told_end_ = state.text_.size();
}

// Of a running gen, whose text the state gains once it has ended.
void Executor::TellPiece(PromptState& state, const GenSegment& gen, std::string_view text) {
  if (options_.observer == nullptr || text.empty()) return;
  options_.observer->OnText(state.number_, gen.name, text);
  state.running_->told_bytes += text.size();
}

void Executor::StartForks(PromptState& parent, const ForkSegment& fork) {
  for (PromptState* child : fork.children) {
    const lang::Fault full = machine_.Reserve(parent.ForkBytes());
    if (!full.ok()) return Abort(full.error().message);
    child->text_ = parent.text_;
    child->fork_start_ = child->traced_end_ = child->told_end_ = parent.text_.size();
    child->messages_ = parent.messages_;
    child->messages_bytes_ = parent.messages_bytes_;
    child->role_ = parent.role_;
    child->role_after_ = parent.role_after_;
    child->role_start_ = parent.role_start_;
    child->meta_ = parent.meta_;
    child->meta_bytes_ = parent.meta_bytes_;
    // A value that the program gave the child meanwhile stays.
    for (std::size_t i = 0; i < child->num_names_at_fork_; ++i) {
      const std::string name = child->names_[i];
      if (child->Find(name)->is_unset()) child->Set(name, *parent.Find(name));
    }
    child->started_ = true;
    Charge(*child);
    Advance(*child);
    Wake(*child);
  }
}

Result<TurnText> Executor::Around(const PromptState& state, const std::string& role) {
  ESP_ASSIGN_OR_RETURN(const ChatFormat* const format, roles());
  return format->Around(state.messages_, role);
}

void Executor::BeginRole(PromptState& state, const std::string& role) {
  if (!state.role_.empty()) {
    return Fail(state, "",
                Status(Code::kInvalidArgument,
                       fmt::format("{} begins inside {}: roles do not nest", role, state.role_)));
  }
  Result<TurnText> around = TurnText();
  OnOwnStack([&] { around = Around(state, role); });  // compiles and renders a template
  if (!around.ok()) return Fail(state, role, around.status());
  state.text_.Append(around->before);
  state.role_ = role;
  state.role_after_ = std::move(around->after);
  state.role_start_ = state.text_.size();
}

void Executor::EndRole(PromptState& state, const std::string& role) {
  if (state.role_ != role) {
    return Fail(state, "",
                Status(Code::kInvalidArgument, fmt::format("{} ends where it is not open", role)));
  }
  std::string content = state.text_.Text(state.role_start_);
  content.erase(0, std::min(content.find_first_not_of(" \t\n\r\f\v"), content.size()));
  state.messages_bytes_ += static_cast<std::int64_t>(sizeof(ChatTurn) + content.size());
  state.messages_.push_back({role, std::move(content)});
  state.role_.clear();
  state.text_.Append(state.role_after_);
}

// ---- What the backend answered.

void Executor::Finish(PromptState& state, CallEvent& event) {
  const PromptState::Running running = *std::exchange(state.running_, std::nullopt);
  const Segment& segment = running.segment;
  const std::size_t text_start = state.text_.size();
  AddUsage(state.usage_, event.usage);
  if (state.call_usage_ != nullptr) AddUsage(*state.call_usage_, event.usage);
  if (const auto* gen = std::get_if<GenSegment>(&segment)) {
    FinishGen(state, *gen, event);
  } else {
    FinishSelect(state, std::get<SelectSegment>(segment), event);
  }
  state.told_end_ += running.told_bytes;
  const auto* told = std::get_if<GenSegment>(&segment);
  TellText(state, told != nullptr ? told->name : std::get<SelectSegment>(segment).name);
  if (options_.trace) {
    options_.trace->EndCall(running.trace_id, state.text_.Text(text_start), event.usage,
                            state.failed() ? state.error_.message() : "");
    state.traced_end_ = state.text_.size();
  }
  Advance(state);
  Wake(state);
}

void Executor::Stream(PromptState& state, const CallEvent& event) {
  const auto* gen = std::get_if<GenSegment>(&state.running_->segment);
  if (gen == nullptr || !gen->reasoning.empty() || OnlyScores(*gen)) return;
  TellPiece(state, *gen, event.text);
  if (!state.streams() || event.text.empty()) return;
  state.running_->partial += event.text;
  Charge(state);
  Wake(state);
}

void Executor::FinishGen(PromptState& state, const GenSegment& gen, CallEvent& event) {
  const std::string what = Named("gen", gen.name);
  if (!event.status.ok()) return Fail(state, what, event.status);
  if (event.outputs.empty()) {
    return Fail(state, what, Status(Code::kInternal, "the backend gave no output"));
  }
  std::vector<lang::Value> texts, reasonings;
  for (GenOutput& output : event.outputs) {
    if (OnlyScores(gen)) output.text.clear();
    if (!gen.reasoning.empty()) {
      ReasonedText reasoned = SeparateReasoning(gen.reasoning, output.text);
      reasonings.push_back(lang::MakeStr(machine_.heap(), std::move(reasoned.reasoning)));
      output.text = std::move(reasoned.answer);
    }
    texts.push_back(lang::MakeStr(machine_.heap(), output.text));
  }
  GenOutput& first = event.outputs[0];
  if (gen.reasoning.empty()) {
    state.text_.AppendGenerated(std::move(first.text), std::move(first.tokens));
  } else {
    state.text_.Append(first.text);
  }
  if (gen.name.empty()) return;
  const auto value = [&](std::vector<lang::Value> values) {
    const bool several = gen.options.n.value_or(1) > 1;
    return several ? machine_.heap().New<lang::List>(std::move(values)) : values[0];
  };
  state.SetMeta(gen.name, GenMeta(machine_, gen, event));
  if (!reasonings.empty()) state.Set(ReasoningName(gen.name), value(std::move(reasonings)));
  state.Set(gen.name, value(std::move(texts)));
}

void Executor::FinishSelect(PromptState& state, const SelectSegment& select, CallEvent& event) {
  const std::string what = Named("select", select.name);
  if (!event.status.ok()) return Fail(state, what, event.status);
  if (event.choice_logprobs.size() != select.choices.size()) {
    return Fail(state, what, Status(Code::kInternal, "the backend scored other choices"));
  }
  auto decision = Decide(select.method, event.choice_logprobs, event.unconditional_logprobs);
  if (!decision.ok()) return Fail(state, what, decision.status());
  const std::string& chosen = select.choices[decision->choice];
  state.text_.Append(chosen);
  if (select.name.empty()) return;
  state.SetMeta(select.name, SelectMeta(machine_, select, event, *decision));
  state.Set(select.name, lang::MakeStr(machine_.heap(), chosen));
}

}  // namespace espalier::program
