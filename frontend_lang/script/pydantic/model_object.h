// What an object of a model does: its text, equality, attributes.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <span>
#include <string>

#include "frontend_lang/script/classes/descriptors.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/pydantic/model.h"

namespace espalier::script {

std::span<const NativeMethod::Row> ModelObjectMethods();
std::span<const NativeMethod::Row> ModelObjectProperties();

struct ModelTarget {  // of a method called on an object
  Instance* instance;
  const ModelFields* model;
  Value held;  // the fields, for the time of the call
};
// A TypeError where `self` is no object of a model.
Outcome<ModelTarget> ModelTargetOf(const Value& self);

std::string ModelTitle(const ClassObject& cls);
// Model.model_fields: name -> FieldInfo.
Outcome<Value> ModelFieldsDict(Host& host, ClassObject& cls);

}  // namespace espalier::script
