// `espalier inspect chat`: messages as the model's template renders them, and the tokens.
#include <algorithm>
#include <iterator>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "runtime/api/did_you_mean.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/each_line.h"
#include "runtime/cli/flags.h"
#include "runtime/cli/output.h"
#include "runtime/local/chat_prompt.h"
#include "runtime/local/model_file.h"
#include "runtime/local/prompt.h"
#include "runtime/local/token_text.h"
#include "runtime/tokenizer/load.h"

namespace espalier {
namespace {

struct Flags {
  CommonFlags common;
  std::string text;
  std::string system;
  std::string jsonl;
};

nlohmann::ordered_json ChatJson(const Tokenizer& tokenizer, const std::string& text) {
  return {{"text", text}, {"ids", EncodePrompt(tokenizer, text)}};
}

// What a line may have; the last two are those of an answer, so that one can be given again.
constexpr std::string_view kKeys[] = {"messages",  "add_generation_prompt", "tools",
                                      "documents", "chat_template_kwargs",  "text",
                                      "ids"};

Status CheckKeys(const nlohmann::ordered_json& line) {
  for (const auto& [name, value] : line.items()) {
    if (std::find(std::begin(kKeys), std::end(kKeys), name) != std::end(kKeys)) continue;
    return Status(Code::kInvalidArgument,
                  fmt::format("unknown key '{}'{}", name, DidYouMean(name, kKeys)));
  }
  return Status();
}

Result<ChatRequest> ToRequest(const nlohmann::ordered_json& line) {
  if (!line.is_object() || !line.contains("messages")) {
    return Status(Code::kInvalidArgument, "a line is an object with \"messages\"");
  }
  ESP_RETURN_IF_ERROR(CheckKeys(line));
  const auto at = [&line](const char* key) { return line.value(key, nlohmann::ordered_json()); };
  const nlohmann::ordered_json open = at("add_generation_prompt");
  if (!open.is_null() && !open.is_boolean()) {
    return Status(Code::kInvalidArgument, "add_generation_prompt must be true or false");
  }
  ChatRequest request{.messages = line["messages"],
                      .end = open == true ? ChatPrompt::End::kOpen : ChatPrompt::End::kClosed,
                      .tools = at("tools"),
                      .extra = at("chat_template_kwargs")};
  if (!request.extra.is_null() && !request.extra.is_object()) {
    return Status(Code::kInvalidArgument, "chat_template_kwargs must be an object");
  }
  if (line.contains("documents")) request.extra["documents"] = line["documents"];
  return request;
}

Result<nlohmann::ordered_json> Answer(const nlohmann::ordered_json& line, const ChatPrompt& chat,
                                      const Tokenizer& tokenizer) {
  ESP_ASSIGN_OR_RETURN(const ChatRequest request, ToRequest(line));
  ESP_ASSIGN_OR_RETURN(const std::string text, chat.Render(request));
  return ChatJson(tokenizer, text);
}

// One message of a user, up to where the model is to answer.
Result<ExitCode> AnswerText(const Flags& flags, const ChatPrompt& chat,
                            const Tokenizer& tokenizer) {
  ESP_ASSIGN_OR_RETURN(std::string text,
                       chat.Render(UserMessages(flags.system, flags.text), ChatPrompt::End::kOpen));
  if (flags.common.json) {
    ESP_RETURN_IF_ERROR(WriteJson(ChatJson(tokenizer, text)));
    return ExitCode::kDone;
  }
  if (!text.ends_with('\n')) text += '\n';
  ESP_RETURN_IF_ERROR(WriteOut(text));
  return ExitCode::kDone;
}

Result<ExitCode> Run(const Flags& flags) {
  ESP_RETURN_IF_ERROR(CheckTextOrLines(flags.text, flags.jsonl));
  ESP_RETURN_IF_ERROR(CheckUtf8(flags.system, "--system"));
  ESP_ASSIGN_OR_RETURN(const auto gguf, OpenModelFile(flags.common.local.model));
  ESP_ASSIGN_OR_RETURN(const auto tokenizer,
                       OfModelFile(flags.common.local.model, TokenizerFromGguf(*gguf)));
  ESP_ASSIGN_OR_RETURN(
      auto model, OfModelFile(flags.common.local.model,
                              ChatModelOf(*gguf, *tokenizer, ModelName(flags.common.local.model))));
  const ChatPrompt chat(std::move(model));
  if (flags.jsonl.empty()) return AnswerText(flags, chat, *tokenizer);
  return AnswerEachLine(flags.jsonl, [&](const nlohmann::ordered_json& line) {
    return Answer(line, chat, *tokenizer);
  });
}

}  // namespace

CommandBody DeclareInspectChat(CLI::App& app) {
  auto flags = std::make_shared<Flags>();
  app.add_option("TEXT", flags->text, "A user's message; shown up to where the model answers");
  app.add_option("--system", flags->system, "System message before TEXT")->type_name("TEXT");
  app.add_option("--jsonl", flags->jsonl,
                 "Chats, {\"messages\", \"add_generation_prompt\", \"tools\", \"documents\", "
                 "\"chat_template_kwargs\"} a line; '-': stdin")
      ->type_name("FILE");
  AddJsonFlag(app, flags->common);
  AddModelFlags(app, flags->common);
  return [flags] { return Run(*flags); };
}

}  // namespace espalier
