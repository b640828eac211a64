// The class BaseModel and its methods (declared in model.h).
#include <algorithm>

#include <fmt/format.h>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/classes/build_class.h"
#include "frontend_lang/script/classes/construct.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/modules/deep_copy.h"
#include "frontend_lang/script/modules/json_text.h"
#include "frontend_lang/script/pydantic/generic_model.h"
#include "frontend_lang/script/pydantic/json_input.h"
#include "frontend_lang/script/pydantic/model.h"
#include "frontend_lang/script/pydantic/model_checker.h"
#include "frontend_lang/script/pydantic/model_dump.h"
#include "frontend_lang/script/pydantic/model_object.h"
#include "frontend_lang/script/pydantic/model_schema.h"
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

using lang::TypeError;
using Source = ModelChecker::Source;

class ModelMetatype final : public Metatype {
 public:
  std::string_view name() const override { return "ModelMetaclass"; }
  Outcome<Value> Finish(Host& host, ClassObject& made, const Value& keywords) const override {
    ESP_TRY(ReadModel(host, made, keywords));
    return Value(&made);
  }
  Outcome<Value> GetItem(Host& host, ClassObject& cls, const Value& key) const override {
    return ParametrizedModel(host, cls, key);
  }
  Outcome<Value> GetAttr(Host& host, ClassObject& cls, std::string_view name) const override;
};

const Metatype& ModelClasses() {
  static const ModelMetatype kModels;
  return kModels;
}

Outcome<Value> ModelMetatype::GetAttr(Host& host, ClassObject& cls, std::string_view name) const {
  if (name == "model_config" && cls.Find(name) == nullptr) return host.heap().New<lang::Dict>();
  if (name != "model_fields") return Value::Unset();
  return ModelFieldsDict(host, cls);
}

Outcome<ClassObject*> ModelClassOf(const Value& self) {
  auto* cls = self.If<ClassObject>();
  if (cls == nullptr || ModelOf(*cls) == nullptr) {
    return TypeError("BaseModel itself has no fields; derive from it");
  }
  return cls;
}

// ---- Making objects.

Value DictOf(Heap& heap, std::span<const lang::Keyword> keywords) {
  Value dict = heap.New<lang::Dict>();
  for (const lang::Keyword& keyword : keywords) {
    dict.As<lang::Dict>()->PutStr(keyword.name, keyword.value);
  }
  return dict;
}

Outcome<Value> Filled(Host& host, const Value& self, const Value& input) {
  ModelChecker checker(host, Source::kPython);
  ESP_TRY_ASSIGN(const bool filled, checker.Fill(self, input));
  if (filled) return Value();
  return RaiseValidationError(host, ModelTitle(self.As<Instance>()->cls()), checker.problems());
}

// Tags(["a"]), Tags(root=["a"]), or keywords that are a dict.
Outcome<Value> InitRoot(Host& host, const Value& self, const Args& args) {
  if (args.positional.size() > 1 || (!args.positional.empty() && !args.keywords.empty())) {
    return TypeError(
        "\"RootModel.__init__\" accepts either a single positional argument or arbitrary keyword "
        "arguments");
  }
  if (!args.positional.empty()) return Filled(host, self, args.positional[0]);
  if (args.keywords.empty()) return Filled(host, self, Value::Unset());
  if (args.keywords.size() == 1 && args.keywords[0].name == "root") {
    return Filled(host, self, args.keywords[0].value);
  }
  return Filled(host, self, DictOf(host.heap(), args.keywords));
}

Outcome<Value> Init(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const ModelTarget target, ModelTargetOf(self));
  if (target.model->is_root) return InitRoot(host, self, args);
  if (!args.positional.empty()) {
    return TypeError(
        fmt::format("BaseModel.__init__() takes 1 positional argument but {} were given",
                    args.positional.size() + 1));
  }
  return Filled(host, self, DictOf(host.heap(), args.keywords));
}

Outcome<Value> Validated(Host& host, ClassObject& cls, const Value& input, ModelChecker checker) {
  ESP_TRY_ASSIGN(const ModelFields* const model, ResolvedModel(host, cls));
  (void)model;
  ESP_TRY_ASSIGN(Value made, checker.CheckModel(cls, input));
  if (!made.is_unset()) return made;
  return RaiseValidationError(host, ModelTitle(cls), checker.problems());
}

Outcome<Value> ModelValidate(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(ClassObject* const cls, ModelClassOf(self));
  if (args.positional.size() != 1) return TypeError("model_validate() takes one argument");
  ESP_TRY_ASSIGN(const ModelChecker::Mode mode, AskedMode(host, args));
  ModelChecker checker(host, Source::kPython, mode);
  for (const lang::Keyword& keyword : args.keywords) {
    if (keyword.name != "from_attributes") continue;
    ESP_TRY_ASSIGN(const bool asked, lang::Truth(host, keyword.value));
    if (asked) checker.set_from_attributes();
  }
  return Validated(host, *cls, args.positional[0], std::move(checker));
}

Outcome<Value> ModelValidateJson(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(ClassObject* const cls, ModelClassOf(self));
  if (args.positional.size() != 1) return TypeError("model_validate_json() takes one argument");
  ESP_TRY_ASSIGN(const Value parsed, ParsedJson(host, args.positional[0], ModelTitle(*cls)));
  ESP_TRY_ASSIGN(const ModelChecker::Mode mode, AskedMode(host, args));
  return Validated(host, *cls, parsed, ModelChecker(host, Source::kJson, mode));
}

