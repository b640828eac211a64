#include "runtime/api/chat_messages.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "runtime/api/json_fields.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kRoles[] = {"developer", "system", "user",
                                       "assistant", "tool",   "function"};

Result<std::string> PartText(const Json& part, const std::string& place) {
  const auto type = part.is_object() ? part.find("type") : part.end();
  if (!part.is_object() || type == part.end() || !type->is_string()) {
    return Invalid(fmt::format("{} must be an object with a type", place));
  }
  const std::string& name = type->get_ref<const std::string&>();
  if (name != "text" && name != "refusal") {
    return Status(Code::kUnsupported,
                  fmt::format("{} is not supported: only text parts are", place));
  }
  const auto text = part.find(name);
  if (text == part.end() || !text->is_string()) {
    return Invalid(fmt::format("{}.{} must be a string", place, name));
  }
  return text->get<std::string>();
}

Result<std::string> ContentText(const Json& message, const std::string& place) {
  const auto content = message.find("content");
  if (content == message.end() || content->is_null()) return std::string();
  if (content->is_string()) return content->get<std::string>();
  if (!content->is_array()) {
    return Invalid(fmt::format("{}.content must be a string or a list of parts", place));
  }
  std::string text;
  for (std::size_t i = 0; i < content->size(); ++i) {
    ESP_ASSIGN_OR_RETURN(const std::string part,
                         PartText((*content)[i], fmt::format("{}.content[{}]", place, i)));
    text += part;
  }
  return text;
}

Result<Json> TemplateMessage(const Json& message, const std::string& place) {
  if (!message.is_object()) return Invalid(fmt::format("{} must be an object", place));
  const auto role = message.find("role");
  if (role == message.end() || !role->is_string()) {
    return Invalid(fmt::format("{}.role must be a string", place));
  }
  const std::string& name = role->get_ref<const std::string&>();
  if (std::find(std::begin(kRoles), std::end(kRoles), name) == std::end(kRoles)) {
    return Invalid(
        fmt::format("{}.role must be developer, system, user, assistant or tool", place));
  }
  const bool may_lack_content = name == "assistant";
  if (!may_lack_content && (!message.contains("content") || message["content"].is_null())) {
    return Invalid(fmt::format("{}.content must be given", place));
  }
  ESP_ASSIGN_OR_RETURN(std::string text, ContentText(message, place));
  Json result = message;
  result["role"] = name == "developer" ? "system" : name;
  result["content"] = std::move(text);
  return result;
}

}  // namespace

Result<Json> TemplateMessages(const Json& messages) {
  if (!messages.is_array() || messages.empty()) {
    return Invalid("messages must be a list that is not empty");
  }
  Json result = Json::array();
  for (std::size_t i = 0; i < messages.size(); ++i) {
    ESP_ASSIGN_OR_RETURN(Json message,
                         TemplateMessage(messages[i], fmt::format("messages[{}]", i)));
    result.push_back(std::move(message));
  }
  return result;
}

}  // namespace espalier
