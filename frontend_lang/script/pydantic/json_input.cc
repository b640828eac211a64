#include "frontend_lang/script/pydantic/json_input.h"

#include "frontend_lang/script/bytes/bytes.h"
#include "frontend_lang/script/modules/json_text.h"
#include "frontend_lang/script/pydantic/json_complaint.h"
#include "frontend_lang/script/pydantic/validation_error.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {

Outcome<ModelChecker::Mode> AskedMode(Host& host, const Args& args) {
  for (const lang::Keyword& keyword : args.keywords) {
    if (keyword.name != "strict") continue;
    ESP_TRY_ASSIGN(const bool strict, lang::Truth(host, keyword.value));
    if (strict) return ModelChecker::Mode::kStrict;
  }
  return ModelChecker::Mode::kLax;
}

Outcome<Value> ParsedJson(Host& host, const Value& input, std::string_view title) {
  Value text = input;
  if (const auto* bytes = Exactly<Bytes>(input)) text = lang::MakeStr(host.heap(), bytes->bytes());
  if (!text.is_str()) {
    return RaiseValidationError(
        host, title, {{"json_type", {}, "JSON input should be string, bytes or bytearray", input}});
  }
  if (const auto complaint = ComplainOfJson(lang::TextOf(text))) {
    const Value details = host.heap().New<lang::Dict>();
    details.As<lang::Dict>()->PutStr("error", lang::MakeStr(host.heap(), *complaint));
    return RaiseValidationError(
        host, title, {{"json_invalid", {}, "Invalid JSON: " + *complaint, input, details}});
  }
  return ReadJson(host, lang::TextOf(text));
}

}  // namespace espalier::script
