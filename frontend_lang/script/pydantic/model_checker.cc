#include "frontend_lang/script/pydantic/model_checker.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend_lang/script/classes/construct.h"
#include "frontend_lang/script/classes/dataclass.h"
#include "frontend_lang/script/classes/descriptors.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/modules/deep_copy.h"
#include "frontend_lang/script/pydantic/validation_note.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/set.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

// A default as each object gets it: lists, dicts and sets are copied.
Outcome<Value> CopyDefault(Host& host, Value value) {
  lang::NestedScope scope(host);
  ESP_TRY(scope.Check());
  ESP_TRY(host.Step());
  if (const auto* list = value.If<lang::List>()) {
    std::vector<Value> items;
    const std::vector<Value> given = list->items();
    ESP_TRY(host.Reserve(list->size(), 2 * sizeof(Value)));
    for (const Value& item : given) {
      ESP_TRY_ASSIGN(Value copy, CopyDefault(host, item));
      items.push_back(std::move(copy));
    }
    return host.heap().New<lang::List>(std::move(items));
  }
  if (value.If<lang::Set>() != nullptr) {
    const Value copy = host.heap().New<lang::Set>();
    ESP_TRY_ASSIGN(const auto items, lang::Collect(host, value));
    for (const Value& item : items) ESP_TRY(copy.As<lang::Set>()->Add(host, item));
    return copy;
  }
  if (ModelOf(value) != nullptr && !ModelOf(value)->config.frozen) return DeepCopied(host, value);
  const auto* dict = value.If<lang::Dict>();
  if (dict == nullptr) return value;
  const Value copy = host.heap().New<lang::Dict>();
  for (std::size_t at = 0; const auto* entry = dict->EntryAt(at); ++at) {
    const Value key = entry->key;
    ESP_TRY_ASSIGN(Value item, CopyDefault(host, Value(entry->value)));
    ESP_TRY(copy.As<lang::Dict>()->Put(host, key, std::move(item)));
  }
  return copy;
}

bool AppliesTo(const Validator& validator, const ModelField& field) {
  return std::ranges::any_of(
      validator.fields, [&](const std::string& name) { return name == field.name || name == "*"; });
}

std::vector<Value> ValidatorsOf(const ModelFields& model, const ModelField* field,
                                std::initializer_list<Validator::When> when) {
  std::vector<Value> found;
  for (const Value& value : model.validators) {
    const auto& validator = *Exactly<Validator>(value);
    const bool applies = field == nullptr ? validator.fields.empty() : AppliesTo(validator, *field);
    if (applies && std::ranges::find(when, validator.when) != when.end()) found.push_back(value);
  }
  return found;
}

// Whether the function takes the note about the field behind the value.
bool WantsNote(const Value& function, int num_bound) {
  const Value* plain = &function;
  if (const auto* method = Exactly<ClassMethod>(function)) plain = &method->function;
  if (const auto* method = Exactly<StaticMethod>(function)) plain = &method->function;
  const auto* script = Exactly<ScriptFunction>(*plain);
  return script != nullptr && script->routine().num_positional > num_bound + 1;
}

}  // namespace

// Errors that a validator raises about its input become problems.
Outcome<Value> ModelChecker::Checked(Outcome<Value> outcome, const Value& input) {
  if (outcome.ok()) return outcome;
  Fault fault = outcome.TakeFault();
  const bool assertion = IsA(fault.error(), "AssertionError");
  if (!assertion && !IsA(fault.error(), "ValueError")) return fault;
  auto& machine = static_cast<Machine&>(host_);
  ErrorObject& error = machine.ObjectOf(fault.error());
  const Value held(&error);
  ESP_TRY_ASSIGN(const std::string text, error.Text(host_));
  return Wrong(assertion ? "assertion_error" : "value_error",
               (assertion ? "Assertion failed, " : "Value error, ") + text, input,
               {{"error", held}});
}

Outcome<Value> ModelChecker::RunValidator(ClassObject& cls, const Validator& validator,
                                          const ModelField* field, const Value& input,
                                          const Value& known) {
  const bool is_static = Exactly<StaticMethod>(validator.function) != nullptr;
  std::vector<Value> args;
  if (!is_static) args.push_back(Value(&cls));
  args.push_back(input);
  Value function = validator.function;
  if (const auto* method = Exactly<ClassMethod>(function)) function = method->function;
  if (const auto* method = Exactly<StaticMethod>(function)) function = method->function;
  if (WantsNote(validator.function, is_static ? 0 : 1)) {
    args.push_back(host_.heap().New<ValidationNote>(field == nullptr ? "" : field->name, known));
  }
  return Checked(host_.Call(function, Args{args, {}}), input);
}

