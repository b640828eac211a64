#include "frontend_lang/script/pydantic/model_dump.h"

#include <algorithm>

#include "frontend_lang/script/classes/dataclass.h"
#include "frontend_lang/script/classes/descriptors.h"
#include "frontend_lang/script/classes/enum_class.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/classes/type_functions.h"
#include "frontend_lang/script/pydantic/continuation.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/json_values.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/set.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

// What a serializer is told of the dump.
class DumpNote final : public lang::Extension {
 public:
  DumpNote(Heap& heap, const DumpOptions& options, std::string field)
      : Extension(heap, lang::Type::kExtension), options_(options), field_(std::move(field)) {}

  std::string_view TypeName() const override { return "SerializationInfo"; }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override {
    constexpr std::pair<std::string_view, bool DumpOptions::*> kFlags[] = {
        {"by_alias", &DumpOptions::by_alias},
        {"exclude_none", &DumpOptions::exclude_none},
        {"exclude_unset", &DumpOptions::exclude_unset},
        {"exclude_defaults", &DumpOptions::exclude_defaults}};
    for (const auto& [flag, member] : kFlags) {
      if (flag == name) return Value::Bool(options_.*member);
    }
    if (name == "mode") {
      return lang::MakeStr(host.heap(), std::string(options_.json ? "json" : "python"));
    }
    if (name == "field_name") return lang::MakeStr(host.heap(), field_);
    if (name == "context") return Value();
    if (name == "mode_is_json") return ModeIsJson(host);
    return Value::Unset();
  }

 private:
  Outcome<Value> ModeIsJson(Host& host) {
    return host.heap().New<lang::NativeFunction>(
        "mode_is_json",
        [](Host&, const Value& self, const Args&) -> Outcome<Value> {
          return Value::Bool(Exactly<DumpNote>(self)->options_.json);
        },
        Value(this));
  }
  void Clear() override { options_.include = options_.exclude = Value(); }

  DumpOptions options_;
  const std::string field_;
};

class Dumper {
 public:
  Dumper(Host& host, const DumpOptions& options) : host_(host), options_(options) {}

  Outcome<Value> Any(const Value& value) {
    lang::NestedScope scope(host_);
    ESP_TRY(scope.Check());
    ESP_TRY(host_.Step());
    if (ModelOf(value) != nullptr) return Model(value, {}, {});
    if (value.If<Instance>() != nullptr) return Object(value);
    if (const auto* list = value.If<lang::List>()) return Items(list->items(), value.type());
    if (const auto* tuple = value.If<lang::Tuple>()) return Items(tuple->items(), value.type());
    if (const auto* set = value.If<lang::Set>()) {
      ESP_TRY_ASSIGN(const auto items, lang::Collect(host_, value));
      return Items(items, value.type(), set->kind());
    }
    if (const auto* dict = value.If<lang::Dict>()) return Entries(*dict);
    return value;
  }

  Outcome<Value> Model(const Value& value, const Value& include, const Value& exclude) {
    const Value held = value.As<Instance>()->cls().details;
    const auto* serializer = FindSerializer(*Exactly<ModelFields>(held), "");
    if (serializer == nullptr || !Runs(*serializer, value)) return Plain(value, include, exclude);
    std::vector<Value> args = {value};
    if (serializer->when == When::kWrap) {
      args.push_back(GoOn([](Dumper& dumper, const Value& given) {
        if (ModelOf(given) != nullptr) return dumper.Plain(given, {}, {});
        return dumper.Any(given);
      }));
    }
    ESP_TRY_ASSIGN(const Value made, CallSerializer(*serializer, std::move(args), ""));
    return Any(made);
  }

