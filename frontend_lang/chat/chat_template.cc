#include "frontend_lang/chat/chat_template.h"

#include <utility>

#include "frontend_lang/chat/jinja_parser.h"
#include "frontend_lang/script/values/json_values.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier {
namespace {

std::tm LocalTime() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  return local;
}

Status ToStatus(const lang::LangError& error, int line) {
  if (error.type == "TemplateError") return Status(Code::kInvalidArgument, error.message);
  const Status status = lang::ToStatus(error);
  return Status(status.code(),
                "chat template, line " + std::to_string(line) + ": " + status.message());
}

lang::Fault DefineJson(jinja::Evaluator& evaluator, std::string_view name,
                       const nlohmann::ordered_json& json) {
  ESP_TRY_ASSIGN(lang::Value value, lang::FromJson(evaluator, json));
  evaluator.Define(name, std::move(value));
  return lang::Fault();
}

lang::Fault DefineInput(jinja::Evaluator& evaluator, const ChatInput& input) {
  ESP_TRY(DefineJson(evaluator, "documents", input.documents));
  if (input.extra.is_object()) {
    for (const auto& [name, value] : input.extra.items()) {
      ESP_TRY(DefineJson(evaluator, name, value));
    }
  }
  ESP_TRY(DefineJson(evaluator, "messages", input.messages));
  ESP_TRY(DefineJson(evaluator, "tools", input.tools));
  evaluator.Define("add_generation_prompt", lang::Value::Bool(input.add_generation_prompt));
  evaluator.Define("bos_token", lang::MakeStr(evaluator.heap(), input.bos_token));
  evaluator.Define("eos_token", lang::MakeStr(evaluator.heap(), input.eos_token));
  return lang::Fault();
}

}  // namespace

Result<ChatTemplate> ChatTemplate::Compile(std::string_view text) {
  ESP_ASSIGN_OR_RETURN(jinja::Ast ast, jinja::Parse(text));
  return ChatTemplate(std::move(ast));
}

Result<std::string> ChatTemplate::Render(const ChatInput& input,
                                         const jinja::RenderLimits& limits) const {
  jinja::Evaluator evaluator(*ast_, limits, input.now ? *input.now : LocalTime());
  const lang::Fault fault = DefineInput(evaluator, input);
  if (!fault.ok()) return ToStatus(fault.error(), 1);
  lang::Outcome<std::string> text = evaluator.Run();
  if (!text.ok()) return ToStatus(text.error(), evaluator.line());
  return std::move(*text);
}

}  // namespace espalier
