#include "frontend_lang/script/values/as_number.h"

#include <string>

#include "frontend_lang/script/values/extension.h"
#include "frontend_lang/script/values/methods.h"

namespace espalier::lang {
namespace {

// What value.method() gives; Unset where it has no such method.
Outcome<Value> Ask(Host& host, const Value& value, std::string_view method) {
  Outcome<Value> bound = GetAttr(host, value, method);
  if (!bound.ok()) {
    if (bound.error().type == "AttributeError") return Value::Unset();
    return bound.TakeFault();
  }
  return host.Call(*bound, {});
}

Fault WrongAnswer(std::string_view method, std::string_view wanted, const Value& answer) {
  return TypeError(std::string(method) + " returned non-" + std::string(wanted) + " (type " +
                   std::string(TypeName(answer)) + ")");
}

}  // namespace

Outcome<Value> AsInteger(Host& host, const Value& value) {
  if (value.type() != Type::kInstance) return value;
  const Value plain = PlainOf(value);
  if (plain.is_integer()) return plain;
  ESP_TRY_ASSIGN(const Value answer, Ask(host, value, "__index__"));
  if (answer.is_unset()) return value;
  const Value number = PlainOf(answer);
  if (!number.is_integer()) return WrongAnswer("__index__", "int", answer);
  return number;
}

Outcome<Value> AsReal(Host& host, const Value& value) {
  if (value.type() != Type::kInstance) return value;
  const Value plain = PlainOf(value);
  if (plain.is_number()) return plain;
  ESP_TRY_ASSIGN(const Value answer, Ask(host, value, "__float__"));
  if (answer.is_unset()) return AsInteger(host, value);
  const Value number = PlainOf(answer);
  if (!number.is_float())
    return WrongAnswer(std::string(TypeName(value)) + ".__float__", "float", answer);
  return number;
}

}  // namespace espalier::lang