 private:
  // The fields of a model, or what a RootModel stands for.
  Outcome<Value> Plain(const Value& value, const Value& include, const Value& exclude) {
    const Instance& instance = *value.As<Instance>();
    const Value held = instance.cls().details;
    const auto& model = *Exactly<ModelFields>(held);
    if (model.is_root) {
      const Value* root = instance.FindOwn(model.fields.front().name);
      return root == nullptr ? Value() : Field(value, model, model.fields.front(), Value(*root));
    }
    const Value made = host_.heap().New<lang::Dict>();
    for (const ModelField& field : model.fields) {
      const Value* found = instance.FindOwn(field.name);
      if (found == nullptr || field.excluded) continue;
      const Value given = *found;
      ESP_TRY_ASSIGN(const bool wanted, Wanted(instance, field, given, include, exclude));
      if (!wanted) continue;
      ESP_TRY_ASSIGN(const Value within, Nested(field, include));
      ESP_TRY_ASSIGN(const Value without, Nested(field, exclude));
      const bool whole = within.is_none() && without.is_none();
      auto dumped = whole ? Field(value, model, field, given) : Part(given, within, without);
      if (!dumped.ok()) return dumped.TakeFault();
      made.As<lang::Dict>()->PutStr(options_.by_alias ? field.dump_alias : field.name,
                                    std::move(*dumped));
    }
    if (const Value* extras = instance.FindOwn(kExtras)) {
      const Value kept = *extras;
      const auto& dict = *kept.As<lang::Dict>();
      for (std::size_t at = 0; const auto* entry = dict.EntryAt(at); ++at) {
        const Value key = entry->key, given = entry->value;
        ESP_TRY_ASSIGN(Value dumped, Any(given));
        ESP_TRY(made.As<lang::Dict>()->Put(host_, key, std::move(dumped)));
      }
    }
    for (const auto& [name, property] : model.computed) {
      ESP_TRY_ASSIGN(const Value computed, lang::GetAttr(host_, value, name));
      ESP_TRY_ASSIGN(const bool wanted, Named(name, include, exclude));
      if (wanted) ESP_TRY(Put(made, name, computed));
    }
    return made;
  }

  // Whether include and exclude leave a computed field.
  Outcome<bool> Named(std::string_view name, const Value& include, const Value& exclude) {
    if (options_.exclude_computed) return false;
    const Value key = lang::MakeStr(host_.heap(), name);
    if (!include.is_none()) return lang::Contains(host_, include, key);
    if (exclude.is_none()) return true;
    ESP_TRY_ASSIGN(const bool out, lang::Contains(host_, exclude, key));
    return !out;
  }

  // One field, by its serializer where it has one.
  Outcome<Value> Field(const Value& self, const ModelFields& model, const ModelField& field,
                       const Value& given) {
    const Serializer* serializer = FindSerializer(model, field.name);
    if (serializer == nullptr || !Runs(*serializer, given)) return Any(given);
    std::vector<Value> args = {self, given};
    if (serializer->when == When::kWrap) {
      args.push_back(GoOn([](Dumper& dumper, const Value& value) { return dumper.Any(value); }));
    }
    ESP_TRY_ASSIGN(const Value made, CallSerializer(*serializer, std::move(args), field.name));
    return Any(made);
  }

  bool Runs(const Serializer& serializer, const Value& value) const {
    if (serializer.for_json_only && !options_.json) return false;
    return !serializer.unless_none || !value.is_none();
  }

  // With a note about the dump, where the function takes one more argument.
  Outcome<Value> CallSerializer(const Serializer& serializer, std::vector<Value> args,
                                const std::string& field) {
    Value function = serializer.function;
    if (const auto* method = Exactly<StaticMethod>(function)) {
      args.erase(args.begin());
      function = method->function;
    } else if (const auto* method = Exactly<ClassMethod>(function)) {
      function = method->function;
    }
    if (TakesMore(function, static_cast<int>(args.size()))) {
      args.push_back(host_.heap().New<DumpNote>(options_, field));
    }
    return host_.Call(function, Args{args, {}});
  }

