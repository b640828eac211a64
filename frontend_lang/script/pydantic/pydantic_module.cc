// The module pydantic: Field, ConfigDict and constrained types. (Validators: decorators.h.)
#include <algorithm>

#include <fmt/format.h>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/classes/type_forms.h"
#include "frontend_lang/script/classes/type_functions.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/pydantic/decorators.h"
#include "frontend_lang/script/pydantic/made_models.h"
#include "frontend_lang/script/pydantic/model.h"
#include "frontend_lang/script/pydantic/type_adapter.h"
#include "frontend_lang/script/pydantic/validation_error.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
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

Outcome<bool> ReadFlag(Host& host, const lang::Keyword& keyword, Constraints& to) {
  constexpr std::pair<std::string_view, bool Constraints::*> kFlags[] = {
      {"strict", &Constraints::strict},
      {"strip_whitespace", &Constraints::strip},
      {"to_lower", &Constraints::lower},
      {"to_upper", &Constraints::upper}};
  for (const auto& [name, flag] : kFlags) {
    if (name != keyword.name) continue;
    ESP_TRY_ASSIGN(to.*flag, lang::Truth(host, keyword.value));
    return true;
  }
  return false;
}

// Whether the keyword is a constraint.
Outcome<bool> ReadConstraint(Host& host, const lang::Keyword& keyword, Constraints& to) {
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
    return ReadFlag(host, keyword, to);
  }
  return true;
}

void ReadText(const lang::Keyword& keyword, std::optional<std::string>& to) {
  if (keyword.value.is_str()) to = lang::TextOf(keyword.value);
}

// alias= is of the input and of the output, unless those have their own.
Fault ReadAlias(const lang::Keyword& keyword, ModelField& to) {
  if (keyword.value.is_none()) return Fault();
  const auto* choices = keyword.value.If<lang::List>();
  if (choices != nullptr && keyword.name == "validation_alias") {  // AliasChoices
    for (const Value& choice : choices->items()) {
      if (!choice.is_str()) return TypeError("AliasChoices takes names in this language");
      if (to.alias.empty()) {
        to.alias = lang::TextOf(choice);
      } else {
        to.more_aliases.emplace_back(lang::TextOf(choice));
      }
    }
    return Fault();
  }
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

// A name, or Discriminator(...).
Fault ReadDiscriminator(const Value& given, Tagged& to) {
  if (const auto* info = Exactly<FieldInfo>(given)) {
    to = info->field.tagged;
  } else if (given.is_str()) {
    to.field = lang::TextOf(given);
  } else if (!given.is_none()) {
    to.function = given;
  }
  return Fault();
}

Fault ReadFieldKeyword(Host& host, const lang::Keyword& keyword, ModelField& to) {
  ESP_TRY_ASSIGN(const bool constraint, ReadConstraint(host, keyword, to.constraints));
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
  } else if (name == "discriminator") {
    return ReadDiscriminator(keyword.value, to.tagged);
  } else if (name == "validate_default" || name == "deprecated" || name == "union_mode") {
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
                   ReadConstraint(host, keyword, Exactly<FieldInfo>(info)->field.constraints));
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

Value StrictType(Machine& machine, std::string_view type) {
  const Value info = machine.heap().New<FieldInfo>();
  Exactly<FieldInfo>(info)->field.constraints.strict = true;
  return machine.heap().New<TypeForm>(machine.Builtin(".Annotated"),
                                      std::vector<Value>{machine.Builtin(type), info});
}

// PositiveInt and its kind.
Value Bounded(Machine& machine, std::string_view type, Value Constraints::*bound) {
  const Value info = machine.heap().New<FieldInfo>();
  Exactly<FieldInfo>(info)->field.constraints.*bound = Value::Int(0);
  return machine.heap().New<TypeForm>(machine.Builtin(".Annotated"),
                                      std::vector<Value>{machine.Builtin(type), info});
}

// StringConstraints(...), Strict(), Discriminator(...): what Annotated holds beside a type.
Outcome<Value> StringConstraints(Host& host, const Value&, const Args& args) {
  const Value made = host.heap().New<FieldInfo>();
  for (const lang::Keyword& keyword : args.keywords) {
    ESP_TRY_ASSIGN(const bool known,
                   ReadConstraint(host, keyword, Exactly<FieldInfo>(made)->field.constraints));
    if (known) continue;
    return TypeError(fmt::format(
        "StringConstraints.__init__() got an unexpected keyword argument '{}'", keyword.name));
  }
  return made;
}

Outcome<Value> Strict(Host& host, const Value&, const Args&) {
  const Value made = host.heap().New<FieldInfo>();
  Exactly<FieldInfo>(made)->field.constraints.strict = true;
  return made;
}

Outcome<Value> Discriminator(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("Discriminator", {args.positional, {}}, 1, 1));
  const Value made = host.heap().New<FieldInfo>();
  ESP_TRY(ReadDiscriminator(args.positional[0], Exactly<FieldInfo>(made)->field.tagged));
  return made;
}

