#include "runtime/api/openai_body.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "runtime/api/aliases.h"
#include "runtime/api/json_fields.h"
#include "runtime/api/put_field.h"
#include "runtime/engine/sampling_params.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kDefaultCompletionTokens = 16;
constexpr int kMostTopLogprobs = 20;
constexpr std::size_t kMaxPrompts = 2048;

Status Unsupported(std::string_view what) {
  return {Code::kUnsupported, fmt::format("{} is not supported", what)};
}

Status ReadModel(const Json& value, OpenAiBody& to) { return ReadText("model", value, to.model); }
Status ReadRequestId(const Json& value, OpenAiBody& to) {
  if (!to.request_id.empty() && value != to.request_id) {
    return Invalid("rid and request_id are one option; give one of them");
  }
  return ReadText("request_id", value, to.request_id);
}
Status ReadStream(const Json& value, OpenAiBody& to) {
  return ReadBool("stream", value, to.stream);
}
Status ReadEcho(const Json& value, OpenAiBody& to) { return ReadBool("echo", value, to.echo); }
Status ReadTimeout(const Json& value, OpenAiBody& to) {
  return ReadSeconds("timeout", value, to.timeout_s);
}
Status ReadAddPrompt(const Json& value, OpenAiBody& to) {
  return ReadBool("add_generation_prompt", value, to.add_generation_prompt);
}
Status ReadContinue(const Json& value, OpenAiBody& to) {
  return ReadBool("continue_final_message", value, to.continue_final_message);
}

Status ReadSeparateReasoning(const Json& value, OpenAiBody& to) {
  return ReadBool("separate_reasoning", value, to.separate_reasoning);
}

Status ReadStreamOptions(const Json& value, OpenAiBody& to) {
  if (!value.is_object()) return Invalid("stream_options must be an object");
  const auto each = value.find("continuous_usage_stats");
  if (each != value.end() && *each == true) {
    return Unsupported("stream_options.continuous_usage_stats");
  }
  const auto usage = value.find("include_usage");
  if (usage == value.end() || usage->is_null()) return Status();
  return ReadBool("stream_options.include_usage", *usage, to.include_usage);
}

Status ReadMessages(const Json& value, OpenAiBody& to) {
  to.messages = value;
  return Status();
}

Status ReadTemplateArguments(const Json& value, OpenAiBody& to) {
  if (!value.is_object()) return Invalid("chat_template_kwargs must be an object");
  to.template_arguments = value;
  return Status();
}

Status ReadToolList(const Json& value, OpenAiBody& to) {
  to.tools = value;
  return Status();
}
Status ReadToolChoice(const Json& value, OpenAiBody& to) {
  to.tool_choice = value;
  return Status();
}
Status ReadParallel(const Json& value, OpenAiBody& to) {
  to.parallel_tool_calls = value;
  return Status();
}

// A string, a list of ids, or a list of either.
Status ReadPrompt(const Json& value, OpenAiBody& to) {
  const bool many =
      value.is_array() && !value.empty() && (value.front().is_string() || value.front().is_array());
  if (!many) {
    to.prompts.push_back(value);
    return Status();
  }
  if (value.size() > kMaxPrompts) {
    return Invalid(fmt::format("prompt must be a list of at most {} prompts", kMaxPrompts));
  }
  to.prompts.assign(value.begin(), value.end());
  return Status();
}

Status Put(std::string_view key, std::string_view name, const Json& value, OpenAiBody& to) {
  return PutField(to.line, to.renamed, key, name, value);
}

bool IsNumberOfLogprobs(const Json& value) {
  return value.is_number_integer() && value.get<std::int64_t>() >= 0 &&
         value.get<std::int64_t>() <= kMostTopLogprobs;
}

