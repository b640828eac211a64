#include "frontend_lang/script/error.h"

namespace espalier::lang {

Fault LimitError(std::string message) {
  return Fault(LangError{"LimitError", std::move(message), LangError::Kind::kLimit});
}

Status ToStatus(const LangError& error) {
  if (error.kind == LangError::Kind::kLimit) return Status(Code::kLimit, error.message);
  std::string text = error.type;
  if (!error.message.empty()) text += ": " + error.message;
  return Status(Code::kInvalidArgument, std::move(text));
}

}  // namespace espalier::lang
