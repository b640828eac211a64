// The embedded C++ language: LM programs as C++ functions, with the primitives and the
// semantics of `.sgl` scripts, on the same executor.
//
//   sgl::Program triage("triage", {"ticket"}, [](sgl::State& s) {
//     s += sgl::System("You sort customer tickets.");
//     s += sgl::User("Ticket: " + s.Arg("ticket"));
//     s += sgl::Assistant(sgl::Gen("area", {.regex = "billing|login|other"}));
//   });
//   sgl::ProgramResult run = triage.Call(*backend, {{"ticket", "I was charged twice."}});
//   if (run.status.ok()) std::cout << run.Text("area") << "\n";
//
//   1. A gen returns at once; reading its variable waits. Forks run concurrently.
//   2. After an error a state carries out nothing more, s["x"] is "", and the run's
//      status tells the error, naming the gen. So a body need not check each step; one
//      that must know asks status().
//   3. A body runs in a fiber with a stack of 512 KiB. It must not throw, nor block but
//      through its state, nor keep the state beyond its end.
//   4. The same seed gives the same run, whatever else the backend does.
//
// Thread safety: a Program is immutable; Call and CallBatch use the backend on the calling
// thread, and return when all is done.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "frontend_lang/backend.h"
#include "frontend_lang/chat/chat_turn.h"
#include "frontend_lang/program/join_mode.h"
#include "frontend_lang/program/segment.h"

namespace espalier::program {
class Executor;
class PromptState;
}  // namespace espalier::program

namespace espalier::sgl {

using program::ChoicesMethod;
using program::JoinMode;

// What a gen may say; unset fields take the run's defaults, then the backend's. At most
// one of the constraints.
struct GenParameters {
  std::optional<std::string> regex, json_schema, ebnf;
  std::optional<int> max_tokens, min_tokens, n;
  std::vector<std::string> stop, stop_regex;
  std::vector<int> stop_token_ids;
  std::optional<double> temperature, top_p;
  std::optional<int> top_k;
  std::optional<double> min_p, frequency_penalty, presence_penalty, repetition_penalty;
  std::optional<bool> ignore_eos;
};

// What may be appended to a state: text, primitives, and their sums.
class Expression {
 public:
  Expression(std::string text);                                         // NOLINT
  Expression(const char* text) : Expression(std::string(text)) {}       // NOLINT
  Expression(std::string_view text) : Expression(std::string(text)) {}  // NOLINT
  explicit Expression(std::vector<program::Segment> segments) : segments_(std::move(segments)) {}

  std::vector<program::Segment> Take() && { return std::move(segments_); }
  Expression& operator+=(Expression other);
  friend Expression operator+(Expression left, Expression right) {
    return left += std::move(right);
  }

 private:
  std::vector<program::Segment> segments_;
};

// Text that the model writes, as the variable `name` ("": as none).
Expression Gen(std::string name, GenParameters parameters = {});
// The choice that the model finds likeliest, by `method`.
Expression Select(std::string name, std::vector<std::string> choices,
                  ChoicesMethod method = ChoicesMethod::kTokenLengthNormalized);
// Messages of a role, in the model's own chat format.
Expression System(Expression content);
Expression User(Expression content);
Expression Assistant(Expression content);

using Arguments = std::map<std::string, std::string, std::less<>>;

class Forks;

// One running prompt. Only the body that got it, or forked it, uses it.
class State {
 public:
  State& operator+=(Expression expression);

  // The text of a variable, as soon as there is one; several (of a gen with n, or after a
  // join) as JSON. "" where the state has failed; a name that nothing sets fails it.
  std::string operator[](std::string_view name);
  // The same for a variable of several texts.
  std::vector<std::string> All(std::string_view name);
  bool Has(std::string_view name) const;  // set, or to be set by what is appended
  void Set(std::string_view name, std::string text);

  // An argument of the call. A name that the program does not declare fails the state.
  std::string Arg(std::string_view name);

  // States that go on from here, each on its own; 1 to 10,000 of them.
  Forks Fork(int count);

  // These wait until everything appended is carried out.
  std::string Text();
  std::vector<ChatTurn> Messages();
  nlohmann::json MetaInfo(std::string_view name);  // null: there is none
  Status status();

  // Ends the state with this error: the program's own.
  void Fail(Status error);

 private:
  friend class Program;
  friend class Forks;

  State(program::Executor& executor, program::PromptState& prompt, const Arguments& arguments)
      : executor_(&executor), prompt_(&prompt), arguments_(&arguments) {}

  program::Executor* executor_;
  program::PromptState* prompt_;
  const Arguments* arguments_;
};

// What Fork gives: a range of states.
class Forks {
 public:
  std::size_t size() const { return states_.size(); }
  State& operator[](std::size_t i) { return states_[i]; }
  std::vector<State>::iterator begin() { return states_.begin(); }
  std::vector<State>::iterator end() { return states_.end(); }

  // Waits for all forks; an error of one becomes the parent's. The variables that are new
  // in the forks become lists in the parent: parent.All(name).
  void Join(JoinMode mode = JoinMode::kGatherVariable);

 private:
  friend class State;

  explicit Forks(State& parent) : parent_(parent) {}

  State parent_;
  std::vector<State> states_;
};

struct CallOptions {
  std::uint64_t seed = 0;
  GenParameters defaults;                             // of all gens
  std::int64_t timeout_ms = 0;                        // 0: none
  std::function<void(int done, int total)> progress;  // of CallBatch; may be null
};

// What one call gave.
struct ProgramResult {
  Status status;
  std::string text;  // the whole prompt
  std::vector<ChatTurn> messages;
  std::map<std::string, std::vector<std::string>, std::less<>> variables;
  CallUsage usage;  // of the state that the body got

  // The text of a variable; "" if there is none.
  std::string Text(std::string_view name) const;
};

class Program {
 public:
  using Body = std::function<void(State&)>;

  // `arguments`: the names that a call gives.
  Program(std::string name, std::vector<std::string> arguments, Body body)
      : name_(std::move(name)), arguments_(std::move(arguments)), body_(std::move(body)) {}

  const std::string& name() const { return name_; }

  ProgramResult Call(Backend& backend, const Arguments& arguments,
                     const CallOptions& options = {}) const;
  // All rows concurrently; a run a row, in order. A row that fails leaves the others alone.
  std::vector<ProgramResult> CallBatch(Backend& backend, const std::vector<Arguments>& rows,
                                       const CallOptions& options = {}) const;
  // Within a body: goes on with its state, as a part of it.
  void CallOn(State& state, const Arguments& arguments) const;

 private:
  Status CheckArguments(const Arguments& arguments) const;
  ProgramResult RunBody(program::Executor& executor, const Arguments& arguments,
                        const GenParameters& defaults) const;

  const std::string name_;
  const std::vector<std::string> arguments_;
  const Body body_;
};

}  // namespace espalier::sgl
