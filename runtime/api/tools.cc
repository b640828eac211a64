#include "runtime/api/tools.h"

#include <algorithm>

#include <fmt/format.h>

#include "runtime/api/json_fields.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxTools = 256;
constexpr std::size_t kMaxNameBytes = 128;

// Names stand in the output between quotes, so they hold nothing that JSON would escape.
bool IsToolName(const std::string& name) {
  const auto fits = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) != 0 || c == '_' || c == '-' || c == '.';
  };
  return !name.empty() && name.size() <= kMaxNameBytes &&
         std::all_of(name.begin(), name.end(), fits);
}

Result<Tool> ReadTool(const Json& json, const std::string& place) {
  if (!json.is_object()) return Invalid(fmt::format("{} must be an object", place));
  if (json.value("type", Json("function")) != "function") {
    return Status(Code::kUnsupported,
                  fmt::format("{}.type is not supported: only function is", place));
  }
  const auto function = json.find("function");
  if (function == json.end() || !function->is_object()) {
    return Invalid(fmt::format("{}.function must be an object", place));
  }
  const auto name = function->find("name");
  if (name == function->end() || !name->is_string() || !IsToolName(name->get<std::string>())) {
    return Invalid(fmt::format("{}.function.name must be 1 to {} letters, digits, '_', '-' or '.'",
                               place, kMaxNameBytes));
  }
  Tool tool{.name = name->get<std::string>(),
            .parameters = {{"type", "object"}, {"properties", Json::object()}},
            .json = json};
  const auto parameters = function->find("parameters");
  if (parameters == function->end() || parameters->is_null() ||
      (parameters->is_object() && parameters->empty())) {
    return tool;
  }
  if (!parameters->is_object()) {
    return Invalid(fmt::format("{}.function.parameters must be a schema", place));
  }
  tool.parameters = *parameters;
  if (!tool.parameters.contains("type")) tool.parameters["type"] = "object";
  if (tool.parameters["type"] != "object") {
    return Invalid(fmt::format("{}.function.parameters must be of type object", place));
  }
  return tool;
}

Status ReadChoice(const Json& choice, Tools& to) {
  if (choice.is_null()) {
    to.choice = to.list.empty() ? Tools::Choice::kNone : Tools::Choice::kAuto;
    return Status();
  }
  if (choice == "none") return Status();
  if (to.list.empty()) return Invalid("tool_choice must come with tools");
  if (choice == "auto" || choice == "required") {
    to.choice = choice == "auto" ? Tools::Choice::kAuto : Tools::Choice::kRequired;
    return Status();
  }
  const Json name =
      choice.is_object() && choice.contains("function") && choice["function"].is_object()
          ? choice["function"].value("name", Json())
          : Json();
  if (!name.is_string()) {
    return Invalid("tool_choice must be none, auto, required or name a function");
  }
  to.choice = Tools::Choice::kRequired;
  to.named = name.get<std::string>();
  const bool known = std::any_of(to.list.begin(), to.list.end(),
                                 [&](const Tool& tool) { return tool.name == to.named; });
  return known ? Status() : Invalid("tool_choice must name one of the tools");
}

Json CallTag(const Tool& tool, const ToolFormat& format) {
  return {{"type", "tag"},
          {"begin", std::string(format.begin) + tool.name + std::string(format.middle)},
          {"content", {{"type", "json_schema"}, {"json_schema", tool.parameters}}},
          {"end", format.end}};
}

// Of the tools that may be called.
Json CallTags(const Tools& tools, const ToolFormat& format) {
  Json tags = Json::array();
  for (const Tool& tool : tools.list) {
    if (tools.named.empty() || tool.name == tools.named) tags.push_back(CallTag(tool, format));
  }
  return tags;
}

