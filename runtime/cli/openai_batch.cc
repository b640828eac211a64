#include "runtime/cli/openai_batch.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "runtime/engine/sampling_params.h"
#include "runtime/local/token_text.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kDefaultCompletionTokens = 16;

Status Unsupported(std::string message) { return {Code::kUnsupported, std::move(message)}; }

std::string StringAt(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

// What becomes of a field of the body.
enum class Use : unsigned char { kRename, kIgnore, kSpecial };
struct Field {
  std::string_view name;
  Use use;
  std::string_view native;  // kRename: the request line's key
};
constexpr std::array<Field, 16> kFields = {{
    {"max_tokens", Use::kRename, "max_new_tokens"},
    {"max_completion_tokens", Use::kRename, "max_new_tokens"},
    {"messages", Use::kRename, "messages"},
    {"prompt", Use::kRename, "prompt"},
    {"top_logprobs", Use::kRename, "top_logprobs_num"},
    {"logprobs", Use::kSpecial, ""},
    {"response_format", Use::kSpecial, ""},
    {"stream", Use::kSpecial, ""},
    {"model", Use::kIgnore, ""},
    {"user", Use::kIgnore, ""},
    {"metadata", Use::kIgnore, ""},
    {"store", Use::kIgnore, ""},
    {"service_tier", Use::kIgnore, ""},
    {"safety_identifier", Use::kIgnore, ""},
    {"prompt_cache_key", Use::kIgnore, ""},
    {"stream_options", Use::kIgnore, ""},
}};

Status AddLogprobs(const Json& value, Json& to) {
  if (value.is_number_integer()) {  // of /v1/completions: how many of the likeliest
    to["top_logprobs_num"] = value;
    to["return_logprob"] = true;
    return Status();
  }
  if (!value.is_boolean())
    return {Code::kInvalidArgument, "logprobs must be true, false or a number"};
  to["return_logprob"] = value;
  return Status();
}

Status AddResponseFormat(const Json& value, Json& to) {
  const std::string type = value.is_object() ? StringAt(value, "type") : "";
  if (type == "text") return Status();
  if (type == "json_object") {
    to["json_schema"] = {{"type", "object"}};
    return Status();
  }
  if (type != "json_schema") return Unsupported("response_format: this type is not known");
  const auto inner = value.find("json_schema");
  if (inner == value.end() || !inner->is_object() || !inner->contains("schema")) {
    return {Code::kInvalidArgument, "response_format.json_schema must have a schema"};
  }
  to["json_schema"] = (*inner)["schema"];
  return Status();
}

Status AddSpecial(const std::string& name, const Json& value, Json& to) {
  if (name == "logprobs") return AddLogprobs(value, to);
  if (name == "response_format") return AddResponseFormat(value, to);
  const bool streams = value.is_boolean() && value.get<bool>();
  return streams ? Unsupported("stream: a batch file is answered as a whole") : Status();
}

Status AddField(const std::string& name, const Json& value, Json& to) {
  if (value.is_null()) return Status();
  const auto* field =
      std::find_if(kFields.begin(), kFields.end(), [&](const Field& f) { return f.name == name; });
  if (field != kFields.end()) {
    if (field->use == Use::kSpecial) return AddSpecial(name, value, to);
    if (field->use == Use::kRename) to[std::string(field->native)] = value;
    return Status();
  }
  if (FindSamplingOption(name) == nullptr && name != "regex" && name != "ebnf") {
    return Unsupported(fmt::format("body: the field '{}' is not supported", name));
  }
  to[name] = value;
  return Status();
}

Json ChatLogprobs(const GeneratedChoice& choice, const Tokenizer& tokenizer) {
  Json content = Json::array();
  const auto entry = [&](TokenId token, float logprob) {
    return Json{{"token", TokenText(tokenizer, token)}, {"logprob", logprob}, {"bytes", nullptr}};
  };
  for (const TokenLogprob& token : choice.logprobs) {
    Json item = entry(token.token, token.logprob);
    item["top_logprobs"] = Json::array();
    for (const auto& [id, logprob] : token.top) item["top_logprobs"].push_back(entry(id, logprob));
    content.push_back(std::move(item));
  }
  return {{"content", std::move(content)}, {"refusal", nullptr}};
}

Json ChoiceJson(const OpenAiLine& openai, const GeneratedChoice& choice, std::size_t index,
                const Tokenizer& tokenizer) {
  Json json = {{"index", index}};
  if (openai.is_chat) {
    json["message"] = {{"role", "assistant"}, {"content", choice.text}, {"refusal", nullptr}};
  } else {
    json["text"] = choice.text;
  }
  json["logprobs"] = choice.logprobs.empty() ? Json(nullptr) : ChatLogprobs(choice, tokenizer);
  json["finish_reason"] = FinishName(choice.finish);
  return json;
}

Json OpenAiUsage(const Usage& usage) {
  return {{"prompt_tokens", usage.prompt_tokens},
          {"completion_tokens", usage.completion_tokens},
          {"total_tokens", usage.prompt_tokens + usage.completion_tokens},
          {"prompt_tokens_details", {{"cached_tokens", usage.cached_tokens}}}};
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
  const auto body = line.find("body");
  if (body == line.end() || !body->is_object()) {
    return Status(Code::kInvalidArgument, "body must be an object");
  }
  Json native = Json::object();
  if (!openai.is_chat) native["max_new_tokens"] = kDefaultCompletionTokens;
  for (const auto& [name, value] : body->items()) {
    ESP_RETURN_IF_ERROR(AddField(name, value, native));
  }
  if (native.contains("prompt") && native["prompt"].is_array()) {
    native["ids"] = std::move(native["prompt"]);
    native.erase("prompt");
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
               {"usage", OpenAiUsage(generated.usage())}};
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
