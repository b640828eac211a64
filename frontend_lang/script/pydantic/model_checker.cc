#include "frontend_lang/script/pydantic/model_checker.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "frontend_lang/script/classes/construct.h"
#include "frontend_lang/script/classes/dataclass.h"
#include "frontend_lang/script/classes/descriptors.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/modules/deep_copy.h"
#include "frontend_lang/script/pydantic/continuation.h"
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
  if (const auto* set = value.If<lang::Set>(); set != nullptr && !set->frozen()) {
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

// The validators of the whole model that run at one of these times, in the order of definition.
std::vector<Value> ValidatorsOf(const ModelFields& model, std::initializer_list<When> when) {
  std::vector<Value> found;
  for (const Value& value : model.validators) {
    const auto& validator = *Exactly<Validator>(value);
    if (validator.fields.empty() && std::ranges::find(when, validator.when) != when.end()) {
      found.push_back(value);
    }
  }
  return found;
}

std::vector<Value> OuterValidators(const ModelFields& model) {
  return ValidatorsOf(model, {When::kAfter, When::kWrap});
}

// The function itself, with its first argument put in front of the others.
Value Unbound(const Value& function, const Value& cls, std::vector<Value>& args) {
  if (const auto* method = Exactly<StaticMethod>(function)) return method->function;
  args.insert(args.begin(), cls);
  const auto* method = Exactly<ClassMethod>(function);
  return method == nullptr ? function : method->function;
}

// The names that the input may have for a field, the first one first.
const Value* FindGiven(const lang::Dict& dict, const ModelField& field, const ModelConfig& config) {
  const Value* found = dict.FindStr(field.alias);
  for (const std::string& alias : field.more_aliases) {
    if (found == nullptr) found = dict.FindStr(alias);
  }
  return found == nullptr && config.by_name ? dict.FindStr(field.name) : found;
}

// What an object's attributes say of a model's fields.
Outcome<Value> AttributesOf(Host& host, const ModelFields& model, const Value& object) {
  const Value made = host.heap().New<lang::Dict>();
  for (const ModelField& field : model.fields) {
    const std::string name = field.alias;
    auto value = lang::GetAttr(host, object, name);
    if (value.ok()) {
      made.As<lang::Dict>()->PutStr(name, std::move(*value));
    } else if (value.error().type != "AttributeError") {
      return value.TakeFault();
    }
  }
  return made;
}

}  // namespace

ModelChecker ModelChecker::Anew() const {
  ModelChecker made(*this);
  made.place_.clear();
  made.problems_.clear();
  made.num_trials_ = 0;
  return made;
}

