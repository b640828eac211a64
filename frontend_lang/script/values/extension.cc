#include "frontend_lang/script/values/extension.h"

#include "frontend_lang/script/values/text/str.h"

namespace espalier::lang {

Outcome<bool> Extension::Equals(Host&, const Value& other) {
  return other.on_heap() && other.object() == this;
}

Outcome<std::uint64_t> Extension::Hash(Host&) {
  if (number_ == 0) number_ = heap().NextId();
  return number_;
}

Outcome<std::string> Extension::Repr(Host&) { return "<" + std::string(TypeName()) + " object>"; }

Outcome<std::string> Extension::Format(Host& host, std::string_view spec) {
  if (spec.empty()) return Text(host);
  return lang::TypeError("unsupported format string passed to " + std::string(TypeName()) +
                         ".__format__");
}

Outcome<Value> Extension::Call(Host&, const Args&) {
  return lang::TypeError("'" + std::string(TypeName()) + "' object is not callable");
}

const Value& Extension::Underlying() const {
  static const Value kNone = Value::Unset();
  return kNone;
}

Outcome<std::string> NativeFunction::Repr(Host&) {
  const std::string name(name_);
  if (self_.is_unset()) return "<built-in function " + name + ">";
  return "<built-in method " + name + " of " + std::string(lang::TypeName(self_)) + " object>";
}

Outcome<Value> NativeFunction::GetAttr(Host& host, std::string_view name) {
  if (name == "__name__") return MakeStr(host.heap(), name_);
  return Value::Unset();
}

Outcome<bool> Next(Host& host, const Value& iterator, Value& value) {
  NestedScope scope(host);
  ESP_TRY(scope.Check());
  const Value held = iterator;
  return static_cast<Iterator*>(held.object())->Next(host, value);
}

}  // namespace espalier::lang
