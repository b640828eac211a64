// The module sglang (declared in sgl_function.h).
#include <fmt/format.h>

#include "frontend_lang/program/choices.h"
#include "frontend_lang/program/gen_parameters.h"
#include "frontend_lang/program/prompt_expression.h"
#include "frontend_lang/program/sgl_function.h"
#include "frontend_lang/script/arguments.h"
#include "frontend_lang/script/dict.h"
#include "frontend_lang/script/str.h"

namespace espalier::program {
namespace {

using lang::Args;
using lang::Host;
using lang::Outcome;
using lang::Value;
using script::BindArguments;
using script::Exactly;

// What the module's functions know of their run; their `self`.
class SglRuntime final : public lang::Extension {
 public:
  SglRuntime(lang::Heap& heap, Executor& executor)
      : Extension(heap, lang::Type::kExtension), executor(executor) {}
  std::string_view TypeName() const override { return "Runtime"; }
  // runtime.shutdown(), runtime.flush_cache(): nothing to do.
  Outcome<Value> GetAttr(Host& host, std::string_view name) override {
    if (name != "shutdown" && name != "flush_cache") return Value::Unset();
    return host.heap().New<lang::NativeFunction>(
        "shutdown", [](Host&, const Value&, const Args&) -> Outcome<Value> { return Value(); });
  }

  Executor& executor;
  bool noted = false;
};

Outcome<Value> Decorate(Host& host, const Value& self, const Args& args) {
  if (args.positional.empty()) return self;  // @sgl.function(num_api_spec_tokens=8)
  const auto* function = Exactly<script::ScriptFunction>(args.positional[0]);
  if (function == nullptr) return lang::TypeError("@sgl.function stands before a def");
  const script::Routine& routine = function->routine();
  if (routine.num_positional == 0 || routine.locals[0] != "s") {
    return lang::Raise("AssertionError",
                       fmt::format("the first parameter of {} must be named s: the "
                                   "state of the prompt",
                                   routine.name));
  }
  return host.heap().New<SglFunction>(Exactly<SglRuntime>(self)->executor, args.positional[0],
                                      SglFunction::Bound{});
}

Outcome<Value> DecorateFactory(Host& host, const Value& self, const Args& args) {
  if (!args.positional.empty()) return Decorate(host, self, args);
  for (const lang::Keyword& keyword : args.keywords) {
    if (keyword.name != "num_api_spec_tokens") {
      return lang::TypeError(
          fmt::format("function() got an unexpected keyword argument '{}'", keyword.name));
    }
  }
  return host.heap().New<lang::NativeFunction>("function", Decorate, self);
}

Outcome<Value> Gen(Host& host, const Value&, const Args& args) { return MakeGen(host, args); }
Outcome<Value> GenInt(Host& host, const Value&, const Args& args) {
  return MakeTypedGen(host, args, "int");
}
Outcome<Value> GenString(Host& host, const Value&, const Args& args) {
  return MakeTypedGen(host, args, "str");
}
Outcome<Value> Select(Host& host, const Value&, const Args& args) { return MakeSelect(host, args); }

Outcome<Value> Role(Host& host, const Args& args, const std::string& role) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments(role, args, {"expr"}, 0));
  std::vector<Segment> segments;
  if (!bound[0].is_unset() && !bound[0].is_none()) {
    ESP_TRY_ASSIGN(segments, SegmentsOf(bound[0]));
  }
  segments.insert(segments.begin(), RoleBegin{role});
  segments.push_back(RoleEnd{role});
  return host.heap().New<PromptExpression>(std::move(segments));
}
Outcome<Value> System(Host& host, const Value&, const Args& args) {
  return Role(host, args, "system");
}
Outcome<Value> User(Host& host, const Value&, const Args& args) { return Role(host, args, "user"); }
Outcome<Value> Assistant(Host& host, const Value&, const Args& args) {
  return Role(host, args, "assistant");
}

