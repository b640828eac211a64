// Runs a template's tree once. Sandboxed: it reaches nothing but its arguments, and
// steps, memory, output and depth are limited, which bounds the time.
//
// Thread safety: none; made for one render. The tree is only read.
#pragma once

#include <ctime>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "frontend_lang/chat/jinja_ast.h"
#include "frontend_lang/chat/jinja_objects.h"
#include "frontend_lang/chat/jinja_scope.h"

namespace espalier::jinja {

struct RenderLimits {
  lang::Limits values = {.max_bytes = std::int64_t{64} << 20, .max_steps = 5'000'000};
  std::int64_t max_output_bytes = std::int64_t{64} << 20;  // also of what is captured
  int max_depth = 400;                                     // of nodes being evaluated
};

class Evaluator final : public Host {
 public:
  // `ast` outlives the evaluator. `now` is what strftime_now shows.
  Evaluator(const Ast& ast, const RenderLimits& limits, const std::tm& now);

  // Gives the template a variable; unknown names are dropped.
  void Define(std::string_view name, Value value);
  Outcome<std::string> Run();
  int line() const { return line_; }  // where the evaluation stands, for messages

  // ---- For the objects of a template.
  const std::tm& now() const { return now_; }
  // Binds a macro's arguments by its signature and captures its body, in a new scope
  // below the one it was defined in.
  struct MacroCall {
    std::string_view name;
    const Signature& signature;
    NodeId body;
  };
  Outcome<Value> CallMacro(const MacroCall& macro, const Value& scope, const Args& args);
  Value ParametersOf(const Signature& signature);  // their names, a tuple
  // A recursive loop over other items.
  Outcome<Value> CallLoop(const For& loop, const Value& scope, const Value& items, int depth0);

 private:
  enum class Flow { kNext, kBreak, kContinue };

  Outcome<Flow> Execute(NodeId id);
  Outcome<Flow> Run(const Text& node);
  Outcome<Flow> Run(const Print& node);
  Outcome<Flow> Run(const Sequence& node);
  Outcome<Flow> Run(const For& node);
  Outcome<Flow> Run(const If& node);
  Outcome<Flow> Run(const Set& node);
  Outcome<Flow> Run(const SetBlock& node);
  Outcome<Flow> Run(const Macro& node);
  Outcome<Flow> Run(const CallBlock& node);
  Outcome<Flow> Run(const FilterBlock& node);
  Outcome<Flow> Run(const With& node);
  Outcome<Flow> Run(const Break&) { return Flow::kBreak; }
  Outcome<Flow> Run(const Continue&) { return Flow::kContinue; }
  template <typename Expression>
  Outcome<Flow> Run(const Expression&) {
    return Flow::kNext;
  }

  // The output of `body`, run in a new scope below this one.
  Outcome<std::string> Capture(NodeId body);
  // What a call gives a macro: its parameters' values (Unset: none), and the rest.
  struct BoundArguments {
    std::vector<Value> values;
    std::vector<lang::Keyword> keywords;  // that name no parameter
    std::span<const Value> positional;    // behind the last parameter
    Value caller = Value::Unset();
  };
  Outcome<BoundArguments> BindArguments(const MacroCall& macro, const Args& args);
  void SetSpecialNames(const MacroCall& macro, BoundArguments& bound);
  Fault SetParameters(const MacroCall& macro, std::vector<Value> values);
  Fault RunLoop(const For& node, const Value& items, int depth0);
  Outcome<std::vector<Value>> LoopItems(const For& node, const Value& items);
  Fault Assign(const Target& target, Value value);
  Fault AssignParts(const Target& target, const Value& value);
  Fault Emit(std::string_view text);

  Outcome<Value> Evaluate(NodeId id);
  Outcome<Value> Eval(const Constant& node);
  Outcome<Value> MakeConstant(const Constant& node);
  Outcome<Value> Eval(const Name& node);
  Outcome<Value> Eval(const ListDisplay& node);
  Outcome<Value> Eval(const TupleDisplay& node);
  Outcome<Value> Eval(const DictDisplay& node);
  Outcome<Value> Eval(const Attribute& node);
  Outcome<Value> Eval(const Item& node);
  Outcome<Value> Eval(const SliceKey& node);
  Outcome<Value> Eval(const CallExpression& node);
  Outcome<Value> Eval(const FilterCall& node);
  Outcome<Value> Eval(const TestCall& node);
  Outcome<Value> Eval(const Missing& node);
  Outcome<Value> Eval(const Unary& node);
  Outcome<Value> Eval(const Not& node);
  Outcome<Value> Eval(const Binary& node);
  Outcome<Value> Eval(const Logical& node);
  Outcome<Value> Eval(const CompareChain& node);
  Outcome<Value> Eval(const Concat& node);
  Outcome<Value> Eval(const Conditional& node);
  template <typename Statement>
  Outcome<Value> Eval(const Statement&) {
    return Value();
  }

  // Arguments with their values; `args` refers to the other two members.
  struct EvaluatedArguments {
    std::vector<Value> positional;
    std::vector<lang::Keyword> keywords;
    std::vector<Value> names;  // those of the keywords that a mapping gave
    Args args() const { return {positional, keywords}; }
  };
  Outcome<EvaluatedArguments> EvaluateArguments(const CallArguments& arguments);
  Fault AddKeywords(const Value& mapping, EvaluatedArguments& to);
  Outcome<std::vector<Value>> EvaluateAll(const std::vector<NodeId>& nodes);
  Outcome<Value> Invoke(const CallExpression& node, const EvaluatedArguments& arguments);
  Outcome<bool> Holds(Comparison op, const Value& left, const Value& right);
  Outcome<Value> ApplyFilter(NodeId filter, Value input);

  static std::size_t At(std::int32_t index) { return static_cast<std::size_t>(index); }
  const Node& NodeAt(NodeId id) const { return ast_.nodes[At(id)]; }
  Scope& scope() { return *static_cast<Scope*>(scope_.object()); }
  Fault CheckDepth() const;

  class DepthScope;
  class NewScope;
  class OutputScope;

  const Ast& ast_;
  const RenderLimits limits_;
  const std::tm now_;
  const NameId loop_name_, caller_name_, kwargs_name_, varargs_name_;
  Value scope_;
  std::string* output_ = nullptr;
  std::int64_t output_bytes_ = 0;
  std::vector<Value> constants_;  // made at first use
  Value filter_input_;            // of a filter without input node
  int line_ = 0;
  int depth_ = 0;
};

// Defines range, namespace, dict, joiner, cycler, raise_exception, strftime_now.
void DefineGlobals(Evaluator& evaluator);

}  // namespace espalier::jinja
