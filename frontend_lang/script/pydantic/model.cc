#include "frontend_lang/script/pydantic/model.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend_lang/script/classes/dataclass.h"
#include "frontend_lang/script/classes/descriptors.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/classes/type_forms.h"
#include "frontend_lang/script/classes/type_functions.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::TypeError;

Fault ReadExtra(const Value& value, ModelConfig& to) {
  constexpr std::pair<std::string_view, Extra> kNames[] = {
      {"ignore", Extra::kIgnore}, {"forbid", Extra::kForbid}, {"allow", Extra::kAllow}};
  for (const auto& [name, extra] : kNames) {
    if (!value.is_str() || lang::TextOf(value) != name) continue;
    to.extra = extra;
    return Fault();
  }
  return lang::ValueError("extra must be 'ignore', 'forbid' or 'allow'");
}

Fault ReadOption(Host& host, std::string_view name, const Value& value, ModelConfig& to) {
  constexpr std::pair<std::string_view, bool ModelConfig::*> kFlags[] = {
      {"populate_by_name", &ModelConfig::by_name},
      {"validate_by_name", &ModelConfig::by_name},
      {"frozen", &ModelConfig::frozen},
      {"use_enum_values", &ModelConfig::use_enum_values},
      {"validate_assignment", &ModelConfig::validate_assignment},
      {"validate_default", &ModelConfig::validate_default},
      {"from_attributes", &ModelConfig::from_attributes},
      {"coerce_numbers_to_str", &ModelConfig::numbers_to_str},
      {"strict", &ModelConfig::strict}};
  constexpr std::pair<std::string_view, bool Constraints::*> kTexts[] = {
      {"str_strip_whitespace", &Constraints::strip},
      {"str_to_lower", &Constraints::lower},
      {"str_to_upper", &Constraints::upper}};
  if (name == "extra") return ReadExtra(value, to);
  if (name == "title" && value.is_str()) to.title = lang::TextOf(value);
  if (name == "json_schema_extra") to.schema_extra = value;
  if (name == "alias_generator") to.alias_generator = value;
  if (name == "str_min_length" && value.is_int()) to.texts.min_length = value.as_int();
  if (name == "str_max_length" && value.is_int()) to.texts.max_length = value.as_int();
  for (const auto& [flag, member] : kTexts) {
    if (flag != name) continue;
    ESP_TRY_ASSIGN(to.texts.*member, lang::Truth(host, value));
  }
  for (const auto& [flag, member] : kFlags) {
    if (flag != name) continue;
    ESP_TRY_ASSIGN(to.*member, lang::Truth(host, value));
  }
  return Fault();
}

Fault ReadConfig(Host& host, const Value& given, ModelConfig& to) {
  const auto* dict = given.If<lang::Dict>();
  if (dict == nullptr) return Fault();
  for (std::size_t at = 0; const auto* entry = dict->EntryAt(at); ++at) {
    if (!entry->key.is_str()) continue;
    ESP_TRY(ReadOption(host, lang::TextOf(entry->key), Value(entry->value), to));
  }
  return Fault();
}

// class Config: of older programs.
Fault ReadConfigClass(Host& host, const Value& given, ModelConfig& to) {
  const auto* cls = given.If<ClassObject>();
  if (cls == nullptr) return Fault();
  for (const auto& attribute : cls->attributes()) {
    ESP_TRY(ReadOption(host, attribute.name, Value(attribute.value), to));
  }
  return Fault();
}

bool IsClassVar(const Value& annotation) {
  const auto* name = Exactly<TypingName>(annotation);
  if (name != nullptr) return name->name() == "ClassVar";
  const auto* form = Exactly<TypeForm>(annotation);
  if (form != nullptr) return form->origin_name() == "ClassVar";
  return annotation.is_str() && lang::TextOf(annotation).find("ClassVar") != std::string_view::npos;
}

// The Field(...) within an Annotated.
const FieldInfo* InfoOf(const Value& annotation) {
  const auto* form = Exactly<TypeForm>(annotation);
  if (form == nullptr || form->origin_name() != "Annotated") return nullptr;
  for (const Value& arg : form->args()) {
    if (const auto* info = Exactly<FieldInfo>(arg)) return info;
  }
  return nullptr;
}

ModelField ReadField(ClassObject& cls, const std::string& name, const Value& annotation) {
  ModelField field;
  if (const FieldInfo* info = InfoOf(annotation)) field = info->field;
  field.constraints = Constraints();  // of the annotation: its type has them
  if (const Value* given = cls.FindOwn(name)) {
    if (const auto* info = Exactly<FieldInfo>(*given)) {
      field = info->field;
    } else if (Exactly<EllipsisType>(*given) == nullptr) {  // which says: required
      field.default_value = *given;
    }
    cls.Erase(name);
  }
  field.name = name;
  field.annotation = annotation;
  return field;
}

