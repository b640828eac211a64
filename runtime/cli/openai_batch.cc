#include "runtime/cli/openai_batch.h"

#include <span>

#include <fmt/format.h>

#include "runtime/api/chat_messages.h"
#include "runtime/api/openai_answer.h"
#include "runtime/api/openai_body.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

Status Unsupported(std::string message) { return {Code::kUnsupported, std::move(message)}; }

std::string StringAt(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

Json ChoiceJson(const OpenAiLine& openai, const GeneratedChoice& choice, std::size_t index,
                const Tokenizer& tokenizer) {
  Json logprobs = nullptr;
  if (!choice.logprobs.empty()) {
    logprobs = openai.is_chat ? ChatLogprobs(choice.logprobs, tokenizer)
                              : CompletionLogprobs(choice.logprobs, 0, tokenizer);
  }
  Json json = OpenAiChoice(index, choice);
  json["logprobs"] = std::move(logprobs);
  if (openai.is_chat) {
    json["message"] = {{"role", "assistant"}, {"content", choice.text}, {"refusal", nullptr}};
  } else {
    json["text"] = choice.text;
  }
  return json;
}

Json Envelope(const OpenAiLine& openai, int status_code, Json body, Json error) {
  return {{"id", "batch_req_" + openai.custom_id},
          {"custom_id", openai.custom_id},
          {"response",
           {{"status_code", status_code},
            {"request_id", "req_" + openai.custom_id},
            {"body", std::move(body)}}},
          {"error", std::move(error)}};
}

// What a batch file has no room for.
Status CheckForBatch(const OpenAiBody& body) {
  if (body.stream) return Unsupported("stream: a batch file is answered as a whole");
  if (body.prompts.size() > 1) return Unsupported("prompt: one a line of a batch file");
  if (!body.tools.is_null() && !body.tools.empty()) {
    return Unsupported("tools are not supported in a batch file");
  }
  if (body.echo) return Unsupported("echo is not supported in a batch file");
  if (body.continue_final_message || !body.template_arguments.is_null()) {
    return Unsupported(
        "continue_final_message and chat_template_kwargs are not supported in a "
        "batch file");
  }
  if (body.unknown.empty()) return Status();
  return Unsupported(fmt::format("body: the field '{}' is not supported", body.unknown.front()));
}

}  // namespace

bool IsOpenAiLine(const Json& line) {
  return line.is_object() &&
         (line.contains("custom_id") || (line.contains("url") && line.contains("body")));
}

OpenAiLine ReadOpenAiLine(const Json& line) {
  OpenAiLine openai{StringAt(line, "custom_id"), StringAt(line, "url"), "", false};
  openai.is_chat = openai.url == "/v1/chat/completions";
  if (const auto body = line.find("body"); body != line.end() && body->is_object()) {
    openai.model = StringAt(*body, "model");
  }
  return openai;
}

Result<Json> ToRequestLine(const Json& line, const OpenAiLine& openai) {
  if (!openai.is_chat && openai.url != "/v1/completions") {
    return Unsupported(fmt::format(
        "url '{}' is not supported; use /v1/chat/completions or /v1/completions", openai.url));
  }
  const auto found = line.find("body");
  if (found == line.end() || !found->is_object()) {
    return Status(Code::kInvalidArgument, "body must be an object");
  }
  ESP_ASSIGN_OR_RETURN(
      OpenAiBody body,
      ReadOpenAiBody(openai.is_chat ? OpenAiApi::kChat : OpenAiApi::kCompletions, *found));
  ESP_RETURN_IF_ERROR(CheckForBatch(body));
  Json native = std::move(body.line);
  if (openai.is_chat) {
    ESP_ASSIGN_OR_RETURN(native["messages"], TemplateMessages(body.messages));
  } else {
    native[body.prompts.front().is_array() ? "ids" : "prompt"] = std::move(body.prompts.front());
  }
  return native;
}

Json OpenAiAnswer(const OpenAiLine& openai, const Generated& generated,
                  const Tokenizer& tokenizer) {
  Json choices = Json::array();
  for (std::size_t i = 0; i < generated.choices().size(); ++i) {
    choices.push_back(ChoiceJson(openai, generated.choices()[i], i, tokenizer));
  }
  Json body = {{"id", (openai.is_chat ? "chatcmpl-" : "cmpl-") + openai.custom_id},
               {"object", openai.is_chat ? "chat.completion" : "text_completion"},
               {"model", openai.model},
               {"choices", std::move(choices)},
               {"usage", OpenAiUsage(std::span(&generated.usage(), 1))}};
  return Envelope(openai, 200, std::move(body), nullptr);
}

Json OpenAiFailure(const OpenAiLine& openai, const Status& status) {
  const bool ours = status.code() == Code::kInternal;
  const Json error = {{"code", CodeName(status.code())}, {"message", status.message()}};
  Json body = {{"error",
                {{"message", status.message()},
                 {"type", ours ? "server_error" : "invalid_request_error"},
                 {"param", nullptr},
                 {"code", CodeName(status.code())}}}};
  return Envelope(openai, ours ? 500 : 400, std::move(body), error);
}

}  // namespace espalier
