// json.JSONEncoder, from which programs derive to override default(), and JSONDecoder, whose
// raw_decode() reads a value at the beginning of a text.
#include <algorithm>
#include <string>
#include <vector>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/classes/build_class.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/modules/json_functions.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::TypeError;

// The keywords that it was made with: a hidden own attribute (kHiddenMark).
constexpr std::string_view kOptions =
    "\xff"
    "options";

// ---- JSONEncoder.

Outcome<Value> InitEncoder(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("JSONEncoder.__init__", {args.positional, {}}, 0, 0));
  auto* instance = self.If<Instance>();
  if (instance == nullptr) return TypeError("this is no JSONEncoder");
  const Value options = host.heap().New<lang::Dict>();
  for (const lang::Keyword& keyword : args.keywords) {
    if (keyword.name != "default") {
      options.As<lang::Dict>()->PutStr(keyword.name, keyword.value);
    } else if (!keyword.value.is_none()) {
      ESP_TRY(instance->PutOwn(host, "default", keyword.value));
    }
  }
  ESP_TRY(instance->PutOwn(host, kOptions, options));
  return Value();
}

Outcome<Value> DefaultOfEncoder(Host&, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("JSONEncoder.default", args, 1, 1));
  return TypeError("Object of type " + std::string(lang::TypeName(args.positional[0])) +
                   " is not JSON serializable");
}

Outcome<Value> Encode(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("JSONEncoder.encode", args, 1, 1));
  const auto* instance = self.If<Instance>();
  if (instance == nullptr) return TypeError("this is no JSONEncoder");
  const Value* given = instance->FindOwn(kOptions);  // none where __init__ was overridden
  const Value options = given != nullptr ? *given : host.heap().New<lang::Dict>();
  std::vector<lang::Keyword> keywords;
  for (std::size_t at = 0; const auto* entry = options.As<lang::Dict>()->EntryAt(at); ++at) {
    keywords.push_back({lang::TextOf(entry->key), entry->value});
  }
  ESP_TRY_ASSIGN(Value fallback, lang::GetAttr(host, self, "default"));
  keywords.push_back({"default", std::move(fallback)});
  ESP_TRY_ASSIGN(std::string text, WriteStyled(host, args.positional[0], keywords));
  return lang::MakeStr(host.heap(), std::move(text));
}

// The text as one piece.
Outcome<Value> IterEncode(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(Value text, lang::CallAttr(host, self, "encode", args));
  return lang::Iterate(host, host.heap().New<lang::List>(std::vector<Value>{std::move(text)}));
}

constexpr NativeMethod::Row kEncoderMethods[] = {{"__init__", InitEncoder},
                                                 {"default", DefaultOfEncoder},
                                                 {"encode", Encode},
                                                 {"iterencode", IterEncode}};

// ---- JSONDecoder.

class Decoder final : public lang::Extension {
 public:
  Decoder(Heap& heap, JsonHooks hooks)
      : Extension(heap, lang::Type::kExtension), hooks_(std::move(hooks)) {}

  std::string_view TypeName() const override { return "JSONDecoder"; }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;
  const JsonHooks& hooks() const { return hooks_; }

 private:
  void Clear() override { hooks_ = JsonHooks(); }

  JsonHooks hooks_;
};

const JsonHooks& HooksOf(const Value& self) {
  return static_cast<const Decoder*>(self.object())->hooks();
}

Outcome<Value> Decode(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("decode", args, {"s"}, 1));
  if (!bound[0].is_str())
    return TypeError("expected string or bytes-like object, got '" +
                     std::string(lang::TypeName(bound[0])) + "'");
  return ReadJson(host, lang::TextOf(bound[0]), HooksOf(self));
}

Outcome<Value> RawDecode(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("raw_decode", args, {"s", "idx"}, 1));
  const auto* text = bound[0].If<lang::Str>();
  if (text == nullptr)
    return TypeError("first argument must be a string, not " +
                     std::string(lang::TypeName(bound[0])));
  std::int64_t begin = 0;
  if (!bound[1].is_unset()) {
    ESP_TRY_ASSIGN(begin, IndexArgument(bound[1]));
  }
  if (begin < 0) return lang::ValueError("idx cannot be negative");
  const std::size_t offset = text->OffsetOf(std::min(begin, text->length()));
  ESP_TRY_ASSIGN(JsonPrefix read, ReadJsonPrefix(host, text->bytes(), offset, HooksOf(self)));
  return host.heap().New<lang::Tuple>(
      std::vector<Value>{std::move(read.value), Value::Int(text->IndexOf(read.end))});
}

Outcome<Value> Decoder::GetAttr(Host& host, std::string_view name) {
  constexpr ModuleFunction kMethods[] = {{"decode", Decode}, {"raw_decode", RawDecode}};
  for (const ModuleFunction& row : kMethods) {
    if (row.name != name) continue;
    return host.heap().New<lang::NativeFunction>(row.name, row.code, Value(this));
  }
  return Value::Unset();
}

Outcome<Value> MakeDecoder(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("JSONDecoder.__init__", {args.positional, {}}, 0, 0));
  ESP_TRY_ASSIGN(JsonHooks hooks, ReadHooks(host, args.keywords));
  return host.heap().New<Decoder>(std::move(hooks));
}

}  // namespace

void AddJsonClasses(Machine& machine, const Value& module) {
  ModuleOf(module).Add("JSONEncoder", NativeClass(machine.heap(), "JSONEncoder", OrdinaryClasses(),
                                                  kEncoderMethods));
  ModuleOf(module).Add("JSONDecoder",
                       NewType(machine, "json.decoder.JSONDecoder", MakeDecoder,
                               [](const Value& v) { return Exactly<Decoder>(v) != nullptr; }));
}

}  // namespace espalier::script
