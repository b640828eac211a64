#include "runtime/api/responses_body.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "runtime/api/json_fields.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

Json At(const Json& object, std::string_view name) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  return !object.is_object() || found == object.end() ? Json() : *found;
}

// Parts are of type input_text or output_text here, and text in a chat.
Json ChatContent(Json content) {
  if (!content.is_array()) return content;
  for (Json& part : content) {
    const Json type = At(part, "type");
    if (type == "input_text" || type == "output_text") part["type"] = "text";
  }
  return content;
}

Json CallMessage(const Json& item) {
  return {{"role", "assistant"},
          {"content", nullptr},
          {"tool_calls",
           Json::array({{{"id", At(item, "call_id")},
                         {"type", "function"},
                         {"function",
                          {{"name", At(item, "name")}, {"arguments", At(item, "arguments")}}}}})}};
}

// Appends the message of an item; calls that follow each other are one message.
Status AddItem(const Json& item, const std::string& place, Json& messages) {
  const Json type = At(item, "type");
  if (type == "reasoning") return Status();
  if (type == "function_call") {
    Json message = CallMessage(item);
    if (!messages.empty() && messages.back().contains("tool_calls")) {
      messages.back()["tool_calls"].push_back(message["tool_calls"][0]);
    } else {
      messages.push_back(std::move(message));
    }
    return Status();
  }
  if (type == "function_call_output") {
    messages.push_back({{"role", "tool"},
                        {"tool_call_id", At(item, "call_id")},
                        {"content", ChatContent(At(item, "output"))}});
    return Status();
  }
  if (!type.is_null() && type != "message") {
    return {Code::kUnsupported, fmt::format("{}.type is not supported", place)};
  }
  if (!item.is_object()) return Invalid(fmt::format("{} must be an object", place));
  messages.push_back({{"role", At(item, "role")}, {"content", ChatContent(At(item, "content"))}});
  return Status();
}

Result<Json> Messages(const Json& body) {
  Json messages = Json::array();
  if (const Json instructions = At(body, "instructions"); !instructions.is_null()) {
    messages.push_back({{"role", "system"}, {"content", instructions}});
  }
  const Json input = At(body, "input");
  if (input.is_string()) {
    messages.push_back({{"role", "user"}, {"content", input}});
    return messages;
  }
  if (!input.is_array()) return Invalid("input must be a string or a list of items");
  for (std::size_t i = 0; i < input.size(); ++i) {
    ESP_RETURN_IF_ERROR(AddItem(input[i], fmt::format("input[{}]", i), messages));
  }
  return messages;
}

Result<Json> ChatTools(const Json& tools) {
  if (tools.is_null()) return Json();
  if (!tools.is_array()) return Invalid("tools must be a list");
  Json list = Json::array();
  for (std::size_t i = 0; i < tools.size(); ++i) {
    if (At(tools[i], "type") != "function") {
      return Status(Code::kUnsupported,
                    fmt::format("tools[{}].type is not supported: only function is", i));
    }
    Json function = tools[i];
    function.erase("type");
    list.push_back({{"type", "function"}, {"function", std::move(function)}});
  }
  return list;
}

Json ChatToolChoice(const Json& choice) {
  if (!choice.is_object() || !choice.contains("name")) return choice;
  return {{"type", "function"}, {"function", {{"name", choice["name"]}}}};
}

// text.format, whose schema stands beside its type here.
Json ResponseFormat(const Json& text) {
  Json format = At(text, "format");
  if (At(format, "type") != "json_schema") return format;
  return {{"type", "json_schema"}, {"json_schema", std::move(format)}};
}

// What the server would have had to keep, or do later.
Status CheckStateless(const Json& body) {
  constexpr std::string_view kNames[] = {"previous_response_id", "conversation", "background",
                                         "prompt"};
  for (const std::string_view name : kNames) {
    const Json value = At(body, name);
    if (value.is_null() || value == false) continue;
    return {Code::kUnsupported, fmt::format("{} is not supported: nothing is kept here", name)};
  }
  return Status();
}

constexpr std::pair<std::string_view, std::string_view> kFields[] = {
    {"model", "model"},
    {"max_output_tokens", "max_completion_tokens"},
    {"temperature", "temperature"},
    {"top_p", "top_p"},
    {"stream", "stream"},
    {"parallel_tool_calls", "parallel_tool_calls"},
    {"chat_template_kwargs", "chat_template_kwargs"},
    {"cache_salt", "cache_salt"},
    {"priority", "priority"},
    {"retention_s", "retention_s"},
    {"timeout", "timeout"},
    {"seed", "seed"},
    {"stop", "stop"},
};

bool IsKnown(std::string_view name) {
  constexpr std::string_view kRead[] = {"input",        "instructions",
                                        "tools",        "tool_choice",
                                        "text",         "metadata",
                                        "truncation",   "store",
                                        "user",         "include",
                                        "background",   "prompt",
                                        "conversation", "previous_response_id"};
  const auto is_name = [name](const auto& field) { return field.first == name; };
  return std::find(std::begin(kRead), std::end(kRead), name) != std::end(kRead) ||
         std::any_of(std::begin(kFields), std::end(kFields), is_name);
}

}  // namespace

Result<OpenAiBody> ReadResponsesBody(const Json& body) {
  if (!body.is_object()) return Invalid("the body must be a JSON object");
  ESP_RETURN_IF_ERROR(CheckStateless(body));
  Json chat = Json::object();
  for (const auto& [theirs, ours] : kFields) {
    if (Json value = At(body, theirs); !value.is_null()) chat[std::string(ours)] = std::move(value);
  }
  ESP_ASSIGN_OR_RETURN(chat["messages"], Messages(body));
  ESP_ASSIGN_OR_RETURN(chat["tools"], ChatTools(At(body, "tools")));
  chat["tool_choice"] = ChatToolChoice(At(body, "tool_choice"));
  chat["response_format"] = ResponseFormat(At(body, "text"));
  const FieldNames names = {{"messages", "input"},
                            {"max_completion_tokens", "max_output_tokens"},
                            {"response_format.json_schema", "text.format"},
                            {"response_format", "text.format"}};
  Result<OpenAiBody> result = ReadOpenAiBody(OpenAiApi::kChat, chat);
  if (!result.ok()) return InNamesOf(names, result.status());
  for (auto& [ours, theirs] : result->renamed) {
    theirs = InNamesOf(names, Status(Code::kInvalidArgument, theirs)).message();
  }
  result->renamed.insert(result->renamed.end(), names.begin(), names.end());
  for (const auto& [name, value] : body.items()) {
    if (!value.is_null() && !IsKnown(name)) result->unknown.push_back(name);
  }
  return result;
}

}  // namespace espalier
