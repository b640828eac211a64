// The module pydantic: Field, ConfigDict, validators and constrained types.
#include <algorithm>

#include <fmt/format.h>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/classes/descriptors.h"
#include "frontend_lang/script/classes/type_forms.h"
#include "frontend_lang/script/classes/type_functions.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/pydantic/model.h"
#include "frontend_lang/script/pydantic/validation_error.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::TypeError;

Fault ReadLength(const lang::Keyword& keyword, std::optional<std::int64_t>& to) {
  if (keyword.value.is_none()) return Fault();
  if (!keyword.value.is_int()) {
    return TypeError(fmt::format("{} must be an int", keyword.name));
  }
  to = keyword.value.as_int();
  return Fault();
}

// Whether the keyword is a constraint.
Outcome<bool> ReadConstraint(const lang::Keyword& keyword, Constraints& to) {
  constexpr std::pair<std::string_view, Value Constraints::*> kBounds[] = {
      {"gt", &Constraints::gt},
      {"ge", &Constraints::ge},
      {"lt", &Constraints::lt},
      {"le", &Constraints::le},
      {"multiple_of", &Constraints::multiple_of}};
  for (const auto& [name, bound] : kBounds) {
    if (name != keyword.name) continue;
    if (!keyword.value.is_none()) to.*bound = keyword.value;
    return true;
  }
  const std::string_view name = keyword.name;
  if (name == "min_length" || name == "min_items") {
    ESP_TRY(ReadLength(keyword, to.min_length));
  } else if (name == "max_length" || name == "max_items") {
    ESP_TRY(ReadLength(keyword, to.max_length));
  } else if (name == "pattern" || name == "regex") {
    if (!keyword.value.is_none() && !keyword.value.is_str()) {
      return TypeError("pattern must be a str");
    }
    if (keyword.value.is_str()) to.pattern = lang::TextOf(keyword.value);
  } else {
    return false;
  }
  return true;
}

void ReadText(const lang::Keyword& keyword, std::optional<std::string>& to) {
  if (keyword.value.is_str()) to = lang::TextOf(keyword.value);
}

// alias= is of the input and of the output, unless those have their own.
Fault ReadAlias(const lang::Keyword& keyword, ModelField& to) {
  if (keyword.value.is_none()) return Fault();
  if (!keyword.value.is_str()) {
    return lang::Raise("NotImplementedError",
                       fmt::format("Field({}=...) takes a str in this language", keyword.name));
  }
  const std::string text(lang::TextOf(keyword.value));
  if (keyword.name == "validation_alias") {
    to.alias = text;
  } else if (keyword.name == "serialization_alias") {
    to.dump_alias = text;
  } else {
    to.has_alias = true;
    if (to.alias.empty()) to.alias = text;
    if (to.dump_alias.empty()) to.dump_alias = text;
  }
  return Fault();
}

Fault ReadFieldKeyword(Host& host, const lang::Keyword& keyword, ModelField& to) {
  ESP_TRY_ASSIGN(const bool constraint, ReadConstraint(keyword, to.constraints));
  if (constraint) return Fault();
  const std::string_view name = keyword.name;
  if (name == "default") {
    to.default_value =
        Exactly<EllipsisType>(keyword.value) != nullptr ? Value::Unset() : keyword.value;
  } else if (name == "default_factory") {
    if (!keyword.value.is_none()) to.factory = keyword.value;
  } else if (name == "alias" || name == "validation_alias" || name == "serialization_alias") {
    return ReadAlias(keyword, to);
  } else if (name == "title") {
    ReadText(keyword, to.title);
  } else if (name == "description") {
    ReadText(keyword, to.description);
  } else if (name == "examples") {
    to.examples = keyword.value;
  } else if (name == "json_schema_extra") {
    to.schema_extra = keyword.value;
  } else if (name == "exclude" || name == "frozen" || name == "repr") {
    bool& flag = name == "exclude" ? to.excluded : name == "frozen" ? to.frozen : to.in_repr;
    ESP_TRY_ASSIGN(flag, lang::Truth(host, keyword.value));
  } else if (name == "strict" || name == "validate_default" || name == "deprecated" ||
             name == "union_mode") {
    ESP_TRY_ASSIGN(const bool asked, lang::Truth(host, keyword.value));
    if (asked) {
      return lang::Raise("NotImplementedError",
                         fmt::format("Field({}=...) is not in the language", name));
    }
  } else if (name != "kw_only" && name != "init") {
    return TypeError(fmt::format("Field() got an unexpected keyword argument '{}'", name));
  }
  return Fault();
}