Outcome<Value> ModelChecker::CheckField(ClassObject& cls, const ModelField& field,
                                        const Value& input, const Value& known) {
  using When = Validator::When;
  const ModelFields& model = *ModelOf(cls);
  Value value = input;
  auto before = ValidatorsOf(model, &field, {When::kBefore});
  std::ranges::reverse(before);
  for (const Value& validator : before) {
    ESP_TRY_ASSIGN(value, RunValidator(cls, *Exactly<Validator>(validator), &field, value, known));
    if (value.is_unset()) return value;
  }
  const auto plain = ValidatorsOf(model, &field, {When::kPlain});
  if (plain.empty()) {
    ESP_TRY_ASSIGN(value, Check(field.type, value));
    if (value.is_unset()) return value;
  }
  for (const Value& validator : ValidatorsOf(model, &field, {When::kPlain, When::kAfter})) {
    ESP_TRY_ASSIGN(value, RunValidator(cls, *Exactly<Validator>(validator), &field, value, known));
    if (value.is_unset()) return value;
  }
  return value;
}

Outcome<Value> ModelChecker::Default(ClassObject& cls, const ModelField& field) {
  if (!field.factory.is_unset()) return host_.Call(Value(field.factory), {});
  ESP_TRY_ASSIGN(Value value, CopyDefault(host_, field.default_value));
  if (!ModelOf(cls)->config.validate_default) return value;
  return CheckField(cls, field, value, Value());
}

// What the fields do not name. False where that is forbidden.
Outcome<bool> ModelChecker::TakeExtras(const Value& object, const lang::Dict& dict,
                                       const ModelFields& model) {
  if (model.config.extra == Extra::kIgnore) return true;
  const Value extras = host_.heap().New<lang::Dict>();
  bool all = true;
  for (std::size_t at = 0; const auto* entry = dict.EntryAt(at); ++at) {
    ESP_TRY(host_.Step());
    const Value key = entry->key, value = entry->value;
    const bool known = std::ranges::any_of(model.fields, [&](const ModelField& field) {
      return key.is_str() && (lang::TextOf(key) == field.alias ||
                              (model.config.by_name && lang::TextOf(key) == field.name));
    });
    if (known) continue;
    if (!key.is_str()) {
      const Step step(*this, key);
      Wrong("invalid_key", "Keys should be strings", value);
      all = false;
    } else if (model.config.extra == Extra::kForbid) {
      const Step step(*this, key);
      Wrong("extra_forbidden", "Extra inputs are not permitted", value);
      all = false;
    } else {
      ESP_TRY(extras.As<lang::Dict>()->Put(host_, key, value));
    }
  }
  if (model.config.extra == Extra::kAllow) {
    ESP_TRY(object.As<Instance>()->PutOwn(host_, kExtras, extras));
  }
  return all;
}

Outcome<bool> ModelChecker::FillFields(const Value& object, const lang::Dict& dict) {
  Instance& instance = *object.As<Instance>();
  ESP_TRY_ASSIGN(const ModelFields* const model, ResolvedModel(host_, instance.cls()));
  const Value held = instance.cls().details;
  const Value given = host_.heap().New<lang::Set>(), known = host_.heap().New<lang::Dict>();
  bool all = true;
  for (const ModelField& field : model->fields) {
    const Value* found = dict.FindStr(field.alias);
    if (found == nullptr && model->config.by_name) found = dict.FindStr(field.name);
    const Step step(*this, lang::MakeStr(host_.heap(), field.alias));
    Value value = Value::Unset();
    if (found != nullptr) {
      ESP_TRY_ASSIGN(value, CheckField(instance.cls(), field, Value(*found), known));
      ESP_TRY(given.As<lang::Set>()->Add(host_, lang::MakeStr(host_.heap(), field.name)));
    } else if (field.required()) {
      Wrong("missing", "Field required", Value(&const_cast<lang::Dict&>(dict)));
    } else {
      ESP_TRY_ASSIGN(value, Default(instance.cls(), field));
    }
    all &= !value.is_unset();
    if (value.is_unset()) continue;
    known.As<lang::Dict>()->PutStr(field.name, value);
    ESP_TRY(instance.PutOwn(host_, field.name, std::move(value)));
  }
  ESP_TRY(instance.PutOwn(host_, kFieldsSet, given));
  ESP_TRY_ASSIGN(const bool extras, TakeExtras(object, dict, *model));
  return all && extras;
}

// Validators of the whole object, and what stands for __init__ behind it.
Outcome<bool> ModelChecker::RunAfter(const Value& object, const Value& input) {
  Instance& instance = *object.As<Instance>();
  const ModelFields& model = *ModelOf(instance.cls());
  for (const auto& [name, value] : model.privates) {
    if (value.is_unset()) continue;
    const auto* info = Exactly<FieldInfo>(value);
    Value initial = value;
    if (info != nullptr) {
      if (info->field.required()) continue;
      ESP_TRY_ASSIGN(initial, Default(instance.cls(), info->field));
    }
    ESP_TRY_ASSIGN(initial, CopyDefault(host_, initial));
    ESP_TRY(instance.PutOwn(host_, name, std::move(initial)));
  }
  if (instance.cls().Find("model_post_init") != nullptr) {
    ESP_TRY_ASSIGN(const Value post, lang::GetAttr(host_, object, "model_post_init"));
    const Value none;
    ESP_TRY_ASSIGN(const Value ignored, host_.Call(post, Args{{&none, 1}, {}}));
    (void)ignored;
  }
  for (const Value& value : ValidatorsOf(model, nullptr, {Validator::When::kAfter})) {
    const Value function = Exactly<Validator>(value)->function;
    ESP_TRY_ASSIGN(const Value bound, BindToInstance(host_, function, object));
    ESP_TRY_ASSIGN(const Value kept, Checked(host_.Call(bound, {}), input));
    if (kept.is_unset()) return false;
  }
  return true;
}

