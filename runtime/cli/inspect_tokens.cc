// `espalier inspect tokens`: the tokens of a text, as a table or as JSON lines.
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "runtime/cli/commands.h"
#include "runtime/cli/each_line.h"
#include "runtime/cli/flags.h"
#include "runtime/cli/load_tokenizer.h"
#include "runtime/cli/output.h"
#include "runtime/local/token_text.h"

namespace espalier {
namespace {

struct Flags {
  CommonFlags common;
  std::string text;
  std::string jsonl;
  std::string tokenizer;  // empty: the model's
};

nlohmann::ordered_json TokensJson(const Tokenizer& tokenizer, std::string_view text) {
  const std::vector<TokenId> ids = tokenizer.Encode(text, SpecialTokens::kParse);
  return {{"ids", ids}, {"decoded", tokenizer.Decode(ids, SpecialTokens::kParse)}};
}

Status PrintTable(const Tokenizer& tokenizer, std::string_view text) {
  std::string table = fmt::format("{:>8}  {:>8}  text\n", "position", "id");
  std::size_t position = 0;
  for (const TokenId id : tokenizer.Encode(text, SpecialTokens::kParse)) {
    const nlohmann::json shown = TokenText(tokenizer, id);  // quoted, control characters escaped
    table += fmt::format("{:>8}  {:>8}  {}\n", position++, id, shown.dump());
  }
  return WriteOut(table);
}

Result<ExitCode> Run(const Flags& flags) {
  ESP_RETURN_IF_ERROR(CheckTextOrLines(flags.text, flags.jsonl));
  ESP_ASSIGN_OR_RETURN(
      const auto tokenizer,
      LoadTokenizer(flags.tokenizer.empty() ? flags.common.local.model : flags.tokenizer));
  if (flags.jsonl.empty()) {
    ESP_RETURN_IF_ERROR(flags.common.json ? WriteJson(TokensJson(*tokenizer, flags.text))
                                          : PrintTable(*tokenizer, flags.text));
    return ExitCode::kDone;
  }
  return AnswerEachLine(
      flags.jsonl, [&](const nlohmann::ordered_json& line) -> Result<nlohmann::ordered_json> {
        if (!line.is_object() || !line.contains("text") || !line["text"].is_string()) {
          return Status(Code::kInvalidArgument, "a line is an object with a string \"text\"");
        }
        return TokensJson(*tokenizer, line["text"].get_ref<const std::string&>());
      });
}

}  // namespace

CommandBody DeclareInspectTokens(CLI::App& app) {
  auto flags = std::make_shared<Flags>();
  app.add_option("TEXT", flags->text, "The text; special tokens in it are parsed");
  app.add_option("--jsonl", flags->jsonl, "Texts, {\"text\"} a line; '-': stdin")
      ->type_name("FILE");
  app.add_option("--tokenizer", flags->tokenizer,
                 "A GGUF file or a tokenizer.json, instead of the model's")
      ->type_name("FILE");
  AddJsonFlag(app, flags->common);
  AddModelFlags(app, flags->common);
  return [flags] { return Run(*flags); };
}

}  // namespace espalier