Outcome<Value> MakeTag(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("Tag", args, 1, 1));
  if (!args.positional[0].is_str()) return TypeError("Tag() takes a str");
  return host.heap().New<TypeTag>(std::string(lang::TextOf(args.positional[0])));
}

Outcome<Value> AliasChoices(Host& host, const Value&, const Args& args) {
  return host.heap().New<lang::List>(
      std::vector<Value>(args.positional.begin(), args.positional.end()));
}

Outcome<Value> ConfigDict(Host& host, const Value&, const Args& args) {
  return host.Call(static_cast<Machine&>(host).Builtin("dict"), args);
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
      {"StringConstraints", StringConstraints},
      {"Strict", Strict},
      {"Discriminator", Discriminator},
      {"Tag", MakeTag},
      {"AliasChoices", AliasChoices},
      {"TypeAdapter", MakeTypeAdapter},
      {"create_model", CreateModel},
  };
  for (const auto& [name, code] : kFunctions) module.AddFunction(name, code);
  AddDecorators(module);
  const Value model = MakeModelClass(machine);
  module.Add("BaseModel", model);
  module.Add("RootModel", MakeRootModelClass(machine, model));
  for (const std::string_view name :
       {"ValidationInfo", "FieldValidationInfo", "SerializationInfo", "FieldSerializationInfo",
        "ValidatorFunctionWrapHandler", "SerializerFunctionWrapHandler", "JsonValue"}) {
    module.Add(name, heap.New<TypingName>(name == "JsonValue" ? "Any" : name, Value::Unset()));
  }
  const Value error = MakeValidationErrorClass(machine);
  module.Add("ValidationError", error);
  module.Add("PositiveInt", Bounded(machine, "int", &Constraints::gt));
  module.Add("NonNegativeInt", Bounded(machine, "int", &Constraints::ge));
  module.Add("NegativeInt", Bounded(machine, "int", &Constraints::lt));
  module.Add("PositiveFloat", Bounded(machine, "float", &Constraints::gt));
  module.Add("NonNegativeFloat", Bounded(machine, "float", &Constraints::ge));
  module.Add("NonPositiveInt", Bounded(machine, "int", &Constraints::le));
  module.Add("NegativeFloat", Bounded(machine, "float", &Constraints::lt));
  module.Add("NonPositiveFloat", Bounded(machine, "float", &Constraints::le));
  for (const auto& [name, type] : {std::pair{"StrictInt", "int"},
                                   {"StrictStr", "str"},
                                   {"StrictBool", "bool"},
                                   {"StrictFloat", "float"}}) {
    module.Add(name, StrictType(machine, type));
  }
  module.Add("VERSION", lang::MakeStr(heap, std::string("2.13.4")));
  return value;
}

}  // namespace espalier::script
