#include "frontend_lang/script/objects.h"

#include "frontend_lang/script/str.h"

namespace espalier::script {

Outcome<Value> ScriptFunction::GetAttr(Host& host, std::string_view name) {
  if (name == "__name__") return lang::MakeStr(host.heap(), routine_.short_name);
  if (name == "__doc__") {
    return routine_.doc.empty() ? Value() : lang::MakeStr(host.heap(), routine_.doc);
  }
  return Value::Unset();
}

Outcome<Value> TypeObject::GetAttr(Host& host, std::string_view name) {
  if (name == "__name__") return lang::MakeStr(host.heap(), name_);
  return Value::Unset();
}

void Module::AddFunction(std::string_view name, lang::NativeCode code) {
  Add(name, heap().New<lang::NativeFunction>(name, code));
}

Outcome<Value> Module::GetAttr(Host& host, std::string_view name) {
  if (name == "__name__") return lang::MakeStr(host.heap(), name_);
  for (const auto& [member, value] : members_) {
    if (member == name) return value;
  }
  return lang::Raise("AttributeError",
                     "module '" + name_ + "' has no attribute '" + std::string(name) + "'");
}

}  // namespace espalier::script
