#include "frontend_lang/chat/jinja_macro.h"

#include <string>

#include "frontend_lang/chat/jinja_evaluator_scopes.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::jinja {

Outcome<Value> MacroValue::GetAttr(Host& host, std::string_view name) {
  if (name == "name") return lang::MakeStr(host.heap(), name_);
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

// Binds what the call gives, by place and by name; what is left waits for a default.
Outcome<std::vector<Value>> Evaluator::BindArguments(const MacroCall& macro, const Args& args,
                                                     Value& caller) {
  const auto& parameters = macro.signature.parameters;
  const std::string name(macro.name);
  if (args.positional.size() > parameters.size()) {
    return lang::TypeError("macro '" + name + "' takes not more than " +
                           std::to_string(parameters.size()) + " argument(s)");
  }
  std::vector<Value> bound(args.positional.begin(), args.positional.end());
  bound.resize(parameters.size(), Value::Unset());
  for (const lang::Keyword& keyword : args.keywords) {
    std::size_t place = 0;
    while (place < parameters.size() &&
           ast_.names[static_cast<std::size_t>(parameters[place])] != keyword.name) {
      ++place;
    }
    if (place < parameters.size()) {
      if (!bound[place].is_unset()) {
        return lang::TypeError("macro '" + name + "' got multiple values for argument '" +
                               std::string(keyword.name) + "'");
      }
      bound[place] = keyword.value;
    } else if (keyword.name == "caller") {
      caller = keyword.value;
    } else {
      return lang::TypeError("macro '" + name + "' takes no keyword argument '" +
                             std::string(keyword.name) + "'");
    }
  }
  return bound;
}

Outcome<Value> Evaluator::CallMacro(const MacroCall& macro, const Value& scope, const Args& args) {
  const DepthScope depth(*this);
  ESP_TRY(CheckDepth());
  Value caller = MakeUndefined(*this, "No caller defined");
  ESP_TRY_ASSIGN(std::vector<Value> bound, BindArguments(macro, args, caller));
  std::string output;
  {
    const OutputScope output_scope(*this, output);
    const NewScope inner(*this, scope);
    if (caller_name_ >= 0) this->scope().Set(caller_name_, std::move(caller));
    const auto& [parameters, defaults] = macro.signature;
    const std::size_t num_required = parameters.size() - defaults.size();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      Value value = std::move(bound[i]);
      if (value.is_unset() && i >= num_required) {
        ESP_TRY_ASSIGN(value, Evaluate(defaults[i - num_required]));
      } else if (value.is_unset()) {
        value = MakeUndefined(*this, "parameter '" +
                                         ast_.names[static_cast<std::size_t>(parameters[i])] +
                                         "' was not provided");
      }
      this->scope().Set(parameters[i], std::move(value));
    }
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