  // The function that a wrap serializer is given.
  template <typename Step>
  Value GoOn(Step step) {
    return host_.heap().New<Continuation>(
        [options = options_, step](Host& host, const Value& value) -> Outcome<Value> {
          Dumper dumper(host, options);
          return step(dumper, value);
        });
  }

  Fault Put(const Value& dict, std::string_view name, const Value& value) {
    const std::string held(name);
    ESP_TRY_ASSIGN(Value dumped, Any(value));
    dict.As<lang::Dict>()->PutStr(held, std::move(dumped));
    return Fault();
  }

  // What include or exclude says of the parts of a field: {"field": {"part"}}; None: nothing.
  Outcome<Value> Nested(const ModelField& field, const Value& choice) {
    const auto* dict = choice.If<lang::Dict>();
    const Value* found = dict == nullptr ? nullptr : dict->FindStr(field.name);
    if (found == nullptr || found->is_bool() || Exactly<EllipsisType>(*found) != nullptr) {
      return Value();
    }
    return *found;
  }

  Outcome<Value> Part(const Value& value, const Value& include, const Value& exclude) {
    if (include.is_none() && exclude.is_none()) return Any(value);
    if (ModelOf(value) != nullptr) return Model(value, include, exclude);
    return lang::Raise("NotImplementedError",
                       "include and exclude within lists and dicts are not in the language");
  }

  Outcome<bool> Wanted(const Instance& instance, const ModelField& field, const Value& value,
                       const Value& include, const Value& exclude) {
    if (options_.exclude_none && value.is_none()) return false;
    const Value name = lang::MakeStr(host_.heap(), field.name);
    if (options_.exclude_unset) {
      const Value* given = instance.FindOwn(kFieldsSet);
      if (given == nullptr) return false;  // made by __new__ alone
      ESP_TRY_ASSIGN(const bool set, lang::Contains(host_, Value(*given), name));
      if (!set) return false;
    }
    if (options_.exclude_defaults && !field.default_value.is_unset()) {
      ESP_TRY_ASSIGN(const bool same, lang::Equals(host_, field.default_value, value));
      if (same) return false;
    }
    if (!include.is_none()) {
      ESP_TRY_ASSIGN(const bool named, lang::Contains(host_, include, name));
      if (!named) return false;
    }
    if (exclude.is_none()) return true;
    ESP_TRY_ASSIGN(const bool named, lang::Contains(host_, exclude, name));
    ESP_TRY_ASSIGN(const Value parts, Nested(field, exclude));
    return !named || !parts.is_none();
  }

  // An object that is no model.
  Outcome<Value> Object(const Value& value) {
    const ClassObject& cls = value.As<Instance>()->cls();
    if (FieldsOf(cls) != nullptr) {
      ESP_TRY_ASSIGN(const Value dict, AsDict(host_, value));
      return Any(dict);
    }
    if (!options_.json) return value;
    if (MembersOf(cls) != nullptr) return Any(ValueOfMember(value));
    if (cls.module() == "datetime" || cls.module() == "uuid" || cls.module() == "pathlib") {
      ESP_TRY_ASSIGN(const Value module, static_cast<Machine&>(host_).Import("pydantic._text"));
      return lang::CallAttr(host_, module, "show", Args{{&value, 1}, {}});
    }
    const Value plain = lang::PlainOf(value);
    return plain.Is(value) ? value : Any(plain);
  }

  Outcome<Value> Items(const std::vector<Value>& items, lang::Type type,
                       lang::Set::Kind kind = lang::Set::Kind::kSet) {
    const std::vector<Value> held = items;
    std::vector<Value> made;
    for (const Value& item : held) {
      ESP_TRY_ASSIGN(Value dumped, Any(item));
      made.push_back(std::move(dumped));
    }
    if (options_.json || type == lang::Type::kList) {
      return host_.heap().New<lang::List>(std::move(made));
    }
    if (type == lang::Type::kTuple) return host_.heap().New<lang::Tuple>(std::move(made));
    const Value set = host_.heap().New<lang::Set>(kind);
    for (const Value& item : made) ESP_TRY(set.As<lang::Set>()->Add(host_, item));
    return set;
  }

