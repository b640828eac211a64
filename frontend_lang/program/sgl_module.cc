// The module sglang and its parts (declared in sgl_function.h).
#include <map>

#include <fmt/format.h>

#include "frontend_lang/program/choices.h"
#include "frontend_lang/program/gen_parameters.h"
#include "frontend_lang/program/prompt_expression.h"
#include "frontend_lang/program/reasoning.h"
#include "frontend_lang/program/sgl_bench.h"
#include "frontend_lang/program/sgl_function.h"
#include "frontend_lang/program/sgl_runtime.h"
#include "frontend_lang/program/sgl_types.h"
#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::program {
namespace {

using lang::Args;
using lang::Host;
using lang::Outcome;
using lang::Value;
using script::BindArguments;
using script::Exactly;

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
  return host.heap().New<SglFunction>(Exactly<BackendChoice>(self)->executor(), args.positional[0],
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

Outcome<Value> RefuseMedia(Host&, const Value&, const Args&) {
  return lang::Raise("NotImplementedError",
                     "sgl.image and sgl.video: images and videos are not in the language");
}
Outcome<Value> RefuseEngine(Host&, const Value&, const Args&) {
  return lang::Raise("NotImplementedError",
                     "sgl.Engine is not in the language: write an @sgl.function and run it, or "
                     "use `espalier generate`");
}

// Every gen of the expression separates what it reasons from what it answers.
Outcome<Value> Reasoned(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound,
                 BindArguments("separate_reasoning", args, {"expr", "model_type"}, 2));
  if (!bound[1].is_str()) return lang::TypeError("model_type must be a str");
  const std::string model_type(lang::TextOf(bound[1]));
  if (const Status known = CheckReasoningModel(model_type); !known.ok()) {
    return lang::ValueError(known.message());
  }
  ESP_TRY_ASSIGN(auto segments, SegmentsOf(bound[0]));
  for (Segment& segment : segments) {
    if (auto* gen = std::get_if<GenSegment>(&segment)) gen->reasoning = model_type;
  }
  return host.heap().New<PromptExpression>(std::move(segments));
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
    {"set_default_backend", SetDefaultBackend},
    {"Runtime", MakeBackendChoice},
    {"RuntimeEndpoint", MakeBackendChoice},
    {"Engine", RefuseEngine},
    {"OpenAI", MakeBackendChoice},
    {"Anthropic", MakeBackendChoice},
    {"VertexAI", MakeBackendChoice},
    {"LiteLLM", MakeBackendChoice},
    {"flush_cache", FlushCache},
    {"get_server_info", GetServerFacts},
    {"image", RefuseMedia},
    {"video", RefuseMedia},
    {"separate_reasoning", Reasoned},
};

Outcome<Value> RefuseServer(Host&, const Value&, const Args&) {
  return lang::Raise("NotImplementedError",
                     "programs start and stop no servers; the model of the command line, or the "
                     "server that it names, is there already");
}

Outcome<Value> BuildRegexFromObject(Host& host, const Value&, const Args& args) {
  return MakeSchemaPattern(host, args);
}

// Modules of SGLang that programs import names from: a row a name.
struct PartRow {
  std::string_view module, name;
  lang::NativeCode code;
};
constexpr PartRow kParts[] = {
    {"sglang.srt.constrained", "build_regex_from_object", BuildRegexFromObject},
    {"sglang.srt.constrained.outlines_backend", "build_regex_from_object", BuildRegexFromObject},
    {"sglang.lang.chat_template", "get_chat_template", GetChatTemplate},
    {"sglang.lang.backend.runtime_endpoint", "RuntimeEndpoint", MakeBackendChoice},
    {"sglang.lang.backend.openai", "OpenAI", MakeBackendChoice},
    {"sglang.lang.backend.anthropic", "Anthropic", MakeBackendChoice},
    {"sglang.lang.backend.vertexai", "VertexAI", MakeBackendChoice},
    {"sglang.lang.backend.litellm", "LiteLLM", MakeBackendChoice},
    {"sglang.lang.backend.runtime_endpoint", "Runtime", MakeBackendChoice},
    {"sglang.utils", "read_jsonl", ReadJsonl},
    {"sglang.utils", "dump_state_text", DumpStateText},
    {"sglang.utils", "print_highlight", PrintHighlight},
    {"sglang.utils", "download_and_cache_file", RefuseNetwork},
    {"sglang.utils", "http_request", RefuseNetwork},
    {"sglang.utils", "launch_server_cmd", RefuseServer},
    {"sglang.utils", "wait_for_server", RefuseServer},
    {"sglang.utils", "terminate_process", RefuseServer},
    {"sglang.test.test_utils", "add_common_sglang_args_and_parse", AddCommonArgs},
    {"sglang.test.test_utils", "select_sglang_backend", SelectBackend},
};

// What SGLang holds gen(dtype=...) to.
constexpr std::pair<std::string_view, std::string_view> kPatterns[] = {
    {"REGEX_INT", "[-+]?[0-9]+[ \\n]*"},
    {"REGEX_FLOAT", "[-+]?[0-9]*\\.?[0-9]+[ \\n]*"},
    {"REGEX_BOOL", "(True|False)"},
    {"REGEX_STR", "\\\"[\\w\\d\\s]*\\\""},
};

// The module of that dotted name, made with those around it where there is none.
class ModuleTree {
 public:
  ModuleTree(script::Machine& machine, Value root) : machine_(machine), root_(std::move(root)) {
    machine_.AddModule("sglang", root_);
  }
  script::Module& At(const std::string& name) {
    if (name == "sglang") return *Exactly<script::Module>(root_);
    Value& module = modules_[name];
    if (module.is_none()) {
      module = machine_.heap().New<script::Module>(name);
      machine_.AddModule(name, module);
      const std::size_t dot = name.rfind('.');
      At(name.substr(0, dot)).Add(name.substr(dot + 1), module);
    }
    return *Exactly<script::Module>(module);
  }

