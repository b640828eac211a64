#include "frontend_lang/script/classes/dataclass.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

#include "frontend_lang/script/classes/dataclass_methods.h"
#include "frontend_lang/script/classes/descriptors.h"
#include "frontend_lang/script/classes/type_forms.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::TypeError;

// Whether an annotation is ClassVar or InitVar or KW_ONLY, as itself or as text.
bool IsTyping(const Value& annotation, std::string_view name) {
  if (annotation.is_str()) {
    std::string_view text = lang::TextOf(annotation);
    if (const std::size_t dot = text.find('.'); dot < text.find('[')) text.remove_prefix(dot + 1);
    return text.substr(0, text.find('[')) == name;
  }
  if (const auto* form = Exactly<TypeForm>(annotation)) return form->origin_name() == name;
  const auto* typing = Exactly<TypingName>(annotation);
  return typing != nullptr && typing->name() == name;
}

Fault CheckDefault(const DataclassField& field) {
  const lang::Type type = field.default_value.type();
  if (type != lang::Type::kList && type != lang::Type::kDict && type != lang::Type::kSet) {
    return Fault();
  }
  return lang::ValueError(
      fmt::format("mutable default <class '{}'> for field {} is not allowed: use default_factory",
                  lang::TypeName(field.default_value), field.name));
}

Fault CheckOrder(const std::vector<DataclassField>& fields) {
  bool seen_default = false;
  for (const DataclassField& field : fields) {
    if (!field.in_init || field.keyword_only) continue;
    if (seen_default && !field.has_default()) {
      return TypeError(
          fmt::format("non-default argument '{}' follows default argument", field.name));
    }
    seen_default |= field.has_default();
  }
  return Fault();
}

// The field of one annotation; its default leaves the class where there is none.
DataclassField ReadField(ClassObject& cls, const std::string& name, const Value& annotation,
                         bool keyword_only) {
  DataclassField field;
  const Value* given = cls.FindOwn(name);
  const auto* spec = given != nullptr ? Exactly<FieldSpec>(*given) : nullptr;
  if (spec != nullptr) {
    field = spec->field;
    if (field.default_value.is_unset()) {
      cls.Erase(name);
    } else {
      cls.Put(name, field.default_value);
    }
  } else if (given != nullptr) {
    field.default_value = *given;
  }
  field.name = name;
  field.type = annotation;
  field.keyword_only |= keyword_only;
  field.init_only = IsTyping(annotation, "InitVar");
  return field;
}

// The fields so far. One of a known name takes the old one's place.
class FieldList {
 public:
  explicit FieldList(std::vector<DataclassField>& fields) : fields_(fields) {}

  void Put(DataclassField field) {
    const auto [at, is_new] = places_.emplace(field.name, fields_.size());
    is_new ? fields_.push_back(std::move(field)) : void(fields_[at->second] = std::move(field));
  }

 private:
  std::vector<DataclassField>& fields_;
  std::unordered_map<std::string, std::size_t> places_;
};

Fault Collect(Host& host, ClassObject& cls, const DataclassOptions& options,
              std::vector<DataclassField>& fields) {
  FieldList list(fields);
  for (std::size_t i = cls.mro().size(); i-- > 1;) {
    const auto* inherited = Exactly<DataclassFields>(cls.mro()[i]->details);
    if (inherited == nullptr) continue;
    ESP_TRY(host.Step(static_cast<std::int64_t>(inherited->fields.size())));
    for (const DataclassField& field : inherited->fields) list.Put(field);
  }
  bool keyword_only = options.keyword_only;
  const auto& annotations = *cls.annotations.As<lang::Dict>();
  for (std::size_t at = 0; const auto* entry = annotations.EntryAt(at); ++at) {
    if (IsTyping(entry->value, "ClassVar")) continue;
    if (IsTyping(entry->value, "KW_ONLY")) {
      keyword_only = true;
      continue;
    }
    DataclassField field =
        ReadField(cls, std::string(lang::TextOf(entry->key)), entry->value, keyword_only);
    ESP_TRY(CheckDefault(field));
    list.Put(std::move(field));
    ESP_TRY(host.Step());
  }
  return CheckOrder(fields);
}

}  // namespace

Outcome<std::string> FieldSpec::Repr(Host& host) {
  ESP_TRY_ASSIGN(const std::string type, lang::Repr(host, Value(field.type)));
  return fmt::format("Field(name='{}',type={})", field.name, type);
}

Outcome<Value> FieldSpec::GetAttr(Host& host, std::string_view name) {
  if (name == "name") return lang::MakeStr(host.heap(), field.name);
  if (name == "type") return field.type;
  if (name == "metadata") return field.metadata;
  if (name == "init") return Value::Bool(field.in_init);
  if (name == "repr") return Value::Bool(field.in_repr);
  if (name == "compare") return Value::Bool(field.in_compare);
  if (name == "kw_only") return Value::Bool(field.keyword_only);
  if (name != "default" && name != "default_factory") return Value::Unset();
  const Value& value = name == "default" ? field.default_value : field.factory;
  return value.is_unset() ? static_cast<Machine&>(host).Builtin(".MISSING") : value;
}

const DataclassFields* FieldsOf(const ClassObject& cls) {
  for (const ClassObject* at : cls.mro()) {
    if (const auto* fields = Exactly<DataclassFields>(at->details)) return fields;
  }
  return nullptr;
}

Fault MakeDataclass(Host& host, ClassObject& cls, const DataclassOptions& options) {
  if (!cls.details.is_unset() && Exactly<DataclassFields>(cls.details) == nullptr) {
    return TypeError(fmt::format("'{}' cannot become a dataclass: it is a {}", cls.name(),
                                 lang::TypeName(Value(&cls))));
  }
  const Value held = host.heap().New<DataclassFields>();
  auto& made = *Exactly<DataclassFields>(held);
  made.options = options;
  ESP_TRY(Collect(host, cls, options, made.fields));
  std::vector<Value> names;
  for (const DataclassField& field : made.fields) {
    if (field.in_init && !field.keyword_only) {
      names.push_back(lang::MakeStr(host.heap(), field.name));
    }
  }
  if (cls.FindOwn("__match_args__") == nullptr) {
    cls.Put("__match_args__", host.heap().New<lang::Tuple>(std::move(names)));
  }
  cls.details = held;
  return AddDataclassMethods(host, cls, made);
}

}  // namespace espalier::script
