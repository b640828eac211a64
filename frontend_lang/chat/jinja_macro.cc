#include "frontend_lang/chat/jinja_macro.h"

#include <algorithm>
#include <string>

#include "frontend_lang/chat/jinja_evaluator_scopes.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::jinja {

Outcome<Value> MacroValue::GetAttr(Host& host, std::string_view name) {
  if (name == "name") return lang::MakeStr(host.heap(), name_);
  if (name == "caller") return Value::Bool(signature_.takes_caller);
  if (name == "catch_kwargs") return Value::Bool(signature_.takes_kwargs);
  if (name == "catch_varargs") return Value::Bool(signature_.takes_varargs);
  if (name == "arguments") return static_cast<Evaluator&>(host).ParametersOf(signature_);
  return Value::Unset();
}

Outcome<Value> MacroValue::Call(Host& host, const Args& args) {
  const Value held(this);
  auto& evaluator = static_cast<Evaluator&>(host);
  return evaluator.CallMacro({name_, signature_, body_}, scope_, args);
}

Outcome<Value> LoopRecursion::Call(Host& host, const Args& args) {
  const Value held(this);
  if (args.positional.size() != 1) return lang::TypeError("loop() takes exactly one iterable");
  auto& evaluator = static_cast<Evaluator&>(host);
  return evaluator.CallLoop(loop_, scope_, args.positional[0], depth0_);
}

Value Evaluator::ParametersOf(const Signature& signature) {
  std::vector<Value> names;
  for (const NameId name : signature.parameters) {
    names.push_back(lang::MakeStr(heap(), std::string_view(ast_.names[At(name)])));
  }
  return heap().New<lang::Tuple>(std::move(names));
}

// Binds what the call gives, by place and by name; what is left waits for a default.
Outcome<Evaluator::BoundArguments> Evaluator::BindArguments(const MacroCall& macro,
                                                            const Args& args) {
  const auto& [parameters, defaults, takes_caller, takes_kwargs, takes_varargs] = macro.signature;
  const std::size_t num_placed = std::min(args.positional.size(), parameters.size());
  BoundArguments bound;
  bound.positional = args.positional.subspan(num_placed);
  bound.values.assign(
      args.positional.begin(),
      args.positional.begin() + std::ssize(args.positional) - std::ssize(bound.positional));
  bound.values.resize(parameters.size(), Value::Unset());
  for (const lang::Keyword& keyword : args.keywords) {
    ESP_TRY(Step(1 + std::ssize(parameters) / 16));
    std::size_t place = num_placed;
    while (place < parameters.size() && ast_.names[At(parameters[place])] != keyword.name) ++place;
    if (place < parameters.size()) {
      bound.values[place] = keyword.value;
    } else if (takes_caller && keyword.name == "caller") {
      bound.caller = keyword.value;
    } else {
      bound.keywords.push_back(keyword);
    }
  }
  const std::string name = "macro '" + std::string(macro.name) + "' ";
  if (!takes_kwargs && !bound.keywords.empty()) {
    return lang::TypeError(name + "takes no keyword argument '" +
                           std::string(bound.keywords[0].name) + "'");
  }
  if (!takes_varargs && !bound.positional.empty()) {
    return lang::TypeError(name + "takes not more than " + std::to_string(parameters.size()) +
                           " argument(s)");
  }
  return bound;
}

// caller, kwargs and varargs, where the macro speaks of them.
void Evaluator::SetSpecialNames(const MacroCall& macro, BoundArguments& bound) {
  if (macro.signature.takes_caller) {
    if (bound.caller.is_unset()) bound.caller = MakeUndefined(*this, "No caller defined");
    scope().Set(caller_name_, std::move(bound.caller));
  }
  if (macro.signature.takes_kwargs) {
    const Value dict = heap().New<lang::Dict>();
    for (lang::Keyword& keyword : bound.keywords) {
      dict.As<lang::Dict>()->PutStr(keyword.name, std::move(keyword.value));
    }
    scope().Set(kwargs_name_, dict);
  }
  if (macro.signature.takes_varargs) {
    scope().Set(varargs_name_, heap().New<lang::Tuple>(std::vector<Value>(bound.positional.begin(),
                                                                          bound.positional.end())));
  }
}

Fault Evaluator::SetParameters(const MacroCall& macro, std::vector<Value> values) {
  const auto& parameters = macro.signature.parameters;
  const auto& defaults = macro.signature.defaults;
  const std::size_t num_required = parameters.size() - defaults.size();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Value value = std::move(values[i]);
    if (value.is_unset() && i >= num_required) {
      ESP_TRY_ASSIGN(value, Evaluate(defaults[i - num_required]));
    } else if (value.is_unset()) {
      value = MakeUndefined(*this,
                            "parameter '" + ast_.names[At(parameters[i])] + "' was not provided");
    }
    scope().Set(parameters[i], std::move(value));
  }
  return Fault();
}

Outcome<Value> Evaluator::CallMacro(const MacroCall& macro, const Value& scope, const Args& args) {
  const DepthScope depth(*this);
  ESP_TRY(CheckDepth());
  ESP_TRY_ASSIGN(BoundArguments bound, BindArguments(macro, args));
  std::string output;
  {
    const OutputScope output_scope(*this, output);
    const NewScope inner(*this, scope);
    SetSpecialNames(macro, bound);
    ESP_TRY(SetParameters(macro, std::move(bound.values)));
    ESP_TRY_ASSIGN([[maybe_unused]] const Flow flow, Execute(macro.body));
  }
  return lang::MakeStr(heap(), std::move(output));
}

Outcome<Value> Evaluator::CallLoop(const For& loop, const Value& scope, const Value& items,
                                   int depth0) {
  const DepthScope depth(*this);
  ESP_TRY(CheckDepth());
  std::string output;
  {
    const OutputScope output_scope(*this, output);
    const NewScope inner(*this, scope);
    ESP_TRY(RunLoop(loop, items, depth0));
  }
  return lang::MakeStr(heap(), std::move(output));
}

Outcome<Evaluator::Flow> Evaluator::Run(const Macro& node) {
  const std::string_view name = ast_.names[static_cast<std::size_t>(node.name)];
  scope().Set(node.name, heap().New<MacroValue>(node.signature, node.body, name, scope_));
  return Flow::kNext;
}

Outcome<Evaluator::Flow> Evaluator::Run(const CallBlock& node) {
  const Value caller =
      heap().New<MacroValue>(node.signature, node.body, std::string_view("caller"), scope_);
  const CallExpression& call = std::get<CallExpression>(NodeAt(node.call).data);
  ESP_TRY_ASSIGN(EvaluatedArguments arguments, EvaluateArguments(call.arguments));
  arguments.keywords.push_back({"caller", caller});
  ESP_TRY_ASSIGN(const Value value, Invoke(call, arguments));
  ESP_TRY_ASSIGN(const std::string text, lang::Text(*this, value));
  ESP_TRY(Emit(text));
  return Flow::kNext;
}

}  // namespace espalier::jinja