// Model.model_construct(**values): without validation.
Outcome<Value> ModelConstruct(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(ClassObject* const cls, ModelClassOf(self));
  ESP_TRY_ASSIGN(const ModelFields* const model, ResolvedModel(host, *cls));
  ESP_TRY_ASSIGN(const Value made, Allocate(host, *cls, {}));
  Instance& instance = *made.As<Instance>();
  const Value given = host.heap().New<lang::Set>();
  for (const ModelField& field : model->fields) {
    const auto at = std::ranges::find(args.keywords, field.name, &lang::Keyword::name);
    Value value = at != args.keywords.end() ? at->value : field.default_value;
    if (value.is_unset() && !field.factory.is_unset()) {
      ESP_TRY_ASSIGN(value, host.Call(field.factory, {}));
    }
    if (at != args.keywords.end()) {
      ESP_TRY(given.As<lang::Set>()->Add(host, lang::MakeStr(host.heap(), field.name)));
    }
    if (!value.is_unset()) ESP_TRY(instance.PutOwn(host, field.name, std::move(value)));
  }
  ESP_TRY(instance.PutOwn(host, kFieldsSet, given));
  return made;
}

// ---- Schemas and dumps.

Outcome<Value> ModelJsonSchema(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(ClassObject* const cls, ModelClassOf(self));
  ESP_TRY_ASSIGN(const SchemaNames names, AskedNames(host, args, ModelOf(*cls)));
  ESP_TRY_ASSIGN(const auto schema, SchemaOf(host, *cls, names));
  return lang::FromJson(host, schema);
}

Outcome<Value> SchemaJson(Host& host, const Value& self, const Args&) {
  ESP_TRY_ASSIGN(const Value schema, ModelJsonSchema(host, self, {}));
  ESP_TRY_ASSIGN(std::string text, WriteJson(host, schema, {}));
  return lang::MakeStr(host.heap(), std::move(text));
}

Outcome<Value> ModelDump(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const ModelTarget target, ModelTargetOf(self));
  (void)target;
  ESP_TRY_ASSIGN(const DumpOptions options, ReadDumpOptions(host, args));
  return Dump(host, self, options);
}

Outcome<Value> ModelDumpJson(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const ModelTarget target, ModelTargetOf(self));
  (void)target;
  ESP_TRY_ASSIGN(DumpOptions options, ReadDumpOptions(host, args));
  options.json = true;
  const JsonStyle style = DumpStyle(args);
  ESP_TRY_ASSIGN(const Value dict, Dump(host, self, options));
  ESP_TRY_ASSIGN(std::string text, WriteJson(host, dict, style));
  return lang::MakeStr(host.heap(), std::move(text));
}

// model_copy(update={...}, deep=True)
Outcome<Value> ModelCopy(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const ModelTarget target, ModelTargetOf(self));
  ESP_TRY_ASSIGN(const Value made, Allocate(host, target.instance->cls(), {}));
  bool deep = false;
  for (const lang::Keyword& keyword : args.keywords) {
    if (keyword.name != "deep") continue;
    ESP_TRY_ASSIGN(deep, lang::Truth(host, keyword.value));
  }
  for (auto& [name, value] : target.instance->Own()) {
    Value copy = value;
    if (deep) {
      ESP_TRY_ASSIGN(copy, DeepCopied(host, value));
    }
    ESP_TRY(made.As<Instance>()->PutOwn(host, name, std::move(copy)));
  }
  for (const lang::Keyword& keyword : args.keywords) {
    const auto* update = keyword.value.If<lang::Dict>();
    if (keyword.name != "update" || update == nullptr) continue;
    for (std::size_t at = 0; const auto* entry = update->EntryAt(at); ++at) {
      if (!entry->key.is_str()) return TypeError("keys of update are names of fields");
      ESP_TRY(made.As<Instance>()->PutOwn(host, lang::TextOf(entry->key), entry->value));
    }
  }
  return made;
}

Outcome<Value> Nothing(Host&, const Value&, const Args&) { return Value(); }

constexpr auto kClass = NativeMethod::Binds::kClass;
constexpr NativeMethod::Row kMethods[] = {
    {"__init__", Init},
    {"model_dump", ModelDump},
    {"model_dump_json", ModelDumpJson},
    {"model_copy", ModelCopy},
    {"model_validate", ModelValidate, kClass},
    {"model_validate_json", ModelValidateJson, kClass},
    {"model_construct", ModelConstruct, kClass},
    {"model_json_schema", ModelJsonSchema, kClass},
    {"model_rebuild", Nothing, kClass},
    // As older programs say them.
    {"dict", ModelDump},
    {"json", ModelDumpJson},
    {"copy", ModelCopy},
    {"parse_obj", ModelValidate, kClass},
    {"parse_raw", ModelValidateJson, kClass},
    {"schema", ModelJsonSchema, kClass},
    {"schema_json", SchemaJson, kClass},
};

}  // namespace

Value MakeModelClass(Machine& machine) {
  Heap& heap = machine.heap();
  Value made = NativeClass(heap, "BaseModel", ModelClasses(), kMethods);
  for (const NativeMethod::Row& row : ModelObjectMethods()) {
    made.As<ClassObject>()->Put(row.name, heap.New<NativeMethod>(row));
  }
  for (const NativeMethod::Row& row : ModelObjectProperties()) {
    made.As<ClassObject>()->Put(row.name, heap.New<Property>(heap.New<NativeMethod>(row)));
  }
  return made;
}

}  // namespace espalier::script