template <typename T>
void PutNamed(std::vector<std::pair<std::string, T>>& list, const std::string& name, T value) {
  const auto at = std::ranges::find(list, name, [](const auto& entry) { return entry.first; });
  if (at == list.end()) {
    list.emplace_back(name, std::move(value));
  } else {
    at->second = std::move(value);
  }
}

// The names that the input and the output have for it, where it does not say.
Fault FillAliases(Host& host, const Value& generator, ModelField& field) {
  std::string usual = field.name;
  if (!generator.is_unset() && !generator.is_none()) {
    const Value name = lang::MakeStr(host.heap(), field.name);
    ESP_TRY_ASSIGN(const Value made, host.Call(generator, Args{{&name, 1}, {}}));
    if (!made.is_str()) return TypeError("alias_generator must return a str");
    usual = lang::TextOf(made);
  }
  if (field.alias.empty()) field.alias = usual;
  if (field.dump_alias.empty()) field.dump_alias = usual;
  return Fault();
}

// One that a base has under the same name is overridden.
template <typename T>
void AddMarked(std::vector<Value>& list, const Value& value, const std::string& name) {
  Exactly<T>(value)->name = name;
  const auto same = [&](const Value& known) { return Exactly<T>(known)->name == name; };
  const auto at = std::ranges::find_if(list, same);
  if (at == list.end()) {
    list.push_back(value);
  } else {
    *at = value;
  }
}

// Underscored names are private; others without annotation are an error, unless methods.
Fault ReadAttributes(ClassObject& cls, ModelFields& model) {
  const auto& annotations = *cls.annotations.As<lang::Dict>();  // left here: ClassVars
  std::vector<std::pair<std::string, Value>> plain;
  for (const auto& attribute : cls.attributes()) {
    if (!attribute.value.is_unset()) plain.emplace_back(attribute.name, attribute.value);
  }
  for (const auto& [name, value] : plain) {
    if (auto* validator = Exactly<Validator>(value)) {
      AddMarked<Validator>(model.validators, value, name);
      cls.Put(name, validator->function);
    } else if (auto* serializer = Exactly<Serializer>(value)) {
      AddMarked<Serializer>(model.serializers, value, name);
      cls.Put(name, serializer->function);
    } else if (const auto* property = Exactly<Property>(value); property && property->computed) {
      PutNamed(model.computed, name, value);
    } else if (name.starts_with('_') && !name.starts_with("__") &&
               (!value.is_extension() || Exactly<FieldInfo>(value) != nullptr)) {
      PutNamed(model.privates, name, value);
      cls.Erase(name);
    } else if (!name.starts_with("__") && name != "model_config" && !annotations.FindStr(name) &&
               (!value.is_extension() || Exactly<FieldInfo>(value) != nullptr)) {
      return TypeError(
          fmt::format("A non-annotated attribute was detected: `{}`. All model fields require a "
                      "type annotation",
                      name));
    }
  }
  return Fault();
}

void Inherit(const ClassObject& cls, ModelFields& model) {
  for (const Value& base : cls.bases()) {
    const auto* from = ModelOf(*base.As<ClassObject>());
    if (from == nullptr) continue;
    model.fields = from->fields;
    model.computed = from->computed;
    model.privates = from->privates;
    model.validators = from->validators;
    model.serializers = from->serializers;
    model.is_root = from->is_root;
    model.config = from->config;
  }
}

}  // namespace

const ModelField* ModelFields::Find(std::string_view name) const {
  const auto at = std::ranges::find(fields, name, &ModelField::name);
  return at == fields.end() ? nullptr : &*at;
}

ModelFields* ModelOf(const ClassObject& cls) { return Exactly<ModelFields>(cls.details); }

ModelFields* ModelOf(const Value& value) {
  const auto* instance = value.If<Instance>();
  return instance == nullptr ? nullptr : ModelOf(instance->cls());
}

Fault ReadModel(Host& host, ClassObject& cls, const Value& keywords) {
  const Value held = host.heap().New<ModelFields>();
  auto& model = *Exactly<ModelFields>(held);
  Inherit(cls, model);
  if (const Value* config = cls.FindOwn("model_config")) {
    ESP_TRY(ReadConfig(host, Value(*config), model.config));
  }
  if (const Value* config = cls.FindOwn("Config")) {
    ESP_TRY(ReadConfigClass(host, Value(*config), model.config));
  }
  ESP_TRY(ReadConfig(host, keywords, model.config));
  const auto& annotations = *cls.annotations.As<lang::Dict>();
  for (std::size_t at = 0; const auto* entry = annotations.EntryAt(at); ++at) {
    const std::string name(lang::TextOf(entry->key));
    if (IsClassVar(entry->value)) continue;
    if (name.starts_with('_')) {
      const Value* given = cls.FindOwn(name);
      PutNamed(model.privates, name, given == nullptr ? Value::Unset() : Value(*given));
      if (given != nullptr) cls.Erase(name);
      continue;
    }
    ModelField field = ReadField(cls, name, entry->value);
    ESP_TRY(FillAliases(host, Value(model.config.alias_generator), field));
    const auto known = std::ranges::find(model.fields, name, &ModelField::name);
    if (known == model.fields.end()) {
      model.fields.push_back(std::move(field));
    } else {
      *known = std::move(field);
    }
  }
  ESP_TRY(ReadAttributes(cls, model));
  cls.details = held;
  return Fault();
}

