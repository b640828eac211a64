#include "frontend_lang/script/pydantic/model_object.h"

#include <fmt/format.h>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/pydantic/model_checker.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/hash.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/set.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::TypeError;

Outcome<std::string> FieldsText(Host& host, const Value& self, std::string_view separator) {
  lang::NestedScope scope(host);
  ESP_TRY(scope.Check());
  ESP_TRY_ASSIGN(const ModelTarget target, ModelTargetOf(self));
  std::string out;
  std::vector<std::pair<std::string, Value>> shown;
  for (const ModelField& field : target.model->fields) {
    const Value* value = target.instance->FindOwn(field.name);
    if (value != nullptr && field.in_repr) shown.emplace_back(field.name, *value);
  }
  if (const Value* extras = target.instance->FindOwn(kExtras)) {
    const Value kept = *extras;
    const auto& dict = *kept.As<lang::Dict>();
    for (std::size_t at = 0; const auto* entry = dict.EntryAt(at); ++at) {
      const Value key = entry->key, value = entry->value;
      ESP_TRY_ASSIGN(std::string name, lang::Text(host, key));
      shown.emplace_back(std::move(name), value);
    }
  }
  for (const auto& [name, property] : target.model->computed) {
    ESP_TRY_ASSIGN(Value value, lang::GetAttr(host, self, name));
    shown.emplace_back(name, std::move(value));
  }
  for (const auto& [name, value] : shown) {
    ESP_TRY_ASSIGN(const std::string text, lang::Repr(host, value));
    out += fmt::format("{}{}=", out.empty() ? "" : separator, name) + text;
    ESP_TRY(host.Reserve(static_cast<std::int64_t>(out.size())));
  }
  return out;
}

Outcome<Value> Repr(Host& host, const Value& self, const Args&) {
  ESP_TRY_ASSIGN(const std::string text, FieldsText(host, self, ", "));
  return lang::MakeStr(host.heap(), fmt::format("{}({})", self.As<Instance>()->cls().name(), text));
}

Outcome<Value> Str(Host& host, const Value& self, const Args&) {
  ESP_TRY_ASSIGN(std::string text, FieldsText(host, self, " "));
  return lang::MakeStr(host.heap(), std::move(text));
}

Outcome<Value> Equal(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("__eq__", args, 1, 1));
  ESP_TRY_ASSIGN(const ModelTarget target, ModelTargetOf(self));
  const auto* other = args.positional[0].If<Instance>();
  if (other == nullptr || &other->cls() != &target.instance->cls()) {
    return static_cast<Machine&>(host).Builtin("NotImplemented");
  }
  lang::NestedScope scope(host);
  ESP_TRY(scope.Check());
  for (const auto& [name, value] : target.instance->Own()) {
    if (name == kFieldsSet) continue;
    const Value* theirs = other->FindOwn(name);
    if (theirs == nullptr) return Value::Bool(false);
    ESP_TRY_ASSIGN(const bool same, lang::Same(host, value, Value(*theirs)));
    if (!same) return Value::Bool(false);
  }
  return Value::Bool(true);
}

Outcome<Value> Hash(Host& host, const Value& self, const Args&) {
  ESP_TRY_ASSIGN(const ModelTarget target, ModelTargetOf(self));
  if (!target.model->config.frozen) {
    return TypeError(fmt::format("unhashable type: '{}'", target.instance->TypeName()));
  }
  std::vector<Value> values;
  for (const ModelField& field : target.model->fields) {
    const Value* value = target.instance->FindOwn(field.name);
    if (value != nullptr) values.push_back(*value);
  }
  ESP_TRY_ASSIGN(const std::uint64_t hash,
                 lang::Hash(host, host.heap().New<lang::Tuple>(std::move(values))));
  return Value::Int(static_cast<std::int64_t>(hash));
}

Outcome<Value> Iter(Host& host, const Value& self, const Args&) {
  ESP_TRY_ASSIGN(const ModelTarget target, ModelTargetOf(self));
  std::vector<Value> pairs;
  for (const ModelField& field : target.model->fields) {
    const Value* value = target.instance->FindOwn(field.name);
    if (value == nullptr) continue;
    pairs.push_back(host.heap().New<lang::Tuple>(
        std::vector<Value>{lang::MakeStr(host.heap(), field.name), *value}));
  }
  return lang::Iterate(host, host.heap().New<lang::List>(std::move(pairs)));
}

Fault CheckName(const Value& name) {
  if (name.is_str()) return Fault();
  return TypeError(fmt::format("attribute name must be string, not '{}'", lang::TypeName(name)));
}

