#include "frontend_lang/script/classes/payload.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/dict_operations.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/set.h"
#include "frontend_lang/script/values/set_operations.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::TypeError;

enum class Making : unsigned char {
  kFromArguments,  // by __new__
  kFilled,         // by __init__, the same object
  kMadeAnew,       // by __init__, another one: nobody else has seen the first
};

struct Carried {
  std::string_view type;
  Making making;
};
constexpr Carried kCarried[] = {
    {"bytes", Making::kFromArguments},
    {"collections.Counter", Making::kMadeAnew},
    {"collections.OrderedDict", Making::kMadeAnew},
    {"collections.defaultdict", Making::kMadeAnew},
    {"collections.deque", Making::kMadeAnew},
    {"dict", Making::kFilled},
    {"float", Making::kFromArguments},
    {"frozenset", Making::kFromArguments},
    {"functools.partial", Making::kFromArguments},
    {"int", Making::kFromArguments},
    {"json.decoder.JSONDecoder", Making::kMadeAnew},
    {"list", Making::kFilled},
    {"random.Random", Making::kMadeAnew},
    {"set", Making::kFilled},
    {"str", Making::kFromArguments},
    {"tuple", Making::kFromArguments},
    {"type", Making::kFromArguments},
};

const Carried* FindCarried(std::string_view type) {
  const auto* found = std::ranges::find(kCarried, type, &Carried::type);
  return found == std::end(kCarried) ? nullptr : found;
}

std::string_view TypeOfPayload(const ClassObject& cls) {
  const auto* type = Exactly<TypeObject>(cls.payload_type());
  return type == nullptr ? std::string_view() : type->name();
}

Making MakingOf(const ClassObject& cls) {
  const Carried* found = FindCarried(TypeOfPayload(cls));
  return found == nullptr ? Making::kFromArguments : found->making;
}

Fault FillDict(Host& host, lang::Dict& dict, const Args& args) {
  if (args.positional.size() > 1) {
    return TypeError(
        fmt::format("dict expected at most 1 argument, got {}", args.positional.size()));
  }
  if (!args.positional.empty()) ESP_TRY(lang::UpdateDict(host, dict, args.positional[0]));
  for (const lang::Keyword& keyword : args.keywords) {
    ESP_TRY(host.Step());
    dict.PutStr(keyword.name, keyword.value);
  }
  return Fault();
}

// The class called with what the payload holds, as copy() of its type does.
Outcome<Value> Remade(Host& host, Instance& instance, const Value& content) {
  std::vector<Value> args{content};
  if (content.is_extension()) {  // a deque
    ESP_TRY_ASSIGN(Value limit, lang::ExtensionOf(content).GetAttr(host, "maxlen"));
    if (!limit.is_unset() && !limit.is_none()) args.push_back(std::move(limit));
  }
  const auto* dict = content.If<lang::Dict>();
  if (dict != nullptr && dict->kind() != nullptr && dict->kind()->has_factory) {
    args.insert(args.begin(), dict->default_factory());
  }
  return host.Call(Value(&instance.cls()), Args{args, {}});
}

Outcome<Value> CopyInstance(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("copy", args, 0, 0));
  auto& instance = *self.As<Instance>();
  return Remade(host, instance, Value(instance.payload));
}

Outcome<Value> FromKeys(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("fromkeys", args, 1, 2));
  const Value value = args.positional.size() == 2 ? args.positional[1] : Value();
  ESP_TRY_ASSIGN(const Value made, host.Call(self, {}));
  ESP_TRY(lang::ForEach(host, args.positional[0], [&](const Value& key) -> Fault {
    return lang::SetItem(host, made, key, value);
  }));
  return made;
}

}  // namespace

bool CanCarry(std::string_view type) { return FindCarried(type) != nullptr; }

Outcome<Value> MakePayload(Host& host, const ClassObject& cls, const Args& args) {
  const Value type = cls.payload_type();
  return lang::ExtensionOf(type).Call(host,
                                      MakingOf(cls) == Making::kFromArguments ? args : Args{});
}

Fault InitPayload(Host& host, Instance& instance, const Args& args) {
  const Value type = instance.cls().payload_type();
  if (MakingOf(instance.cls()) == Making::kMadeAnew) {
    ESP_TRY_ASSIGN(instance.payload, lang::ExtensionOf(type).Call(host, args));
    return Fault();
  }
  const Value payload = instance.payload;
  if (auto* dict = payload.If<lang::Dict>()) return FillDict(host, *dict, args);
  if (args.positional.empty()) return Fault();
  if (auto* list = payload.If<lang::List>()) {
    ESP_TRY_ASSIGN(auto items, lang::Collect(host, args.positional[0]));
    list->Replace(std::move(items));
  } else if (auto* set = payload.If<lang::Set>(); set != nullptr && !set->frozen()) {
    return lang::AddAll(host, *set, args.positional[0]);
  }
  return Fault();
}

Outcome<std::string> ReprPayload(Host& host, const Instance& instance) {
  const Value payload = instance.payload;
  ESP_TRY_ASSIGN(std::string text, lang::Repr(host, payload));
  const std::string& name = instance.cls().name();
  const auto* set = payload.If<lang::Set>();
  if (set != nullptr && set->size() > 0 && !set->frozen()) return fmt::format("{}({})", name, text);
  const bool named = set != nullptr || MakingOf(instance.cls()) == Making::kMadeAnew ||
                     TypeOfPayload(instance.cls()) == "functools.partial";
  const std::size_t opening = text.find('(');
  if (!named || opening == std::string::npos) return text;
  return name + text.substr(opening);
}

Outcome<Value> AsOwnResult(Host& host, Instance& instance, lang::BinaryOp op, Value result) {
  const std::string_view type = TypeOfPayload(instance.cls());
  const bool made =
      !result.is_unset() && lang::TypeName(result) == lang::TypeName(instance.payload);
  const bool own = type == "collections.deque" ||
                   ((type == "collections.OrderedDict" || type == "collections.defaultdict") &&
                    op == lang::BinaryOp::kOr);
  if (!made || !own) return result;
  return Remade(host, instance, result);
}

Outcome<Value> CopyMethodOf(Host& host, Instance& instance) {
  const std::string_view type = TypeOfPayload(instance.cls());
  if (!type.starts_with("collections.")) return Value::Unset();
  return host.heap().New<lang::NativeFunction>("copy", CopyInstance, Value(&instance));
}

Outcome<Value> FromKeysOf(Host& host, ClassObject& cls) {
  const std::string_view type = TypeOfPayload(cls);
  if (type != "dict" && type != "collections.OrderedDict" && type != "collections.defaultdict") {
    return Value::Unset();
  }
  return host.heap().New<lang::NativeFunction>("fromkeys", FromKeys, Value(&cls));
}

}  // namespace espalier::script