Outcome<bool> ModelChecker::Fill(const Value& object, const Value& dict) {
  lang::NestedScope scope(host_);
  ESP_TRY(scope.Check());
  ClassObject& cls = object.As<Instance>()->cls();
  const ModelFields& model = *ModelOf(cls);
  Value input = dict;
  for (const Value& validator : ValidatorsOf(model, nullptr, {Validator::When::kBefore})) {
    ESP_TRY_ASSIGN(input,
                   RunValidator(cls, *Exactly<Validator>(validator), nullptr, input, Value()));
    if (input.is_unset()) return false;
  }
  const auto* fields = input.If<lang::Dict>();
  if (fields == nullptr) {
    Wrong("model_type",
          fmt::format("Input should be a valid dictionary or instance of {}", cls.name()), input);
    return false;
  }
  const bool outer_strip = std::exchange(strip_, model.config.strip);
  const Mode outer_mode = mode_;
  if (model.config.strict) mode_ = Mode::kStrict;
  auto filled = FillFields(object, *fields);
  strip_ = outer_strip;
  mode_ = outer_mode;
  if (!filled.ok() || !*filled) return filled;
  return RunAfter(object, dict);
}

Outcome<Value> ModelChecker::CheckModel(ClassObject& cls, const Value& input) {
  const auto* instance = input.If<Instance>();
  if (instance != nullptr && instance->cls().DerivesFrom(cls)) return input;
  const bool prepared = !ValidatorsOf(*ModelOf(cls), nullptr, {Validator::When::kBefore}).empty();
  if (input.If<lang::Dict>() == nullptr && !prepared) {
    return WrongShape(
        "model_type",
        fmt::format("Input should be a valid dictionary or instance of {}", cls.name()),
        "Input should be an object", input);
  }
  ESP_TRY_ASSIGN(const Value made, Allocate(host_, cls, {}));
  ESP_TRY_ASSIGN(const bool filled, Fill(made, input));
  return filled ? made : Value::Unset();
}

// A dataclass from a dict or as it is; a TypedDict from a dict.
Outcome<Value> ModelChecker::CheckRecord(const FieldType& type, const Value& input) {
  auto& cls = *type.cls.As<ClassObject>();
  const auto* instance = input.If<Instance>();
  if (instance != nullptr && instance->cls().DerivesFrom(cls)) return input;
  const auto* dict = input.If<lang::Dict>();
  const DataclassFields* fields = FieldsOf(cls);
  if (dict == nullptr) {
    if (fields == nullptr) return Wrong("dict_type", "Input should be a valid dictionary", input);
    return Wrong("dataclass_type",
                 fmt::format("Input should be a dictionary or an instance of {}", cls.name()),
                 input, {{"class_name", lang::MakeStr(host_.heap(), cls.name())}});
  }
  const Value made = host_.heap().New<lang::Dict>();
  const auto& annotations = *cls.annotations.As<lang::Dict>();
  bool all = true;
  for (std::size_t at = 0; const auto* entry = annotations.EntryAt(at); ++at) {
    const Value key = entry->key;
    const Step step(*this, key);
    const Value* found = dict->FindStr(lang::TextOf(key));
    if (found == nullptr) {
      if (cls.Find(lang::TextOf(key)) != nullptr) continue;
      const bool has_default =
          fields != nullptr && std::ranges::any_of(fields->fields, [&](const DataclassField& f) {
            return f.name == lang::TextOf(key) && f.has_default();
          });
      if (has_default) continue;
      Wrong("missing", "Field required", input);
      all = false;
      continue;
    }
    const Value given = *found;
    ESP_TRY_ASSIGN(const FieldType part, ReadAnnotation(host_, Value(entry->value), cls));
    ESP_TRY_ASSIGN(Value value, Check(part, given));
    all &= !value.is_unset();
    if (all) made.As<lang::Dict>()->PutStr(lang::TextOf(key), std::move(value));
  }
  if (!all) return Value::Unset();
  if (fields == nullptr) return made;
  std::vector<lang::Keyword> keywords;
  for (std::size_t at = 0; const auto* entry = made.As<lang::Dict>()->EntryAt(at); ++at) {
    keywords.push_back({lang::TextOf(entry->key), entry->value});
  }
  return host_.Call(type.cls, Args{{}, keywords});
}

}  // namespace espalier::script