Outcome<Value> SetAttr(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("__setattr__", args, 2, 2));
  ESP_TRY_ASSIGN(const ModelTarget target, ModelTargetOf(self));
  ESP_TRY(CheckName(args.positional[0]));
  const std::string name(lang::TextOf(args.positional[0]));
  const ModelField* field = target.model->Find(name);
  ClassObject& cls = target.instance->cls();
  if (field != nullptr && (target.model->config.frozen || field->frozen)) {
    return RaiseValidationError(host, ModelTitle(cls),
                                {{field->frozen ? "frozen_field" : "frozen_instance",
                                  {args.positional[0]},
                                  field->frozen ? "Field is frozen" : "Instance is frozen",
                                  args.positional[1]}});
  }
  const Value* in_class = cls.Find(name);
  const bool property = in_class != nullptr && Exactly<Property>(*in_class) != nullptr;
  if (field == nullptr && !name.starts_with('_') && !property) {
    if (target.model->config.extra != Extra::kAllow) {
      return lang::ValueError(fmt::format("\"{}\" object has no field \"{}\"", cls.name(), name));
    }
    const Value* extras = target.instance->FindOwn(kExtras);
    if (extras != nullptr) extras->As<lang::Dict>()->PutStr(name, args.positional[1]);
    return Value();
  }
  Value value = args.positional[1];
  if (field != nullptr && target.model->config.validate_assignment) {
    ModelChecker checker(host, ModelChecker::Source::kPython);
    ESP_TRY_ASSIGN(value, checker.CheckField(cls, *field, value, Value()));
    if (value.is_unset()) {
      std::vector<InputProblem> problems = checker.problems();
      for (InputProblem& problem : problems) {
        problem.place.insert(problem.place.begin(), args.positional[0]);
      }
      return RaiseValidationError(host, ModelTitle(cls), problems);
    }
  }
  if (field != nullptr) {
    const Value* given = target.instance->FindOwn(kFieldsSet);
    if (given != nullptr) ESP_TRY(given->As<lang::Set>()->Add(host, args.positional[0]));
  }
  ESP_TRY_ASSIGN(const bool done, target.instance->DefaultSetAttr(host, name, std::move(value)));
  return done ? Value() : Value::Unset();
}

// Extra fields are attributes too.
Outcome<Value> GetAttr(Host&, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("__getattr__", args, 1, 1));
  ESP_TRY(CheckName(args.positional[0]));
  ESP_TRY_ASSIGN(const ModelTarget target, ModelTargetOf(self));
  const Value* extras = target.instance->FindOwn(kExtras);
  const std::string_view name = lang::TextOf(args.positional[0]);
  const Value* found = extras == nullptr ? nullptr : extras->As<lang::Dict>()->FindStr(name);
  if (found != nullptr) return *found;
  return lang::Raise("AttributeError", fmt::format("'{}' object has no attribute '{}'",
                                                   target.instance->TypeName(), name));
}

Outcome<Value> FieldsSet(Host& host, const Value& self, const Args&) {
  ESP_TRY_ASSIGN(const ModelTarget target, ModelTargetOf(self));
  const Value* given = target.instance->FindOwn(kFieldsSet);
  return given == nullptr ? host.heap().New<lang::Set>() : *given;
}

Outcome<Value> ExtraFields(Host&, const Value& self, const Args&) {
  ESP_TRY_ASSIGN(const ModelTarget target, ModelTargetOf(self));
  const Value* extras = target.instance->FindOwn(kExtras);
  return extras == nullptr ? Value() : *extras;
}

Outcome<Value> ModelFieldsOf(Host& host, const Value& self, const Args&) {
  ESP_TRY_ASSIGN(const ModelTarget target, ModelTargetOf(self));
  return ModelFieldsDict(host, target.instance->cls());
}

constexpr NativeMethod::Row kMethods[] = {
    {"__repr__", Repr}, {"__str__", Str},         {"__eq__", Equal},       {"__hash__", Hash},
    {"__iter__", Iter}, {"__setattr__", SetAttr}, {"__getattr__", GetAttr}};
constexpr NativeMethod::Row kProperties[] = {
    {"model_fields_set", FieldsSet}, {"model_extra", ExtraFields}, {"model_fields", ModelFieldsOf}};

}  // namespace

std::span<const NativeMethod::Row> ModelObjectMethods() { return kMethods; }
std::span<const NativeMethod::Row> ModelObjectProperties() { return kProperties; }

Outcome<ModelTarget> ModelTargetOf(const Value& self) {
  const ModelFields* model = ModelOf(self);
  if (model == nullptr) return TypeError("this is no object of a pydantic model");
  return ModelTarget{self.As<Instance>(), model, self.As<Instance>()->cls().details};
}

std::string ModelTitle(const ClassObject& cls) {
  return ModelOf(cls)->config.title.value_or(cls.name());
}

Outcome<Value> ModelFieldsDict(Host& host, ClassObject& cls) {
  const Value made = host.heap().New<lang::Dict>();
  const auto* model = ModelOf(cls);
  if (model == nullptr) return made;
  for (const ModelField& field : model->fields) {
    const Value info = host.heap().New<FieldInfo>();
    Exactly<FieldInfo>(info)->field = field;
    made.As<lang::Dict>()->PutStr(field.name, info);
  }
  return made;
}

}  // namespace espalier::script
