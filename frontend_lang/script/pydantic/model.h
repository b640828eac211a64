// Models: classes that derive from pydantic's BaseModel. Their annotated fields become a
// JSON Schema, and check what is made of them.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frontend_lang/script/machine/machine.h"
#include "frontend_lang/script/pydantic/field_type.h"

namespace espalier::script {

// Own attributes of a model's object, which are hidden (kHiddenMark): the set of fields given,
// and the dict of extra ones.
inline constexpr std::string_view kFieldsSet =
    "\xff"
    "fields_set";
inline constexpr std::string_view kExtras =
    "\xff"
    "extras";

struct ModelField {
  std::string name;
  Value annotation;
  FieldType type;  // once ModelFields::resolved
  Value default_value = Value::Unset();
  Value factory = Value::Unset();
  std::string alias;       // of the input; the name where none is given
  std::string dump_alias;  // of the output; likewise
  bool has_alias = false;
  std::optional<std::string> title, description;
  Value examples = Value::Unset();
  Value schema_extra = Value::Unset();  // a dict
  bool excluded = false, frozen = false, in_repr = true;
  Constraints constraints;
  Tagged tagged;                          // Field(discriminator=...)
  std::vector<std::string> more_aliases;  // of the input: AliasChoices beyond the first

  bool required() const { return default_value.is_unset() && factory.is_unset(); }
};

// What Field(...) returns; also conint(...) as an annotation's metadata.
class FieldInfo final : public lang::Extension {
 public:
  explicit FieldInfo(Heap& heap) : Extension(heap, lang::Type::kExtension) {}
  std::string_view TypeName() const override { return "FieldInfo"; }
  Outcome<std::string> Repr(Host& host) override;
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;

  ModelField field;
  bool is_private = false;  // PrivateAttr

 private:
  void Clear() override { field = ModelField(); }
};

// When a validator or serializer runs: before or after what it is put around, in its place, or
// around it (it is given a function that goes on).
enum class When { kBefore, kAfter, kWrap, kPlain };

// A function that @field_validator or @model_validator has marked.
class Validator final : public lang::Extension {
 public:
  explicit Validator(Heap& heap) : Extension(heap, lang::Type::kExtension) {}
  std::string_view TypeName() const override { return "PydanticDescriptorProxy"; }

  Value function;                   // a ScriptFunction, ClassMethod or StaticMethod
  std::vector<std::string> fields;  // empty: of the model; "*": of every field
  When when = When::kAfter;
  std::string name;  // in its class

 private:
  void Clear() override { function = Value(); }
};

// A function around the validation of one type: AfterValidator(f) within Annotated, or a field
// validator of a class.
class FunctionValidator final : public lang::Extension {
 public:
  explicit FunctionValidator(Heap& heap) : Extension(heap, lang::Type::kExtension) {}
  std::string_view TypeName() const override { return "FunctionValidator"; }

  Value function;
  Value self = Value::Unset();  // its first argument, where it is a class method
  When when = When::kAfter;

 private:
  void Clear() override { function = self = Value(); }
};

// A function that @field_serializer or @model_serializer has marked.
class Serializer final : public lang::Extension {
 public:
  explicit Serializer(Heap& heap) : Extension(heap, lang::Type::kExtension) {}
  std::string_view TypeName() const override { return "PydanticDescriptorProxy"; }

  Value function;
  std::vector<std::string> fields;  // empty: of the model; "*": of every field
  When when = When::kPlain;
  std::string name;                                 // in its class
  bool for_json_only = false, unless_none = false;  // when_used

 private:
  void Clear() override { function = Value(); }
};

// A choice beside constraints that Annotated holds: Tag("name").
class TypeTag final : public lang::Extension {
 public:
  TypeTag(Heap& heap, std::string tag)
      : Extension(heap, lang::Type::kExtension), tag(std::move(tag)) {}
  std::string_view TypeName() const override { return "Tag"; }

  const std::string tag;
};

enum class Extra { kIgnore, kForbid, kAllow };

struct ModelConfig {
  Extra extra = Extra::kIgnore;
  std::optional<std::string> title;
  bool by_name = false;  // populate_by_name
  bool frozen = false, use_enum_values = false, validate_assignment = false;
  bool strict = false, validate_default = false;
  bool from_attributes = false, numbers_to_str = false;
  Constraints texts;  // of every str: its length, and what becomes of it
  Value schema_extra = Value::Unset();
  Value alias_generator = Value::Unset();
};

// The fields of a model, those of its bases first; the details of its class.
class ModelFields final : public lang::Extension {
 public:
  explicit ModelFields(Heap& heap) : Extension(heap, lang::Type::kExtension) {}
  std::string_view TypeName() const override { return "fields"; }

  const ModelField* Find(std::string_view name) const;

  std::vector<ModelField> fields;
  std::vector<std::pair<std::string, Value>> computed;  // name, Property
  std::vector<std::pair<std::string, Value>> privates;  // name, default or Unset
  std::vector<Value> validators;                        // Validators
  std::vector<Value> serializers;                       // Serializers
  ModelConfig config;
  bool is_root = false;  // a RootModel: its only field is what it stands for
  bool resolved = false;
  std::vector<std::pair<Value, Value>> parametrized;  // of a generic model: types, class

 private:
  void Clear() override {
    fields.clear();
    computed.clear();
    privates.clear();
    validators.clear();
    serializers.clear();
    parametrized.clear();
    config.schema_extra = config.alias_generator = Value::Unset();
  }
};

// The fields of a class that is a model; null for other classes.
ModelFields* ModelOf(const ClassObject& cls);
ModelFields* ModelOf(const Value& value);  // of an instance

// The fields with their types read: names in annotations must exist by now.
Outcome<ModelFields*> ResolvedModel(Host& host, ClassObject& cls);

// Reads the fields of a new model class.
Fault ReadModel(Host& host, ClassObject& cls, const Value& keywords);

// The serializer of a field, or of the model where there is none; null: none.
const Serializer* FindSerializer(const ModelFields& model, std::string_view field);

// Whether a Python function takes more than `num_given` arguments: then it is told more.
bool TakesMore(const Value& function, int num_given);

// The class BaseModel.
Value MakeModelClass(Machine& machine);

}  // namespace espalier::script