// Of chats a boolean, of completions how many of the likeliest tokens.
Status ReadLogprobs(const Json& value, OpenAiBody& to) {
  if (value.is_boolean()) return Put("return_logprob", "logprobs", value, to);
  if (!IsNumberOfLogprobs(value)) {
    return Invalid(
        fmt::format("logprobs must be true, false or a number from 0 to {}", kMostTopLogprobs));
  }
  ESP_RETURN_IF_ERROR(Put("return_logprob", "logprobs", true, to));
  return Put("top_logprobs_num", "logprobs", value, to);
}

Status ReadReturnLogprob(const Json& value, OpenAiBody& to) {
  bool wanted = false;
  ESP_RETURN_IF_ERROR(ReadBool("return_logprob", value, wanted));
  return Put("return_logprob", "return_logprob", wanted, to);
}

Status ReadTopLogprobs(const Json& value, OpenAiBody& to) {
  if (IsNumberOfLogprobs(value)) return Put("top_logprobs_num", "top_logprobs", value, to);
  return Invalid(fmt::format("top_logprobs must be a number from 0 to {}", kMostTopLogprobs));
}

// Messages about a schema begin with the name of what it was given by, or with "schema".
Status PutSchema(const std::string& name, const Json& value, OpenAiBody& to) {
  ESP_RETURN_IF_ERROR(Put("json_schema", name, value, to));
  to.renamed.emplace_back("schema", name);
  return Status();
}

Status ReadResponseFormat(const Json& value, OpenAiBody& to) {
  const auto type = value.is_object() ? value.find("type") : value.end();
  if (!value.is_object() || type == value.end() || !type->is_string()) {
    return Invalid("response_format must be an object with a type");
  }
  const std::string& name = type->get_ref<const std::string&>();
  if (name == "text") return Status();
  if (name == "json_object") {
    return PutSchema("response_format", {{"type", "object"}}, to);
  }
  if (name == "structural_tag") return Put("structural_tag", "response_format", value, to);
  if (name != "json_schema") {
    return Unsupported(
        "response_format.type: only text, json_object, json_schema and "
        "structural_tag are known; another");
  }
  const auto inner = value.find("json_schema");
  if (inner == value.end() || !inner->is_object()) {
    return Invalid("response_format.json_schema must be an object");
  }
  const auto schema = inner->find("schema");
  if (schema == inner->end() || !(schema->is_object() || schema->is_boolean())) {
    return Invalid("response_format.json_schema.schema must be a schema");
  }
  return PutSchema("response_format.json_schema.schema", *schema, to);
}

Status ReadStructuredOutputs(const Json& value, OpenAiBody& to) {
  constexpr std::string_view kNames[] = {"json", "regex", "choice", "grammar", "structural_tag"};
  if (!value.is_object()) return Invalid("structured_outputs must be an object");
  for (const auto& [name, inner] : value.items()) {
    if (inner.is_null()) continue;
    if (std::find(std::begin(kNames), std::end(kNames), name) == std::end(kNames)) {
      return Unsupported("structured_outputs." + name);
    }
    const std::string key(name == "structural_tag" ? name : NativeKey("guided_" + name));
    const std::string whole = "structured_outputs." + name;
    ESP_RETURN_IF_ERROR(name == "json" ? PutSchema(whole, inner, to) : Put(key, whole, inner, to));
  }
  return Status();
}

// What a field may be without changing anything: refused otherwise.
Status OnlyFalse(std::string_view name, const Json& value) {
  return value.is_boolean() && !value.get<bool>() ? Status() : Unsupported(name);
}
Status OnlyTrue(std::string_view name, const Json& value) {
  return value.is_boolean() && value.get<bool>() ? Status() : Unsupported(name);
}
Status OnlyEmpty(std::string_view name, const Json& value) {
  return value.empty() || value == "" ? Status() : Unsupported(name);
}
Status OnlyNone(std::string_view name, const Json& value) {
  return value == "none" ? Status() : Unsupported(name);
}
Status OnlyText(std::string_view name, const Json& value) {
  return value == Json::array({"text"}) ? Status() : Unsupported(name);
}
Status OnlyOne(std::string_view name, const Json& value) {
  return value == 1 ? Status() : Unsupported(fmt::format("{} above 1", name));
}
Status Any(std::string_view /*name*/, const Json& /*value*/) { return Status(); }

