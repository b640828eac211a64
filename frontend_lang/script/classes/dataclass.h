// Dataclasses: the fields that @dataclass reads from a class's annotations, and the
// methods that follow from them.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend_lang/script/classes/class_object.h"
#include "frontend_lang/script/machine/machine.h"

namespace espalier::script {

struct DataclassField {
  std::string name;
  Value type;
  Value default_value = Value::Unset();
  Value factory = Value::Unset();
  Value metadata;
  bool in_init = true, in_repr = true, in_compare = true;
  bool keyword_only = false;
  bool init_only = false;  // InitVar: a parameter of __init__ and __post_init__, no attribute

  bool has_default() const { return !default_value.is_unset() || !factory.is_unset(); }
};

// What field(...) returns.
class FieldSpec final : public lang::Extension {
 public:
  explicit FieldSpec(Heap& heap) : Extension(heap, lang::Type::kExtension) {}
  std::string_view TypeName() const override { return "Field"; }
  Outcome<std::string> Repr(Host& host) override;
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;

  DataclassField field;

 private:
  void Clear() override { field = DataclassField(); }
};

struct DataclassOptions {
  bool init = true, repr = true, eq = true, order = false, frozen = false;
  bool unsafe_hash = false, keyword_only = false, slots = false;
};

// The fields of a dataclass, those of its bases first; the details of its class.
class DataclassFields final : public lang::Extension {
 public:
  explicit DataclassFields(Heap& heap) : Extension(heap, lang::Type::kExtension) {}
  std::string_view TypeName() const override { return "fields"; }

  std::vector<DataclassField> fields;
  DataclassOptions options;

 private:
  void Clear() override { fields.clear(); }
};

// The fields of a class or of the nearest dataclass it derives from; null for none.
const DataclassFields* FieldsOf(const ClassObject& cls);

// Applies @dataclass to a class.
Fault MakeDataclass(Host& host, ClassObject& cls, const DataclassOptions& options);

// dataclasses.asdict(value): dataclasses within become dicts too.
Outcome<Value> AsDict(Host& host, const Value& value);

}  // namespace espalier::script
