#include "frontend_lang/script/values/error.h"

namespace espalier::lang {

Fault LimitError(std::string message) {
  return Fault(LangError{"LimitError", std::move(message), LangError::Kind::kLimit});
}

Fault RaiseWith(std::string_view type, std::string message, Value argument) {
  Fault fault = Raise(type, std::move(message));
  fault.error().argument = std::move(argument);
  return fault;
}

Fault RaiseWithHint(std::string_view type, std::string message, std::string hint) {
  Fault fault = Raise(type, std::move(message));
  fault.error().hint = std::move(hint);
  return fault;
}

Status ToStatus(const LangError& error) {
  if (error.kind == LangError::Kind::kLimit) return Status(Code::kLimit, error.message);
  std::string text = error.type;
  if (!error.message.empty()) text += ": " + error.message;
  return Status(Code::kInvalidArgument, std::move(text));
}

}  // namespace espalier::lang