// A row reads a field or judges whether it may be passed over; else the field is one of the
// request line's, by its native name or another.
struct Field {
  std::string_view name;
  Status (*read)(const Json& value, OpenAiBody& to) = nullptr;
  Status (*allow)(std::string_view name, const Json& value) = nullptr;
};
constexpr auto kFields = std::to_array<Field>({
    {.name = "model", .read = ReadModel},
    {.name = "messages", .read = ReadMessages},
    {.name = "prompt", .read = ReadPrompt},
    {.name = "max_tokens"},
    {.name = "max_completion_tokens"},
    {.name = "min_tokens"},
    {.name = "logprobs", .read = ReadLogprobs},
    {.name = "return_logprob", .read = ReadReturnLogprob},
    {.name = "top_logprobs", .read = ReadTopLogprobs},
    {.name = "stream", .read = ReadStream},
    {.name = "stream_options", .read = ReadStreamOptions},
    {.name = "echo", .read = ReadEcho},
    {.name = "response_format", .read = ReadResponseFormat},
    {.name = "structured_outputs", .read = ReadStructuredOutputs},
    {.name = "guided_json"},
    {.name = "guided_regex"},
    {.name = "guided_choice"},
    {.name = "guided_grammar"},
    {.name = "json_schema"},
    {.name = "regex"},
    {.name = "ebnf"},
    {.name = "choices"},
    {.name = "structural_tag"},
    {.name = "json_whitespace"},
    {.name = "property_order"},
    {.name = "json_forms"},
    {.name = "cache_salt"},
    {.name = "extra_key"},
    {.name = "chat_template_kwargs", .read = ReadTemplateArguments},
    {.name = "add_generation_prompt", .read = ReadAddPrompt},
    {.name = "continue_final_message", .read = ReadContinue},
    {.name = "priority"},
    {.name = "retention_s"},
    {.name = "timeout", .read = ReadTimeout},
    {.name = "rid", .read = ReadRequestId},
    {.name = "request_id", .read = ReadRequestId},
    {.name = "tools", .read = ReadToolList},
    {.name = "tool_choice", .read = ReadToolChoice},
    {.name = "parallel_tool_calls", .read = ReadParallel},
    {.name = "functions", .allow = OnlyEmpty},
    {.name = "function_call", .allow = OnlyNone},
    {.name = "audio", .allow = OnlyEmpty},
    {.name = "prediction", .allow = OnlyEmpty},
    {.name = "web_search_options", .allow = OnlyEmpty},
    {.name = "suffix", .allow = OnlyEmpty},
    {.name = "modalities", .allow = OnlyText},
    {.name = "best_of", .allow = OnlyOne},
    {.name = "use_beam_search", .allow = OnlyFalse},
    {.name = "include_stop_str_in_output", .allow = OnlyFalse},
    {.name = "return_tokens_as_token_ids", .allow = OnlyFalse},
    {.name = "return_token_ids", .allow = OnlyFalse},
    {.name = "logprob_token_ids", .allow = OnlyEmpty},
    {.name = "thinking_token_budget", .allow = OnlyEmpty},
    {.name = "include_reasoning", .allow = OnlyTrue},
    {.name = "kv_transfer_params", .allow = OnlyEmpty},
    {.name = "return_hidden_states", .allow = OnlyFalse},
    {.name = "session_params", .allow = OnlyEmpty},
    {.name = "custom_logit_processor", .allow = OnlyEmpty},
    {.name = "input_ids", .allow = OnlyEmpty},
    {.name = "allowed_token_ids", .allow = OnlyEmpty},
    {.name = "bad_words", .allow = OnlyEmpty},
    {.name = "prompt_logprobs", .allow = OnlyEmpty},
    {.name = "truncate_prompt_tokens", .allow = OnlyEmpty},
    {.name = "chat_template", .allow = OnlyEmpty},
    {.name = "documents", .allow = OnlyEmpty},
    {.name = "lora_path", .allow = OnlyEmpty},
    {.name = "user", .allow = Any},
    {.name = "add_special_tokens", .allow = Any},
    {.name = "return_token_strs", .allow = Any},
    {.name = "data_parallel_rank", .allow = Any},
    {.name = "bootstrap_host", .allow = Any},
    {.name = "bootstrap_port", .allow = Any},
    {.name = "bootstrap_room", .allow = Any},
    {.name = "return_cached_tokens_details", .allow = Any},
    {.name = "metadata", .allow = Any},
    {.name = "store", .allow = Any},
    {.name = "service_tier", .allow = Any},
    {.name = "safety_identifier", .allow = Any},
    {.name = "prompt_cache_key", .allow = Any},
    {.name = "prompt_cache_retention", .allow = Any},
    {.name = "reasoning_effort", .allow = Any},
    {.name = "verbosity", .allow = Any},
    {.name = "spaces_between_special_tokens", .allow = Any},
    {.name = "separate_reasoning", .read = ReadSeparateReasoning},
    {.name = "stream_reasoning", .allow = Any},
    {.name = "no_stop_trim", .allow = OnlyFalse},
});