 private:
  script::Machine& machine_;
  const Value root_;
  std::map<std::string, Value> modules_;
};

void AddChoicesMethods(lang::Heap& heap, script::Module& to) {
  for (const auto method : {ChoicesMethod::kTokenLengthNormalized,
                            ChoicesMethod::kGreedyTokenSelection, ChoicesMethod::kUnconditional}) {
    to.Add(MethodName(method), lang::MakeStr(heap, MethodName(method)));
  }
}

}  // namespace

void AddSglModules(script::Machine& machine, Executor& executor) {
  lang::Heap& heap = machine.heap();
  const Value made = heap.New<script::Module>("sglang");
  machine.AddBuiltin("sgl", made);
  ModuleTree tree(machine, made);
  const Value run = heap.New<BackendChoice>(executor);
  script::Module& module = *Exactly<script::Module>(made);
  for (const auto& [name, code] : kFunctions) {
    const Value function = heap.New<lang::NativeFunction>(name, code, run);
    module.Add(name, function);
    for (const char* same : {"sglang.api", "sglang.lang.api"}) tree.At(same).Add(name, function);
  }
  module.Add("__version__", lang::MakeStr(heap, std::string_view("0.5.0")));
  AddChoicesMethods(heap, module);
  AddChoicesMethods(heap, tree.At("sglang.lang.choices"));
  for (const auto& [name, pattern] : kPatterns) {
    tree.At("sglang.lang.ir").Add(name, lang::MakeStr(heap, pattern));
  }
  for (const auto& [part, name, code] : kParts) {
    tree.At(std::string(part)).Add(name, heap.New<lang::NativeFunction>(name, code, run));
  }
  AddSglTypes(machine, [&tree](const std::string& part, std::string_view name, Value type) {
    tree.At(part).Add(name, std::move(type));
  });
  const Value config = heap.New<GlobalConfig>(run);
  module.Add("global_config", config);  // before the module of that name: it is what SGLang shows
  tree.At("sglang.global_config").Add("global_config", config);
}

}  // namespace espalier::program
