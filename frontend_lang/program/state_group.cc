// StateGroup (declared in state_object.h): what fork gives.
#include <optional>

#include <fmt/format.h>

#include "frontend_lang/program/join.h"
#include "frontend_lang/program/prompt_expression.h"
#include "frontend_lang/program/state_object.h"
#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::program {
namespace {

using lang::Args;
using lang::Host;
using lang::Outcome;
using lang::Value;
using script::BindArguments;
using script::Exactly;

StateObject& StateOf(const Value& self) { return *Exactly<StateObject>(self); }

Outcome<Value> JoinMethod(Host&, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("join", args, {"mode"}, 0));
  if (!bound[0].is_unset() && !bound[0].is_str()) return lang::TypeError("mode must be a str");
  ESP_TRY(Exactly<StateGroup>(self)->Join(bound[0].is_unset() ? "gather_variable"
                                                              : lang::TextOf(bound[0])));
  return Value();
}

}  // namespace

Outcome<Value> StateGroup::AddInPlace(Host& host, const Value& value) {
  if (value.is_str()) {
    return lang::ValueError(
        "forks += takes an expression for all, a function of the fork's number, or a list with one "
        "for each; for a str write: for f in forks: f += text");
  }
  const auto* list = value.If<lang::List>();
  const auto* tuple = value.If<lang::Tuple>();
  const bool same = Exactly<PromptExpression>(value) != nullptr;
  if (list != nullptr || tuple != nullptr) {
    const std::size_t given = list != nullptr ? list->items().size() : tuple->items().size();
    if (given != states_.size()) {
      return lang::ValueError(fmt::format("{} expressions for {} forks", given, states_.size()));
    }
  }
  for (std::size_t i = 0; i < states_.size(); ++i) {
    Value one = value;
    if (list != nullptr) {
      one = list->items()[i];
    } else if (tuple != nullptr) {
      one = tuple->items()[i];
    } else if (!same) {
      const Value number = Value::Int(static_cast<std::int64_t>(i));
      ESP_TRY_ASSIGN(one, host.Call(value, Args{{&number, 1}, {}}));
    }
    const Value state = states_[i];
    ESP_TRY_ASSIGN(const Value done, StateOf(state).AddInPlace(host, one));
    (void)done;
  }
  return Value(this);
}

Outcome<Value> StateGroup::GetAttr(Host& host, std::string_view name) {
  if (name != "join") return Value::Unset();
  return host.heap().New<lang::NativeFunction>("join", JoinMethod, Value(this));
}

Outcome<Value> StateGroup::GetItem(Host& host, const Value& key) {
  return lang::GetItem(host, host.heap().New<lang::List>(states_), key);
}

Outcome<bool> StateGroup::SetItem(Host& host, const Value& key, Value value) {
  ESP_TRY_ASSIGN(const Value state, GetItem(host, key));
  if (!state.Is(value)) return lang::Raise("AssertionError", "");
  return true;
}

Outcome<Value> StateGroup::Length(Host&) {
  return Value::Int(static_cast<std::int64_t>(states_.size()));
}

Outcome<Value> StateGroup::Iterate(Host& host) {
  return lang::Iterate(host, host.heap().New<lang::Tuple>(states_));
}

lang::Fault StateGroup::Join(std::string_view mode) {
  const std::optional<JoinMode> parsed = ParseJoinMode(mode);
  if (!parsed) {
    return lang::ValueError("Invalid join mode: " + std::string(mode) +
                            "; it is \"gather_variable\" or \"concate_and_append\"");
  }
  std::vector<PromptState*> forks;
  for (const Value& child : states_) forks.push_back(&StateOf(child).state());
  StateObject& parent = StateOf(parent_);
  return JoinForks(parent.executor(), parent.state(), forks, *parsed);
}

}  // namespace espalier::program
