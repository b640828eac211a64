// StateGroup (declared in state_object.h): what fork gives.
#include <map>

#include <fmt/format.h>

#include "frontend_lang/program/prompt_expression.h"
#include "frontend_lang/program/state_object.h"
#include "frontend_lang/script/arguments.h"
#include "frontend_lang/script/containers.h"
#include "frontend_lang/script/sequence.h"
#include "frontend_lang/script/str.h"

namespace espalier::program {
namespace {

using lang::Args;
using lang::Host;
using lang::Outcome;
using lang::Value;
using script::BindArguments;
using script::Exactly;

StateObject& StateOf(const Value& self) { return *Exactly<StateObject>(self); }

Outcome<Value> JoinMethod(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("join", args, {"mode"}, 0));
  if (!bound[0].is_unset() && !bound[0].is_str()) return lang::TypeError("mode must be a str");
  ESP_TRY(Exactly<StateGroup>(self)->Join(
      host, bound[0].is_unset() ? "gather_variable" : lang::TextOf(bound[0])));
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

Outcome<Value> StateGroup::Length(Host&) {
  return Value::Int(static_cast<std::int64_t>(states_.size()));
}

Outcome<Value> StateGroup::Iterate(Host& host) {
  return lang::Iterate(host, host.heap().New<lang::Tuple>(states_));
}

lang::Fault StateGroup::Join(Host& host, std::string_view mode) {
  if (mode != "gather_variable" && mode != "concate_and_append") {
    return lang::ValueError("Invalid join mode: " + std::string(mode) +
                            "; it is \"gather_variable\" or \"concate_and_append\"");
  }
  for (const Value& child : states_) {
    StateObject& object = StateOf(child);
    ESP_TRY(object.executor().Sync(object.state()));
  }
  if (mode == "gather_variable") return Gather(host);
  StateObject& parent = StateOf(parent_);
  for (const Value& child : states_) {
    ESP_TRY(host.Step());
    parent.executor().Append(parent.state(),
                             TextSegment{std::string(StateOf(child).state().ForkedText())});
  }
  return lang::Fault();
}

// Each variable that a fork has and the parent has not becomes a list in the parent, of
// those forks that have it.
lang::Fault StateGroup::Gather(Host& host) {
  StateObject& parent = StateOf(parent_);
  std::vector<std::pair<std::string, std::vector<Value>>> gathered;
  std::map<std::string_view, std::size_t> place;  // in gathered
  for (const Value& child : states_) {
    const PromptState& state = StateOf(child).state();
    for (const std::string& name : state.names()) {
      ESP_TRY(host.Step());
      if (parent.state().Find(name) != nullptr) continue;
      const auto [found, is_new] = place.try_emplace(name, gathered.size());
      if (is_new) gathered.emplace_back(name, std::vector<Value>());
      gathered[found->second].second.push_back(*state.Find(name));
    }
  }
  for (auto& [name, values] : gathered) {
    parent.executor().Set(parent.state(), name, host.heap().New<lang::List>(std::move(values)));
  }
  return lang::Fault();
}

}  // namespace espalier::program
