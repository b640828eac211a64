#include "frontend_lang/program/state_object.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend_lang/program/prompt_expression.h"
#include "frontend_lang/program/text_stream.h"
#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/machine/generator.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
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

// with s.user(): and with s.var_scope(name): segments at both ends.
class SegmentScope final : public script::ContextManager {
 public:
  SegmentScope(lang::Heap& heap, Value state, Segment begin, Segment end)
      : ContextManager(heap),
        state_(std::move(state)),
        begin_(std::move(begin)),
        end_(std::move(end)) {}
  std::string_view TypeName() const override { return "ContextManager"; }
  Outcome<Value> Enter(Host&) override {
    StateObject& object = StateOf(state_);
    object.executor().Append(object.state(), begin_);
    return state_;
  }
  lang::Fault Exit(Host&, const Value&) override {
    StateObject& object = StateOf(state_);
    object.executor().Append(object.state(), end_);
    return lang::Fault();
  }

 private:
  void Clear() override { state_ = Value(); }

  Value state_;
  Segment begin_, end_;
};

// with s.copy() as t: a fork of one that joins at the end.
class CopyScope final : public script::ContextManager {
 public:
  CopyScope(lang::Heap& heap, Value group) : ContextManager(heap), group_(std::move(group)) {}
  std::string_view TypeName() const override { return "ContextManager"; }
  Outcome<Value> Enter(Host&) override { return Exactly<StateGroup>(group_)->states()[0]; }
  lang::Fault Exit(Host&, const Value& error) override {
    if (!error.is_unset()) return lang::Fault();
    return Exactly<StateGroup>(group_)->Join("gather_variable");
  }

 private:
  void Clear() override { group_ = Value(); }

  Value group_;
};

Outcome<Value> ForkInto(Host& host, const Value& self, int count) {
  StateObject& object = StateOf(self);
  ESP_TRY(host.Step(count));
  ESP_TRY(host.Reserve(count, object.state().ForkBytes()));
  std::vector<Value> states;
  for (PromptState* child : object.executor().Fork(object.state(), count)) {
    states.push_back(host.heap().New<StateObject>(object.executor(), *child));
  }
  return host.heap().New<StateGroup>(self, std::move(states));
}

Outcome<Value> Text(Host& host, const Value& self, const Args& args) {
  ESP_TRY(script::CheckPositional("text", args, 0, 0));
  StateObject& object = StateOf(self);
  ESP_TRY(object.executor().Sync(object.state()));
  ESP_TRY(host.Reserve(static_cast<std::int64_t>(object.state().prompt().size())));
  return lang::MakeStr(host.heap(), object.state().text());
}

Outcome<Value> Messages(Host& host, const Value& self, const Args& args) {
  ESP_TRY(script::CheckPositional("messages", args, 0, 0));
  StateObject& object = StateOf(self);
  ESP_TRY(object.executor().Sync(object.state()));
  std::vector<Value> messages;
  for (const ChatTurn& message : object.state().messages()) {
    const Value dict = host.heap().New<lang::Dict>();
    dict.As<lang::Dict>()->PutStr("role", lang::MakeStr(host.heap(), message.role));
    dict.As<lang::Dict>()->PutStr("content", lang::MakeStr(host.heap(), message.content));
    messages.push_back(dict);
  }
  return host.heap().New<lang::List>(std::move(messages));
}

Outcome<Value> GetVar(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("get_var", args, {"name"}, 1));
  return StateOf(self).GetItem(host, bound[0]);
}

Outcome<Value> SetVar(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("set_var", args, {"name", "value"}, 2));
  ESP_TRY_ASSIGN(const bool done, StateOf(self).SetItem(host, bound[0], bound[1]));
  (void)done;
  return Value();
}

Outcome<Value> ForkMethod(Host& host, const Value& self, const Args& args) {
  constexpr std::int64_t kMostForks = 10'000;
  ESP_TRY_ASSIGN(const auto bound, BindArguments("fork", args, {"size", "position_ids_offset"}, 0));
  std::int64_t count = 1;
  if (!bound[0].is_unset()) {
    if (!bound[0].is_int()) return lang::TypeError("fork() takes an int");
    count = bound[0].as_int();
  }
  if (count < 1 || count > kMostForks) {
    return lang::ValueError(fmt::format("fork() takes 1 to {} forks, not {}", kMostForks, count));
  }
  return ForkInto(host, self, static_cast<int>(count));
}

Outcome<Value> Copy(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("copy", args, {"position_ids_offset"}, 0));
  ESP_TRY_ASSIGN(Value group, ForkInto(host, self, 1));
  return host.heap().New<CopyScope>(std::move(group));
}

Outcome<Value> VarScope(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("var_scope", args, {"name"}, 1));
  if (!bound[0].is_str()) return lang::TypeError("var_scope() takes a str");
  const std::string name(lang::TextOf(bound[0]));
  return host.heap().New<SegmentScope>(self, ScopeBegin{name}, ScopeEnd{name});
}

Outcome<Value> Sync(Host&, const Value& self, const Args& args) {
  ESP_TRY(script::CheckPositional("sync", args, 0, 0));
  StateObject& object = StateOf(self);
  ESP_TRY(object.executor().Sync(object.state()));
  return Value();
}

Outcome<Value> Error(Host&, const Value& self, const Args& args) {
  ESP_TRY(script::CheckPositional("error", args, 0, 0));
  StateObject& object = StateOf(self);
  ESP_TRY(object.executor().WaitUntilEnded(object.state()));
  return object.state().failed() ? object.executor().ExceptionOf(object.state()) : Value();
}

