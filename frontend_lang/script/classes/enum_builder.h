// Makes the members of an enumeration from the attributes of its class.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include "frontend_lang/script/classes/class_object.h"

namespace espalier::script {

// auto(): the value follows from the name and the members before.
class AutoValue final : public lang::Extension {
 public:
  explicit AutoValue(Heap& heap) : Extension(heap, lang::Type::kExtension) {}
  std::string_view TypeName() const override { return "auto"; }
};

// Turns the plain attributes of `cls` into members. The class itself, finished.
Outcome<Value> BuildMembers(Host& host, ClassObject& cls);

// Enum("Color", names): a class, with names as a str, a list or a dict.
Outcome<Value> EnumFromNames(Host& host, ClassObject& base, const Args& args);

}  // namespace espalier::script
