// The module dataclasses.
#include <algorithm>

#include <fmt/format.h>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/classes/dataclass.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/classes/type_forms.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::TypeError;

class MissingType final : public lang::Extension {
 public:
  explicit MissingType(Heap& heap) : Extension(heap, lang::Type::kExtension) {}
  std::string_view TypeName() const override { return "_MISSING_TYPE"; }
  Outcome<std::string> Repr(Host&) override {
    return std::string("<dataclasses._MISSING_TYPE object>");
  }
};

// @dataclass with its options bound: called with the class.
class Decorator final : public lang::Extension {
 public:
  Decorator(Heap& heap, DataclassOptions options)
      : Extension(heap, lang::Type::kExtension), options_(options) {}
  std::string_view TypeName() const override { return "function"; }
  Outcome<Value> Call(Host& host, const Args& args) override {
    ESP_TRY(CheckPositional("dataclass", args, 1, 1));
    auto* cls = args.positional[0].If<ClassObject>();
    if (cls == nullptr) return TypeError("@dataclass stands before a class");
    ESP_TRY(MakeDataclass(host, *cls, options_));
    return args.positional[0];
  }

 private:
  DataclassOptions options_;
};

Outcome<Value> Dataclass(Host& host, const Value&, const Args& args) {
  constexpr std::pair<std::string_view, bool DataclassOptions::*> kOptions[] = {
      {"init", &DataclassOptions::init},     {"repr", &DataclassOptions::repr},
      {"eq", &DataclassOptions::eq},         {"order", &DataclassOptions::order},
      {"frozen", &DataclassOptions::frozen}, {"unsafe_hash", &DataclassOptions::unsafe_hash},
      {"slots", &DataclassOptions::slots},   {"kw_only", &DataclassOptions::keyword_only}};
  DataclassOptions options;
  for (const lang::Keyword& keyword : args.keywords) {
    const auto* found =
        std::ranges::find(kOptions, keyword.name, [](const auto& row) { return row.first; });
    if (found != std::end(kOptions)) {
      ESP_TRY_ASSIGN(options.*(found->second), lang::Truth(host, keyword.value));
    } else if (keyword.name != "match_args" && keyword.name != "weakref_slot") {
      return TypeError(
          fmt::format("dataclass() got an unexpected keyword argument '{}'", keyword.name));
    }
  }
  const Value decorator = host.heap().New<Decorator>(options);
  if (args.positional.empty()) return decorator;
  return host.Call(decorator, Args{args.positional, {}});
}

Outcome<Value> Field(Host& host, const Value&, const Args& args) {
  if (!args.positional.empty()) return TypeError("field() takes 0 positional arguments");
  const Value made = host.heap().New<FieldSpec>();
  DataclassField& field = Exactly<FieldSpec>(made)->field;
  constexpr std::pair<std::string_view, bool DataclassField::*> kFlags[] = {
      {"init", &DataclassField::in_init},
      {"repr", &DataclassField::in_repr},
      {"compare", &DataclassField::in_compare},
      {"kw_only", &DataclassField::keyword_only}};
  for (const lang::Keyword& keyword : args.keywords) {
    const auto* flag =
        std::ranges::find(kFlags, keyword.name, [](const auto& row) { return row.first; });
    const bool missing = Exactly<MissingType>(keyword.value) != nullptr;
    if (flag != std::end(kFlags)) {
      if (missing) continue;
      ESP_TRY_ASSIGN(field.*(flag->second), lang::Truth(host, keyword.value));
    } else if (keyword.name == "default" || keyword.name == "default_factory") {
      (keyword.name == "default" ? field.default_value : field.factory) =
          missing ? Value::Unset() : keyword.value;
    } else if (keyword.name == "metadata") {
      field.metadata = keyword.value;
    } else if (keyword.name != "hash") {
      return TypeError(
          fmt::format("field() got an unexpected keyword argument '{}'", keyword.name));
    }
  }
  if (!field.default_value.is_unset() && !field.factory.is_unset()) {
    return lang::ValueError("cannot specify both default and default_factory");
  }
  return made;
}

const DataclassFields* FieldsOfValue(const Value& value) {
  if (const auto* instance = value.If<Instance>()) return FieldsOf(instance->cls());
  return nullptr;
}

// asdict and astuple: copies with all dataclasses within turned into dicts or tuples.
class Converter {
 public:
  enum class To { kDict, kTuple };
  Converter(Host& host, To to) : host_(host), to_(to) {}

  Outcome<Value> Convert(const Value& value) {
    lang::NestedScope scope(host_);
    ESP_TRY(scope.Check());
    ESP_TRY(host_.Step());
    if (const auto* fields = FieldsOfValue(value)) return Fields(*fields, value);
    if (const auto* list = value.If<lang::List>()) {
      ESP_TRY_ASSIGN(auto items, All(list->items()));
      return host_.heap().New<lang::List>(std::move(items));
    }
    if (const auto* tuple = value.If<lang::Tuple>()) {
      ESP_TRY_ASSIGN(auto items, All(tuple->items()));
      return host_.heap().New<lang::Tuple>(std::move(items));
    }
    if (const auto* dict = value.If<lang::Dict>()) return Entries(*dict);
    return value;
  }