Outcome<Value> MetaInfo(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("get_meta_info", args, {"name"}, 1));
  ESP_TRY_ASSIGN(const Value value, StateOf(self).GetItem(host, bound[0]));
  (void)value;
  const Value* meta = StateOf(self).state().Meta(lang::TextOf(bound[0]));
  return meta == nullptr ? Value() : *meta;
}

// with s.user():, or s += s.user(expr) as SGLang's functions of the same name.
Outcome<Value> Role(Host& host, const Value& self, const Args& args, std::string_view role) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments(role, args, {"expr"}, 0));
  if (bound[0].is_unset() || bound[0].is_none()) {
    return host.heap().New<SegmentScope>(self, RoleBegin{std::string(role)},
                                         RoleEnd{std::string(role)});
  }
  ESP_TRY_ASSIGN(auto segments, SegmentsOf(bound[0]));
  segments.insert(segments.begin(), RoleBegin{std::string(role)});
  segments.push_back(RoleEnd{std::string(role)});
  return host.heap().New<PromptExpression>(std::move(segments));
}
Outcome<Value> System(Host& host, const Value& self, const Args& args) {
  return Role(host, self, args, "system");
}
Outcome<Value> User(Host& host, const Value& self, const Args& args) {
  return Role(host, self, args, "user");
}
Outcome<Value> Assistant(Host& host, const Value& self, const Args& args) {
  return Role(host, self, args, "assistant");
}

Outcome<Value> Stream(Host& host, const Value& self, const Value& name, TextStream::Gives gives) {
  std::optional<std::string> variable;
  if (!name.is_unset() && !name.is_none()) {
    if (!name.is_str()) return lang::TypeError("var_name must be a str");
    variable = lang::TextOf(name);
  }
  return host.heap().New<TextStream>(self, std::move(variable), gives);
}
Outcome<Value> TextIter(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("text_iter", args, {"var_name"}, 0));
  return Stream(host, self, bound[0], TextStream::Gives::kText);
}
Outcome<Value> TextAsyncIter(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound,
                 BindArguments("text_async_iter", args, {"var_name", "return_meta_data"}, 0));
  bool with_meta = false;
  if (!bound[1].is_unset()) {
    ESP_TRY_ASSIGN(with_meta, lang::Truth(host, bound[1]));
  }
  ESP_TRY_ASSIGN(Value stream,
                 Stream(host, self, bound[0],
                        with_meta ? TextStream::Gives::kTextAndMeta : TextStream::Gives::kText));
  return host.heap().New<AsyncTextStream>(std::move(stream));
}

struct MethodRow {
  std::string_view name;
  lang::NativeCode code;
};
constexpr MethodRow kStateMethods[] = {
    {"text", Text},
    {"messages", Messages},
    {"get_var", GetVar},
    {"set_var", SetVar},
    {"fork", ForkMethod},
    {"copy", Copy},
    {"var_scope", VarScope},
    {"sync", Sync},
    {"error", Error},
    {"get_meta_info", MetaInfo},
    {"system", System},
    {"user", User},
    {"assistant", Assistant},
    {"text_iter", TextIter},
    {"text_async_iter", TextAsyncIter},
};

lang::Fault CheckName(const Value& key) {
  if (key.is_str()) return lang::Fault();
  return lang::TypeError("the name of a variable must be a str, not '" +
                         std::string(lang::TypeName(key)) + "'");
}

}  // namespace

Outcome<Value> StateObject::AddInPlace(Host& host, const Value& value) {
  if (const auto* nested = Exactly<StateObject>(value)) return Append(*nested);
  ESP_TRY_ASSIGN(auto segments, SegmentsOf(value));
  for (Segment& segment : segments) {
    ESP_TRY(host.Step());
    executor_.Append(state_, std::move(segment));
  }
  return Value(this);
}

// s += other(s), where other has gone on with s itself, and s += f(x=...), whose text is
// appended.
Outcome<Value> StateObject::Append(const StateObject& nested) {
  if (&nested != this) {
    ESP_TRY(executor_.Sync(nested.state_));
    executor_.Append(state_, TextSegment{nested.state_.text()});
  }
  return Value(this);
}

Outcome<Value> StateObject::GetAttr(Host& host, std::string_view name) {
  if (name == "ret_value") {
    if (state_.function_runs()) ESP_TRY(executor_.WaitUntilEnded(state_));
    if (return_value.is_none() && state_.failed() && state_.raised()) {
      return executor_.ErrorOf(state_);
    }
    return return_value;
  }
  const auto* found = std::find_if(std::begin(kStateMethods), std::end(kStateMethods),
                                   [name](const MethodRow& row) { return row.name == name; });
  if (found == std::end(kStateMethods)) return Value::Unset();
  return host.heap().New<lang::NativeFunction>(found->name, found->code, Value(this));
}

Outcome<std::string> StateObject::Repr(Host& host) {
  ESP_TRY(executor_.Sync(state_));
  const std::string text = state_.text();
  ESP_TRY(host.Reserve(static_cast<std::int64_t>(text.size())));
  return "ProgramState(" + text + ")";
}

Outcome<Value> StateObject::GetItem(Host&, const Value& key) {
  ESP_TRY(CheckName(key));
  return executor_.Read(state_, lang::TextOf(key));
}

Outcome<bool> StateObject::SetItem(Host&, const Value& key, Value value) {
  ESP_TRY(CheckName(key));
  executor_.Set(state_, lang::TextOf(key), std::move(value));
  return true;
}

Outcome<Value> StateObject::Contains(Host&, const Value& key) {
  ESP_TRY(CheckName(key));
  return Value::Bool(state_.Find(lang::TextOf(key)) != nullptr);
}

}  // namespace espalier::program