// Calls and nothing else.
Json Calls(const Tools& tools, const ToolFormat& format) {
  Json calls = {{"type", "tags_with_separator"},
                {"tags", CallTags(tools, format)},
                {"separator", format.separator},
                {"at_least_one", true},
                {"stop_after_first", !tools.parallel || !tools.named.empty()}};
  if (format.open.empty()) return calls;
  return {{"type", "tag"},
          {"begin", format.open},
          {"content", std::move(calls)},
          {"end", format.close}};
}

// What a call looks like where its template has no word for it.
std::string CallText(const Json& call, const ToolFormat& format) {
  const Json function = call.is_object() ? call.value("function", Json::object()) : Json::object();
  const Json name = function.is_object() ? function.value("name", Json("")) : Json("");
  const Json arguments =
      function.is_object() ? function.value("arguments", Json("{}")) : Json("{}");
  return fmt::format(
      "{}{}{}{}{}", format.begin, name.is_string() ? name.get<std::string>() : "", format.middle,
      arguments.is_string() ? arguments.get<std::string>() : arguments.dump(), format.end);
}

}  // namespace

Result<Tools> ReadTools(const Json& tools, const Json& choice, const Json& parallel) {
  Tools result;
  if (!tools.is_null() && !tools.is_array()) return Invalid("tools must be a list");
  if (tools.size() > kMaxTools) {
    return Invalid(fmt::format("tools must be a list of at most {}", kMaxTools));
  }
  for (std::size_t i = 0; i < tools.size(); ++i) {
    ESP_ASSIGN_OR_RETURN(Tool tool, ReadTool(tools[i], fmt::format("tools[{}]", i)));
    const bool known = std::any_of(result.list.begin(), result.list.end(),
                                   [&](const Tool& other) { return other.name == tool.name; });
    if (known) return Invalid(fmt::format("tools[{}].function.name is another tool's too", i));
    result.list.push_back(std::move(tool));
  }
  if (!parallel.is_null() && !parallel.is_boolean()) {
    return Invalid("parallel_tool_calls must be true or false");
  }
  result.parallel = !parallel.is_boolean() || parallel.get<bool>();
  ESP_RETURN_IF_ERROR(ReadChoice(choice, result));
  return result;
}

Json ToolTag(const Tools& tools, const ToolFormat& format, Json answer) {
  const bool one = !tools.parallel || !tools.named.empty();
  const bool is_free = tools.choice == Tools::Choice::kAuto && answer.is_null();
  Json result;
  if (is_free) {
    // What begins a list, or else a call, ends the free text.
    Json tags = format.open.empty() ? CallTags(tools, format) : Json::array({Calls(tools, format)});
    result = {{"type", "triggered_tags"},
              {"triggers", Json::array({format.trigger()})},
              {"tags", std::move(tags)},
              {"at_least_one", false},
              {"stop_after_first", one || !format.open.empty()}};
  } else if (tools.choice == Tools::Choice::kAuto) {
    result = {{"type", "or"}, {"elements", Json::array({std::move(answer), Calls(tools, format)})}};
  } else {
    result = Calls(tools, format);
  }
  return {{"type", "structural_tag"}, {"format", std::move(result)}};
}

Json WithToolsDescribed(Json messages, const Tools& tools, const ToolFormat& format) {
  std::string text = "You can call these tools:\n";
  for (const Tool& tool : tools.list) text += tool.json.value("function", Json()).dump() + "\n";
  text += fmt::format("To call one, write a line: {}NAME{}{{...}}{}", format.begin, format.middle,
                      format.end);
  for (Json& message : messages) {
    if (!message.contains("tool_calls") || !message["tool_calls"].is_array()) continue;
    std::string content = message.value("content", "");
    for (const Json& call : message["tool_calls"]) {
      if (!content.empty()) content += '\n';
      content += CallText(call, format);
    }
    message["content"] = std::move(content);
  }
  if (messages.front()["role"] == "system") {
    messages.front()["content"] = messages.front().value("content", "") + "\n\n" + text;
  } else {
    messages.insert(messages.begin(), Json{{"role", "system"}, {"content", text}});
  }
  return messages;
}

}  // namespace espalier