 private:
  Outcome<std::vector<Value>> All(const std::vector<Value>& items) {
    std::vector<Value> made;
    for (const Value& item : items) {
      ESP_TRY_ASSIGN(Value value, Convert(item));
      made.push_back(std::move(value));
    }
    return made;
  }

  Outcome<Value> Entries(const lang::Dict& dict) {
    const Value made = host_.heap().New<lang::Dict>();
    for (std::size_t at = 0; const auto* entry = dict.EntryAt(at); ++at) {
      const Value key = entry->key;
      ESP_TRY_ASSIGN(Value value, Convert(Value(entry->value)));
      ESP_TRY(made.As<lang::Dict>()->Put(host_, key, std::move(value)));
    }
    return made;
  }

  Outcome<Value> Fields(const DataclassFields& described, const Value& value) {
    const Value made = host_.heap().New<lang::Dict>();
    std::vector<Value> values;
    const std::vector<DataclassField> fields = described.fields;
    for (const DataclassField& field : fields) {
      if (field.init_only) continue;
      ESP_TRY_ASSIGN(const Value part, lang::GetAttr(host_, value, field.name));
      ESP_TRY_ASSIGN(Value converted, Convert(part));
      if (to_ == To::kTuple) {
        values.push_back(std::move(converted));
      } else {
        made.As<lang::Dict>()->PutStr(field.name, std::move(converted));
      }
    }
    if (to_ == To::kDict) return made;
    return host_.heap().New<lang::Tuple>(std::move(values));
  }

  Host& host_;
  To to_;
};

template <Converter::To to>
Outcome<Value> ConvertFunction(Host& host, const Value&, const Args& args) {
  const std::string_view name = to == Converter::To::kDict ? "asdict" : "astuple";
  ESP_TRY(CheckPositional(name, args, 1, 1));
  if (FieldsOfValue(args.positional[0]) == nullptr) {
    return TypeError(fmt::format("{}() should be called on dataclass instances", name));
  }
  return Converter(host, to).Convert(args.positional[0]);
}

Outcome<Value> Fields(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("fields", args, 1, 1));
  const DataclassFields* fields = FieldsOfValue(args.positional[0]);
  if (const auto* cls = args.positional[0].If<ClassObject>()) fields = FieldsOf(*cls);
  if (fields == nullptr) {
    return TypeError("must be called with a dataclass type or instance");
  }
  std::vector<Value> made;
  for (const DataclassField& field : fields->fields) {
    if (field.init_only) continue;
    made.push_back(host.heap().New<FieldSpec>());
    Exactly<FieldSpec>(made.back())->field = field;
  }
  return host.heap().New<lang::Tuple>(std::move(made));
}

Outcome<Value> IsDataclass(Host&, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("is_dataclass", args, 1, 1));
  const auto* cls = args.positional[0].If<ClassObject>();
  return Value::Bool(cls != nullptr ? FieldsOf(*cls) != nullptr
                                    : FieldsOfValue(args.positional[0]) != nullptr);
}

Outcome<Value> Replace(Host& host, const Value&, const Args& args) {
  if (args.positional.size() != 1 || FieldsOfValue(args.positional[0]) == nullptr) {
    return TypeError("replace() should be called on dataclass instances");
  }
  const Value& object = args.positional[0];
  std::vector<lang::Keyword> keywords(args.keywords.begin(), args.keywords.end());
  const std::vector<DataclassField> fields = FieldsOfValue(object)->fields;
  for (const DataclassField& field : fields) {
    const bool given = std::ranges::any_of(
        args.keywords, [&](const lang::Keyword& keyword) { return keyword.name == field.name; });
    if (!field.in_init) {
      if (!given) continue;
      return lang::ValueError(
          fmt::format("field {} is declared with init=False, it cannot be "
                      "specified with replace()",
                      field.name));
    }
    if (given || field.init_only) continue;
    ESP_TRY_ASSIGN(Value value, lang::GetAttr(host, object, field.name));
    keywords.push_back({field.name, std::move(value)});
  }
  return host.Call(Value(&object.As<Instance>()->cls()), Args{{}, keywords});
}

}  // namespace

Outcome<Value> AsDict(Host& host, const Value& value) {
  return Converter(host, Converter::To::kDict).Convert(value);
}

Value MakeDataclassesModule(Machine& machine) {
  Heap& heap = machine.heap();
  const Value value = heap.New<Module>("_dataclasses");
  auto& module = *Exactly<Module>(value);
  constexpr std::pair<std::string_view, lang::NativeCode> kFunctions[] = {
      {"dataclass", Dataclass},
      {"field", Field},
      {"fields", Fields},
      {"asdict", ConvertFunction<Converter::To::kDict>},
      {"astuple", ConvertFunction<Converter::To::kTuple>},
      {"replace", Replace},
      {"is_dataclass", IsDataclass},
  };
  for (const auto& [name, code] : kFunctions) module.AddFunction(name, code);
  const Value missing = heap.New<MissingType>();
  machine.AddBuiltin(".MISSING", missing);
  module.Add("MISSING", missing);
  for (const std::string_view name : {"KW_ONLY", "InitVar"}) {
    module.Add(name, heap.New<TypingName>(name, Value::Unset()));
  }
  const Value frozen = heap.New<ErrorType>(*FindErrorKind("FrozenInstanceError"));
  module.Add("FrozenInstanceError", frozen);
  machine.AddType("FrozenInstanceError", frozen);
  return value;
}

}  // namespace espalier::script