  Outcome<Value> Entries(const lang::Dict& dict) {
    const Value made = host_.heap().New<lang::Dict>();
    for (std::size_t at = 0; const auto* entry = dict.EntryAt(at); ++at) {
      const Value given = entry->value;
      ESP_TRY_ASSIGN(Value key, Any(Value(entry->key)));
      ESP_TRY_ASSIGN(Value value, Any(given));
      if (options_.json && key.is_number() && !key.is_bool()) {
        ESP_TRY_ASSIGN(std::string text, lang::Text(host_, key));
        key = lang::MakeStr(host_.heap(), std::move(text));
      }
      ESP_TRY(made.As<lang::Dict>()->Put(host_, key, std::move(value)));
    }
    return made;
  }

  Host& host_;
  const DumpOptions& options_;
};

}  // namespace

Outcome<DumpOptions> ReadDumpOptions(Host& host, const Args& args) {
  constexpr std::pair<std::string_view, bool DumpOptions::*> kFlags[] = {
      {"by_alias", &DumpOptions::by_alias},
      {"exclude_none", &DumpOptions::exclude_none},
      {"exclude_unset", &DumpOptions::exclude_unset},
      {"exclude_defaults", &DumpOptions::exclude_defaults},
      {"exclude_computed_fields", &DumpOptions::exclude_computed}};
  if (!args.positional.empty()) return lang::TypeError("model_dump() takes keyword arguments only");
  DumpOptions options;
  options.include = options.exclude = Value();
  for (const lang::Keyword& keyword : args.keywords) {
    const auto* flag =
        std::ranges::find(kFlags, keyword.name, [](const auto& row) { return row.first; });
    if (flag != std::end(kFlags)) {
      ESP_TRY_ASSIGN(options.*(flag->second), lang::Truth(host, keyword.value));
    } else if (keyword.name == "mode") {
      options.json = keyword.value.is_str() && lang::TextOf(keyword.value) == "json";
    } else if (keyword.name == "include" || keyword.name == "exclude") {
      (keyword.name == "include" ? options.include : options.exclude) = keyword.value;
    } else if (keyword.name != "indent" && keyword.name != "warnings" &&
               keyword.name != "round_trip" && keyword.name != "context" &&
               keyword.name != "ensure_ascii" && keyword.name != "serialize_as_any" &&
               keyword.name != "fallback") {
      return lang::TypeError("BaseModel.model_dump() got an unexpected keyword argument '" +
                             std::string(keyword.name) + "'");
    }
  }
  return options;
}

Outcome<Value> Dump(Host& host, const Value& value, const DumpOptions& options) {
  Dumper dumper(host, options);
  if (ModelOf(value) == nullptr) return dumper.Any(value);
  return dumper.Model(value, options.include, options.exclude);
}

Outcome<nlohmann::ordered_json> DumpedJson(Host& host, const Value& value) {
  DumpOptions options;
  options.json = options.by_alias = true;
  ESP_TRY_ASSIGN(const Value plain, Dumper(host, options).Any(value));
  return lang::ToJson(host, plain);
}

JsonStyle DumpStyle(const Args& args) {
  JsonStyle style{.item_separator = ",", .key_separator = ":", .ensure_ascii = false};
  style.numbers = JsonStyle::Numbers::kPydantic;
  for (const lang::Keyword& keyword : args.keywords) {
    if (keyword.name != "indent" || !keyword.value.is_int()) continue;
    const auto width = std::clamp<std::int64_t>(keyword.value.as_int(), 0, 20);
    style.indent = std::string(static_cast<std::size_t>(width), ' ');
    style.key_separator = ": ";
  }
  return style;
}

}  // namespace espalier::script