template <bool is_private>
Outcome<Value> Field(Host& host, const Value&, const Args& args) {
  const Value made = host.heap().New<FieldInfo>();
  auto& info = *Exactly<FieldInfo>(made);
  info.is_private = is_private;
  if (args.positional.size() > 1) {
    return TypeError(fmt::format("Field() takes from 0 to 1 positional arguments but {} were given",
                                 args.positional.size()));
  }
  if (!args.positional.empty()) {
    ESP_TRY(ReadFieldKeyword(host, {"default", args.positional[0]}, info.field));
  }
  for (const lang::Keyword& keyword : args.keywords) {
    ESP_TRY(ReadFieldKeyword(host, keyword, info.field));
  }
  return made;
}

// conint(gt=0) is Annotated[int, Field(gt=0)].
Outcome<Value> ConstrainedType(Host& host, Value type, std::span<const lang::Keyword> keywords) {
  auto& machine = static_cast<Machine&>(host);
  const Value info = host.heap().New<FieldInfo>();
  for (const lang::Keyword& keyword : keywords) {
    ESP_TRY_ASSIGN(const bool known,
                   ReadConstraint(keyword, Exactly<FieldInfo>(info)->field.constraints));
    (void)known;
  }
  return host.heap().New<TypeForm>(machine.Builtin(".Annotated"), std::vector<Value>{type, info});
}

enum class Base { kInt, kFloat, kStr };
template <Base base>
Outcome<Value> Constrained(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("constrained type", {args.positional, {}}, 0, 0));
  constexpr std::string_view kName = base == Base::kInt     ? "int"
                                     : base == Base::kFloat ? "float"
                                                            : "str";
  return ConstrainedType(host, static_cast<Machine&>(host).Builtin(kName), args.keywords);
}

template <bool set>
Outcome<Value> ConstrainedList(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("conlist", {args.positional, {}}, 1, 1));
  const Value type = static_cast<Machine&>(host).Builtin(set ? "set" : "list");
  ESP_TRY_ASSIGN(Value list, MakeTypeForm(host, type, args.positional[0]));
  return ConstrainedType(host, std::move(list), args.keywords);
}

// PositiveInt and its kind.
Value Bounded(Machine& machine, std::string_view type, Value Constraints::*bound) {
  const Value info = machine.heap().New<FieldInfo>();
  Exactly<FieldInfo>(info)->field.constraints.*bound = Value::Int(0);
  return machine.heap().New<TypeForm>(machine.Builtin(".Annotated"),
                                      std::vector<Value>{machine.Builtin(type), info});
}

Outcome<Value> ConfigDict(Host& host, const Value&, const Args& args) {
  return host.Call(static_cast<Machine&>(host).Builtin("dict"), args);
}

// ---- Validators: @field_validator("name", mode="after") above a def.

class ValidatorDecorator final : public lang::Extension {
 public:
  ValidatorDecorator(Heap& heap, std::vector<std::string> fields, Validator::When when)
      : Extension(heap, lang::Type::kExtension), fields_(std::move(fields)), when_(when) {}
  std::string_view TypeName() const override { return "function"; }
  Outcome<Value> Call(Host& host, const Args& args) override {
    ESP_TRY(CheckPositional("validator", args, 1, 1));
    Value made = host.heap().New<Validator>();
    auto& validator = *Exactly<Validator>(made);
    validator.function = args.positional[0];
    validator.fields = fields_;
    validator.when = when_;
    const bool bound = Exactly<ClassMethod>(validator.function) != nullptr ||
                       Exactly<StaticMethod>(validator.function) != nullptr;
    const bool of_class = !fields_.empty() || when_ == Validator::When::kBefore;
    if (!bound && of_class) validator.function = host.heap().New<ClassMethod>(validator.function);
    return made;
  }

