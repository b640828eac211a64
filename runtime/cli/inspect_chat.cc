// `espalier inspect chat`: messages as the model's template renders them, and the tokens.
#include <memory>

#include <CLI/CLI.hpp>

#include "runtime/cli/commands.h"
#include "runtime/cli/each_line.h"
#include "runtime/cli/flags.h"
#include "runtime/local/chat_prompt.h"
#include "runtime/local/model_file.h"
#include "runtime/local/prompt.h"
#include "runtime/local/token_text.h"
#include "runtime/tokenizer/load.h"

namespace espalier {
namespace {

struct Flags {
  CommonFlags common;
  std::string jsonl;
};

Result<nlohmann::ordered_json> Answer(const nlohmann::ordered_json& line, const ChatPrompt& chat,
                                      const Tokenizer& tokenizer) {
  if (!line.is_object() || !line.contains("messages")) {
    return Status(Code::kInvalidArgument, "a line is an object with \"messages\"");
  }
  const auto open = line.find("add_generation_prompt");
  if (open != line.end() && !open->is_boolean()) {
    return Status(Code::kInvalidArgument, "add_generation_prompt must be true or false");
  }
  const bool is_open = open != line.end() && open->get<bool>();
  ESP_ASSIGN_OR_RETURN(
      const std::string text,
      chat.Render(line["messages"], is_open ? ChatPrompt::End::kOpen : ChatPrompt::End::kClosed));
  return nlohmann::ordered_json{{"text", text}, {"ids", EncodePrompt(tokenizer, text)}};
}

Result<ExitCode> Run(const Flags& flags) {
  if (flags.jsonl.empty()) {
    return Status(Code::kInvalidArgument, "give --jsonl FILE, or --jsonl - for stdin");
  }
  ESP_ASSIGN_OR_RETURN(const auto gguf, OpenModelFile(flags.common.local.model));
  ESP_ASSIGN_OR_RETURN(const auto tokenizer, TokenizerFromGguf(*gguf));
  ESP_ASSIGN_OR_RETURN(auto model,
                       ChatModelOf(*gguf, *tokenizer, ModelName(flags.common.local.model)));
  const ChatPrompt chat(std::move(model));
  return AnswerEachLine(flags.jsonl, [&](const nlohmann::ordered_json& line) {
    return Answer(line, chat, *tokenizer);
  });
}

}  // namespace

CommandBody DeclareInspectChat(CLI::App& app) {
  auto flags = std::make_shared<Flags>();
  app.add_option("--jsonl", flags->jsonl,
                 "Chats, {\"messages\", \"add_generation_prompt\"} a line; '-': stdin")
      ->type_name("FILE");
  AddModelFlags(app, flags->common);
  return [flags] { return Run(*flags); };
}

}  // namespace espalier