Outcome<Value> ModelChecker::CheckField(ClassObject&, const ModelField& field, const Value& input,
                                        const Value& known) {
  const std::string outer_name = std::exchange(field_name_, field.name);
  const Value outer_known = std::exchange(known_, known);
  auto made = Check(field.type, input);
  field_name_ = outer_name;
  known_ = outer_known;
  return made;
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
      if (!key.is_str()) return false;
      const std::string_view name = lang::TextOf(key);
      return name == field.alias || (model.config.by_name && name == field.name) ||
             std::ranges::find(field.more_aliases, name) != field.more_aliases.end();
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
    const Value* found = FindGiven(dict, field, model->config);
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

Outcome<bool> ModelChecker::FillRoot(const Value& object, const Value& input) {
  Instance& instance = *object.As<Instance>();
  ESP_TRY_ASSIGN(const ModelFields* const model, ResolvedModel(host_, instance.cls()));
  const Value held = instance.cls().details;
  const ModelField& field = model->fields.front();
  const bool absent = input.is_unset();
  Value value = input;
  if (absent && field.required()) {
    Wrong("missing", "Field required", Value());
    return false;
  }
  if (absent) {
    ESP_TRY_ASSIGN(value, Default(instance.cls(), field));
  } else {
    ESP_TRY_ASSIGN(value, CheckField(instance.cls(), field, input, Value()));
  }
  if (value.is_unset()) return false;
  const Value given = host_.heap().New<lang::Set>();
  if (!absent) {
    ESP_TRY(given.As<lang::Set>()->Add(host_, lang::MakeStr(host_.heap(), field.name)));
  }
  ESP_TRY(instance.PutOwn(host_, field.name, std::move(value)));
  ESP_TRY(instance.PutOwn(host_, kFieldsSet, given));
  return true;
}

// Private attributes, and what stands for __init__ behind the fields.
Fault ModelChecker::SetPrivates(const Value& object) {
  Instance& instance = *object.As<Instance>();
  const Value held = instance.cls().details;
  for (const auto& [name, value] : Exactly<ModelFields>(held)->privates) {
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
  if (instance.cls().Find("model_post_init") == nullptr) return Fault();
  ESP_TRY_ASSIGN(const Value post, lang::GetAttr(host_, object, "model_post_init"));
  const Value none;
  return host_.Call(post, Args{{&none, 1}, {}}).TakeFault();
}

// What validators that run before the fields make of the input: the last one first.
Outcome<Value> ModelChecker::Prepared(ClassObject& cls, const Value& input) {
  auto before = ValidatorsOf(*ModelOf(cls), {When::kBefore});
  std::ranges::reverse(before);
  Value value = input;
  for (const Value& validator : before) {
    std::vector<Value> args = {value};
    const Value function = Unbound(Exactly<Validator>(validator)->function, Value(&cls), args);
    ESP_TRY_ASSIGN(value, CallFunction(function, std::move(args), input));
    if (value.is_unset()) return value;
  }
  const ModelFields& model = *ModelOf(cls);
  if (model.is_root || value.If<lang::Dict>() != nullptr) return value;
  const bool from_attributes = from_attributes_ || model.config.from_attributes;
  if (from_attributes && value.If<Instance>() != nullptr) return AttributesOf(host_, model, value);
  if (from_attributes && source_ == Source::kPython) {
    return Wrong("model_attributes_type",
                 "Input should be a valid dictionary or object to extract fields from", value);
  }
  const bool json = source_ == Source::kJson;
  const std::string text =
      json ? "Input should be an object"
           : fmt::format("Input should be a valid dictionary or instance of {}", cls.name());
  return Wrong("model_type", text, value,
               {{"class_name", lang::MakeStr(host_.heap(), cls.name())}});
}

Outcome<Value> ModelChecker::MakeObject(const Target& target, const Value& input) {
  lang::NestedScope scope(host_);
  ESP_TRY(scope.Check());
  const auto* instance = input.If<Instance>();
  if (target.object.is_unset() && instance != nullptr && instance->cls().DerivesFrom(target.cls)) {
    return input;
  }
  const Value held = target.cls.details;
  const auto& model = *Exactly<ModelFields>(held);
  ESP_TRY_ASSIGN(const Value given, Prepared(target.cls, input));
  if (given.is_unset() && !(model.is_root && input.is_unset())) return given;
  Value object = target.object;
  if (object.is_unset()) {
    ESP_TRY_ASSIGN(object, Allocate(host_, target.cls, {}));
  }
  const auto outer = std::tuple(texts_, numbers_to_str_, enum_values_, mode_);
  texts_ = model.config.texts;
  numbers_to_str_ = model.config.numbers_to_str;
  enum_values_ = model.config.use_enum_values;
  if (model.config.strict) mode_ = Mode::kStrict;
  auto filled =
      model.is_root ? FillRoot(object, given) : FillFields(object, *given.As<lang::Dict>());
  std::tie(texts_, numbers_to_str_, enum_values_, mode_) = outer;
  if (!filled.ok()) return filled.TakeFault();
  if (!*filled) return Value::Unset();
  ESP_TRY(SetPrivates(object));
  return object;
}

// Calls a validator of the whole model: after it is made, or around its making.
Outcome<Value> ModelChecker::RunAround(const Target& target, const Validator& validator,
                                       const Value& input, std::size_t num_validators) {
  if (validator.when == When::kAfter) {
    ESP_TRY_ASSIGN(const Value made, CheckObject(target, input, num_validators));
    if (made.is_unset()) return made;
    std::vector<Value> args;
    const Value function = Unbound(validator.function, made, args);
    return CallFunction(function, std::move(args), input);
  }
  const Value cls(&target.cls), object = target.object;
  const Value handler =
      host_.heap().New<Continuation>([cls, object, num_validators, checker = Anew()](
                                         Host& host, const Value& given) -> Outcome<Value> {
        ModelChecker inner = checker;
        ESP_TRY_ASSIGN(Value made,
                       inner.CheckObject({*cls.As<ClassObject>(), object}, given, num_validators));
        if (!made.is_unset()) return made;
        return RaiseValidationError(host, cls.As<ClassObject>()->name(), inner.problems());
      });
  std::vector<Value> args = {input, handler};
  const Value function = Unbound(validator.function, cls, args);
  return CallFunction(function, std::move(args), input);
}

// The object, made within the first `num_validators` of the model's outer validators.
Outcome<Value> ModelChecker::CheckObject(const Target& target, const Value& input,
                                         std::size_t num_validators) {
  const auto validators = OuterValidators(*ModelOf(target.cls));
  if (num_validators == 0 || num_validators > validators.size()) return MakeObject(target, input);
  const Value held = validators[num_validators - 1];
  return RunAround(target, *Exactly<Validator>(held), input, num_validators - 1);
}

Outcome<bool> ModelChecker::Fill(const Value& object, const Value& input) {
  ClassObject& cls = object.As<Instance>()->cls();
  const std::size_t num_validators = OuterValidators(*ModelOf(cls)).size();
  ESP_TRY_ASSIGN(const Value made, CheckObject({cls, object}, input, num_validators));
  return !made.is_unset();
}

Outcome<Value> ModelChecker::CheckModel(ClassObject& cls, const Value& input) {
  return CheckObject({cls}, input, OuterValidators(*ModelOf(cls)).size());
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