 private:
  std::vector<std::string> fields_;
  Validator::When when_;
};

Outcome<Validator::When> ReadMode(std::span<const lang::Keyword> keywords) {
  using When = Validator::When;
  When when = When::kAfter;
  for (const lang::Keyword& keyword : keywords) {
    const std::string_view text =
        keyword.value.is_str() ? lang::TextOf(keyword.value) : std::string_view();
    if (keyword.name == "mode") {
      if (text == "wrap") return TypeError("validators of mode 'wrap' are not in the language");
      when = text == "before" ? When::kBefore : text == "plain" ? When::kPlain : When::kAfter;
    } else if (keyword.name == "pre" && keyword.value.is_bool() && keyword.value.as_bool()) {
      when = When::kBefore;
    }
  }
  return when;
}

Outcome<Value> FieldValidator(Host& host, const Value&, const Args& args) {
  std::vector<std::string> fields;
  for (const Value& field : args.positional) {
    if (!field.is_str()) return TypeError("field_validator() takes names of fields");
    fields.emplace_back(lang::TextOf(field));
  }
  if (fields.empty()) return TypeError("field_validator() takes names of fields");
  ESP_TRY_ASSIGN(const auto when, ReadMode(args.keywords));
  return host.heap().New<ValidatorDecorator>(std::move(fields), when);
}

Outcome<Value> ModelValidator(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("model_validator", {args.positional, {}}, 0, 0));
  ESP_TRY_ASSIGN(const auto when, ReadMode(args.keywords));
  return host.heap().New<ValidatorDecorator>(std::vector<std::string>(), when);
}

Outcome<Value> ComputedField(Host& host, const Value&, const Args& args) {
  if (args.positional.empty()) {
    return host.heap().New<lang::NativeFunction>("computed_field", ComputedField);
  }
  Value made = args.positional[0];
  if (Exactly<Property>(made) == nullptr) made = host.heap().New<Property>(made);
  Exactly<Property>(made)->computed = true;
  return made;
}

}  // namespace

Value MakePydanticModule(Machine& machine) {
  Heap& heap = machine.heap();
  machine.AddBuiltin(".Annotated", heap.New<TypingName>("Annotated", Value::Unset()));
  const Value value = heap.New<Module>("pydantic");
  auto& module = *Exactly<Module>(value);
  constexpr std::pair<std::string_view, lang::NativeCode> kFunctions[] = {
      {"Field", Field<false>},
      {"PrivateAttr", Field<true>},
      {"ConfigDict", ConfigDict},
      {"conint", Constrained<Base::kInt>},
      {"confloat", Constrained<Base::kFloat>},
      {"constr", Constrained<Base::kStr>},
      {"conlist", ConstrainedList<false>},
      {"conset", ConstrainedList<true>},
      {"field_validator", FieldValidator},
      {"validator", FieldValidator},
      {"model_validator", ModelValidator},
      {"computed_field", ComputedField},
  };
  for (const auto& [name, code] : kFunctions) module.AddFunction(name, code);
  module.Add("BaseModel", MakeModelClass(machine));
  const Value error = MakeValidationErrorClass(machine);
  module.Add("ValidationError", error);
  module.Add("PositiveInt", Bounded(machine, "int", &Constraints::gt));
  module.Add("NonNegativeInt", Bounded(machine, "int", &Constraints::ge));
  module.Add("NegativeInt", Bounded(machine, "int", &Constraints::lt));
  module.Add("PositiveFloat", Bounded(machine, "float", &Constraints::gt));
  module.Add("NonNegativeFloat", Bounded(machine, "float", &Constraints::ge));
  return value;
}

}  // namespace espalier::script
