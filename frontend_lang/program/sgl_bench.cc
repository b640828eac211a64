#include "frontend_lang/program/sgl_bench.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend_lang/program/sgl_runtime.h"
#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/machine/machine.h"
#include "frontend_lang/script/modules/json_text.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::program {

using lang::Args;
using lang::Host;
using lang::Outcome;
using lang::Value;
using script::BindArguments;

namespace {

script::Machine& MachineOf(Host& host) { return static_cast<script::Machine&>(host); }

class JsonLines final : public lang::Iterator {
 public:
  // REQUIRES: lines is an Iterator.
  JsonLines(lang::Heap& heap, Value lines) : Iterator(heap), lines_(std::move(lines)) {}

  std::string_view TypeName() const override { return "generator"; }
  Outcome<bool> Next(Host& host, Value& value) override {
    for (Value line;;) {
      ESP_TRY_ASSIGN(const bool more, lines_.As<lang::Iterator>()->Next(host, line));
      if (!more) return false;
      if (lang::TextOf(line).starts_with('#')) continue;
      ESP_TRY_ASSIGN(value, script::ReadJson(host, lang::TextOf(line)));
      return true;
    }
  }

 private:
  void Clear() override { lines_ = Value(); }

  Value lines_;
};

struct Option {
  std::string_view flag, type, text;  // type: a built-in one; text: the default, if it is a str
  std::int64_t number = 0;            // if it is an int
};
constexpr Option kCommonOptions[] = {
    {"--parallel", "int", "", 64},    {"--host", "str", "http://127.0.0.1"},
    {"--port", "int", "", 30000},     {"--backend", "str", "srt"},
    {"--device", "str", "auto"},      {"--result-file", "str", "result.jsonl"},
    {"--raw-result-file", "str", ""},
};

Value DefaultOf(Host& host, const Option& option) {
  if (option.type == "int") return Value::Int(option.number);
  return option.text.empty() ? Value() : lang::MakeStr(host.heap(), option.text);
}

}  // namespace

Outcome<Value> ReadJsonl(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("read_jsonl", args, {"filename"}, 1));
  ESP_TRY_ASSIGN(const Value file,
                 host.Call(MachineOf(host).Builtin("open"), Args{{&bound[0], 1}, {}}));
  ESP_TRY_ASSIGN(Value lines, lang::Iterate(host, file));
  return host.heap().New<JsonLines>(std::move(lines));
}

Outcome<Value> DumpStateText(Host&, const Value& self, const Args&) {
  script::Exactly<BackendChoice>(self)->executor().Note(
      "dump_state_text: programs write no files; nothing was written");
  return Value();
}

Outcome<Value> PrintHighlight(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("print_highlight", args, {"html_content"}, 1));
  return host.Call(MachineOf(host).Builtin("print"), Args{{&bound[0], 1}, {}});
}

Outcome<Value> RefuseNetwork(Host&, const Value&, const Args&) {
  return lang::Raise("PermissionError",
                     "programs reach no network; get the file yourself and grant its folder with "
                     "--allow-read");
}

Outcome<Value> AddCommonArgs(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound,
                 BindArguments("add_common_sglang_args_and_parse", args, {"parser"}, 1));
  const Value parser = bound[0];
  for (const Option& option : kCommonOptions) {
    const Value flag = lang::MakeStr(host.heap(), option.flag);
    const lang::Keyword keywords[] = {{"type", MachineOf(host).Builtin(option.type)},
                                      {"default", DefaultOf(host, option)}};
    ESP_TRY_ASSIGN(const Value added,
                   lang::CallAttr(host, parser, "add_argument", Args{{&flag, 1}, keywords}));
    (void)added;
  }
  return lang::CallAttr(host, parser, "parse_args", Args{});
}

Outcome<Value> SelectBackend(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("select_sglang_backend", args, {"args"}, 1));
  (void)bound;
  return MakeBackendChoice(host, self, Args{});
}

}  // namespace espalier::program