enum class RoleName { kSystem, kUser, kAssistant };
std::string TextOf(RoleName role) {
  return role == RoleName::kSystem ? "system" : role == RoleName::kUser ? "user" : "assistant";
}
template <typename Part, RoleName role>
Outcome<Value> RolePart(Host& host, const Value&, const Args& args) {
  ESP_TRY(script::CheckPositional(TextOf(role), args, 0, 0));
  return host.heap().New<PromptExpression>(std::vector<Segment>{Part{TextOf(role)}});
}

// set_default_backend, Runtime, RuntimeEndpoint, OpenAI, ...
Outcome<Value> ChooseBackend(Host&, const Value& self, const Args&) {
  auto* runtime = Exactly<SglRuntime>(self);
  if (!std::exchange(runtime->noted, true)) {
    runtime->executor.Note(
        "the command line decides the backend (--model, --url); the program's choice is ignored");
  }
  return self;
}

lang::Fault BackendFault(Host& host, const Status& status) {
  return script::RaiseStatus(host.heap(), "RuntimeError", status, status.message());
}

Outcome<Value> FlushCache(Host& host, const Value& self, const Args&) {
  auto model = Exactly<SglRuntime>(self)->executor.backend();
  const Status status = model.ok() ? (*model)->FlushCache() : model.status();
  if (!status.ok()) return BackendFault(host, status);
  return Value();
}

Outcome<Value> ServerInfo(Host& host, const Value& self, const Args&) {
  auto model = Exactly<SglRuntime>(self)->executor.backend();
  if (!model.ok()) return BackendFault(host, model.status());
  auto facts = (*model)->ServerFacts();
  if (!facts.ok()) return BackendFault(host, facts.status());
  const Value made = host.heap().New<lang::Dict>();
  for (const auto& [name, fact] : *facts) {
    made.As<lang::Dict>()->PutStr(host, name, lang::MakeStr(host.heap(), fact));
  }
  return made;
}

Outcome<Value> RefuseMedia(Host&, const Value&, const Args&) {
  return lang::Raise("NotImplementedError", "images and videos are not in the language");
}
Outcome<Value> RefuseReasoning(Host&, const Value&, const Args&) {
  return lang::Raise("NotImplementedError", "separate_reasoning is not in the language yet");
}

using Row = std::pair<std::string_view, lang::NativeCode>;
constexpr Row kFunctions[] = {
    {"function", DecorateFactory},
    {"gen", Gen},
    {"gen_int", GenInt},
    {"gen_string", GenString},
    {"select", Select},
    {"system", System},
    {"user", User},
    {"assistant", Assistant},
    {"system_begin", RolePart<RoleBegin, RoleName::kSystem>},
    {"system_end", RolePart<RoleEnd, RoleName::kSystem>},
    {"user_begin", RolePart<RoleBegin, RoleName::kUser>},
    {"user_end", RolePart<RoleEnd, RoleName::kUser>},
    {"assistant_begin", RolePart<RoleBegin, RoleName::kAssistant>},
    {"assistant_end", RolePart<RoleEnd, RoleName::kAssistant>},
    {"set_default_backend", ChooseBackend},
    {"Runtime", ChooseBackend},
    {"RuntimeEndpoint", ChooseBackend},
    {"Engine", ChooseBackend},
    {"OpenAI", ChooseBackend},
    {"Anthropic", ChooseBackend},
    {"VertexAI", ChooseBackend},
    {"LiteLLM", ChooseBackend},
    {"flush_cache", FlushCache},
    {"get_server_info", ServerInfo},
    {"image", RefuseMedia},
    {"video", RefuseMedia},
    {"separate_reasoning", RefuseReasoning},
};

}  // namespace

Value MakeSglModule(lang::Heap& heap, Executor& executor) {
  const Value made = heap.New<script::Module>("sglang");
  auto& module = *Exactly<script::Module>(made);
  const Value runtime = heap.New<SglRuntime>(executor);
  for (const auto& [name, code] : kFunctions) {
    module.Add(name, heap.New<lang::NativeFunction>(name, code, runtime));
  }
  for (const auto method : {ChoicesMethod::kTokenLengthNormalized,
                            ChoicesMethod::kGreedyTokenSelection, ChoicesMethod::kUnconditional}) {
    module.Add(MethodName(method), lang::MakeStr(heap, MethodName(method)));
  }
  return made;
}

}  // namespace espalier::program