namespace {

// The class's validators of the field stand around its type.
void AddFunctions(Host& host, ClassObject& cls, const ModelFields& model, ModelField& field) {
  for (const Value& value : model.validators) {
    const auto& marked = *Exactly<Validator>(value);
    const bool applies = std::ranges::any_of(
        marked.fields, [&](const std::string& name) { return name == field.name || name == "*"; });
    if (!applies) continue;
    const Value made = host.heap().New<FunctionValidator>();
    auto& around = *Exactly<FunctionValidator>(made);
    around.when = marked.when;
    if (const auto* method = Exactly<StaticMethod>(marked.function)) {
      around.function = method->function;
    } else {
      const auto* of_class = Exactly<ClassMethod>(marked.function);
      around.function = of_class == nullptr ? marked.function : of_class->function;
      around.self = Value(&cls);
    }
    field.type.functions.push_back(made);
  }
}

}  // namespace

const Serializer* FindSerializer(const ModelFields& model, std::string_view field) {
  const Serializer* found = nullptr;
  for (const Value& value : model.serializers) {
    const auto* serializer = Exactly<Serializer>(value);
    const auto names = [&](const std::string& name) { return name == field || name == "*"; };
    const bool applies =
        field.empty() ? serializer->fields.empty() : std::ranges::any_of(serializer->fields, names);
    if (applies) found = serializer;
  }
  return found;
}

Outcome<ModelFields*> ResolvedModel(Host& host, ClassObject& cls) {
  const Value held = cls.details;
  auto& model = *Exactly<ModelFields>(held);
  if (model.resolved) return &model;
  for (ModelField& field : model.fields) {
    ESP_TRY_ASSIGN(field.type, ReadAnnotation(host, field.annotation, cls));
    Constrain(field.type, field.constraints);
    ESP_TRY(TellApart(host, field.tagged, cls, field.type));
    AddFunctions(host, cls, model, field);
  }
  model.resolved = true;
  return &model;
}

Outcome<std::string> FieldInfo::Repr(Host& host) {
  std::string out = "FieldInfo(annotation=";
  if (const auto* cls = field.annotation.If<ClassObject>()) {
    out += cls->name();
  } else if (const auto* type = Exactly<TypeObject>(field.annotation)) {
    out += type->name();
  } else {
    ESP_TRY_ASSIGN(const std::string text, lang::Repr(host, Value(field.annotation)));
    out += text.starts_with("typing.") ? text.substr(std::string_view("typing.").size()) : text;
  }
  out += field.required() ? ", required=True" : ", required=False";
  if (!field.default_value.is_unset()) {
    ESP_TRY_ASSIGN(const std::string text, lang::Repr(host, Value(field.default_value)));
    out += ", default=" + text;
  }
  if (field.has_alias) out += ", alias=" + lang::ReprStr(field.alias) + ", alias_priority=2";
  if (field.title) out += ", title=" + lang::ReprStr(*field.title);
  if (field.description) out += ", description=" + lang::ReprStr(*field.description);
  return out + ")";
}

Outcome<Value> FieldInfo::GetAttr(Host& host, std::string_view name) {
  const auto text = [&](const std::optional<std::string>& given) {
    return given ? lang::MakeStr(host.heap(), *given) : Value();
  };
  if (name == "annotation") return field.annotation;
  if (name == "default") {
    return field.default_value.is_unset() ? static_cast<Machine&>(host).Builtin("Ellipsis")
                                          : field.default_value;
  }
  if (name == "description") return text(field.description);
  if (name == "title") return text(field.title);
  if (name == "alias") {
    return field.has_alias ? lang::MakeStr(host.heap(), field.alias) : Value();
  }
  if (name == "examples") return field.examples.is_unset() ? Value() : field.examples;
  if (name == "is_required") {
    return host.heap().New<lang::NativeFunction>(
        "is_required",
        [](Host&, const Value& self, const Args&) -> Outcome<Value> {
          return Value::Bool(Exactly<FieldInfo>(self)->field.required());
        },
        Value(this));
  }
  return Value::Unset();
}

}  // namespace espalier::script