Status ReadField(const std::string& name, const Json& value, OpenAiBody& to) {
  if (value.is_null()) return Status();
  const auto* field =
      std::find_if(kFields.begin(), kFields.end(), [&](const Field& f) { return f.name == name; });
  if (field == kFields.end()) {
    if (FindSamplingOption(name) != nullptr) return Put(name, name, value, to);
    to.unknown.push_back(name);
    return Status();
  }
  if (field->read != nullptr) return field->read(value, to);
  if (field->allow != nullptr) return field->allow(name, value);
  const std::string_view key = NativeKey(name);
  return key == "json_schema" ? PutSchema(name, value, to) : Put(key, name, value, to);
}

Status CheckBody(OpenAiApi api, const OpenAiBody& body) {
  if (api == OpenAiApi::kChat && body.messages.is_null()) return Invalid("messages must be given");
  if (api == OpenAiApi::kCompletions && !body.tools.is_null() && !body.tools.empty()) {
    return Unsupported("tools in a completion");
  }
  if (api == OpenAiApi::kChat && body.echo) return Unsupported("echo in a chat");
  if (api == OpenAiApi::kCompletions && body.prompts.empty()) {
    return Invalid("prompt must be given");
  }
  const bool logprobs = body.line.value("return_logprob", false);
  if (body.line.contains("top_logprobs_num") && !logprobs) {
    return Invalid("top_logprobs must come with logprobs: true");
  }
  if (body.continue_final_message && body.add_generation_prompt) {
    return Invalid("continue_final_message must come with add_generation_prompt: false");
  }
  return Status();
}

}  // namespace

Result<OpenAiBody> ReadOpenAiBody(OpenAiApi api, const Json& body) {
  if (!body.is_object()) return Invalid("the body must be a JSON object");
  OpenAiBody result;
  result.renamed.emplace_back("ids", "prompt");
  if (api == OpenAiApi::kChat && body.value("logprobs", Json()).is_number()) {
    return Invalid("logprobs must be true or false in a chat; top_logprobs says how many");
  }
  for (const auto& [name, value] : body.items()) {
    ESP_RETURN_IF_ERROR(ReadField(name, value, result));
  }
  if (api == OpenAiApi::kCompletions && !result.line.contains("max_new_tokens")) {
    result.line["max_new_tokens"] = kDefaultCompletionTokens;
  }
  ESP_RETURN_IF_ERROR(CheckBody(api, result));
  return result;
}

}  // namespace espalier
