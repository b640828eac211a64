// Replays what jinja2 gave for hundreds of templates (tests/conformance/jinja.py).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "frontend_lang/chat/chat_template.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

ChatInput InputOf(const Json& json) {
  ChatInput input;
  input.extra = Json::object();
  for (const auto& [name, value] : json.items()) {
    if (name == "messages")
      input.messages = value;
    else if (name == "tools")
      input.tools = value;
    else if (name == "documents")
      input.documents = value;
    else if (name == "add_generation_prompt")
      input.add_generation_prompt = value;
    else if (name == "bos_token")
      input.bos_token = value;
    else if (name == "eos_token")
      input.eos_token = value;
    else
      input.extra[name] = value;
  }
  std::tm now{};
  now.tm_year = 124, now.tm_mon = 6, now.tm_mday = 26;
  now.tm_hour = 9, now.tm_min = 5, now.tm_sec = 3, now.tm_wday = 5;
  input.now = now;
  return input;
}

Result<std::string> Render(const std::string& text, const ChatInput& input) {
  const Result<ChatTemplate> compiled = ChatTemplate::Compile(text);
  if (!compiled.ok()) return compiled.status();
  return compiled->Render(input);
}

TEST(JinjaGolden, EveryCaseRendersAsJinja2DoesOrFailsWhereItFails) {
  std::ifstream file(std::filesystem::path(__FILE__).parent_path() / "golden" / "jinja.jsonl");
  ASSERT_TRUE(file) << "the golden file is missing";
  std::map<std::string, std::string> defined;
  int num_cases = 0;
  for (std::string line; std::getline(file, line);) {
    const Json json = Json::parse(line);
    if (json.contains("define")) {
      defined[json["define"]] = json["template"];
      continue;
    }
    ++num_cases;
    const std::string text =
        json.contains("use") ? defined.at(json["use"]) : json["template"].get<std::string>();
    const Result<std::string> result = Render(text, InputOf(json["input"]));
    if (json.contains("error")) {
      EXPECT_FALSE(result.ok()) << text << "\ngave " << (result.ok() ? result.value() : "");
    } else {
      ASSERT_TRUE(json.contains("output"));
      EXPECT_TRUE(result.ok()) << text << "\n" << result.status().message();
      if (result.ok()) {
        EXPECT_EQ(result.value(), json["output"].get<std::string>()) << text;
      }
    }
  }
  EXPECT_GT(num_cases, 500);
}

}  // namespace
}  // namespace espalier
