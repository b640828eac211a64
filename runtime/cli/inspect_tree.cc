// `espalier inspect tree`: what a server's prefix cache holds, live or from a file.
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "frontend_lang/http/http_client.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/flags.h"
#include "runtime/cli/load_tokenizer.h"
#include "runtime/cli/output.h"
#include "runtime/cli/read_file.h"
#include "runtime/cli/tree_text.h"
#include "runtime/local/json_text.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

struct Flags {
  std::string url;
  std::string api_key;
  std::string file;
  std::string tokenizer;  // empty: none
  int nodes = 1000;
  int depth = 1'000'000;
  int tokens = 64;
  bool json = false;
};

// What an error's body says, in the shapes that servers use.
std::string MessageOf(const std::string& body) {
  const Result<Json> json = ParseJson(body);
  const auto error = json.ok() && json->is_object() ? json->find("error") : Json::const_iterator();
  const bool has_message = json.ok() && json->is_object() && error != json->end() &&
                           error->is_object() && error->contains("message");
  return has_message ? (*error)["message"].dump(-1, ' ', false, Json::error_handler_t::replace)
                     : body.substr(0, 200);
}

Result<std::string> Fetch(const Flags& flags) {
  ESP_ASSIGN_OR_RETURN(ServerUrl url, ParseServerUrl(flags.url));
  HttpClient client(std::move(url), flags.api_key);
  ESP_ASSIGN_OR_RETURN(HttpReply reply,
                       client.Fetch({"GET",
                                     fmt::format("/v1/cache/tree?nodes={}&depth={}&tokens={}",
                                                 flags.nodes, flags.depth, flags.tokens),
                                     ""}));
  if (reply.status == 200) return std::move(reply.body);
  return Status(
      reply.status == 404 ? Code::kNotFound : Code::kInvalidArgument,
      fmt::format("{}: HTTP {}: {}", client.url().Text(), reply.status, MessageOf(reply.body)));
}

Result<ExitCode> Run(const Flags& flags) {
  if (flags.url.empty() == flags.file.empty()) {
    return Status(Code::kInvalidArgument, "give a FILE or --url URL");
  }
  ESP_ASSIGN_OR_RETURN(const std::string text,
                       flags.url.empty() ? ReadFile(flags.file) : Fetch(flags));
  ESP_ASSIGN_OR_RETURN(const Json tree, ParseJson(text));
  std::shared_ptr<const Tokenizer> tokenizer;
  if (!flags.tokenizer.empty()) {
    ESP_ASSIGN_OR_RETURN(tokenizer, LoadTokenizer(flags.tokenizer));
  }
  ESP_ASSIGN_OR_RETURN(const std::string shown, TreeText(tree, tokenizer.get()));
  ESP_RETURN_IF_ERROR(flags.json ? WriteJson(tree) : WriteOut(shown));
  return ExitCode::kDone;
}

}  // namespace

CommandBody DeclareInspectTree(CLI::App& app) {
  auto flags = std::make_shared<Flags>();
  app.add_option("FILE", flags->file, "A tree that was kept with --json; '-': stdin");
  app.add_option("--url", flags->url, "A server of ours")->type_name("URL");
  app.add_option("--api-key", flags->api_key, "Key for --url")->type_name("KEY");
  app.add_option("--nodes", flags->nodes, "Most nodes; those used most")
      ->type_name("N")
      ->check(WholeNumber(0, 10'000));
  app.add_option("--depth", flags->depth, "Most nodes below one another")
      ->type_name("N")
      ->check(WholeNumber(0, 1'000'000));
  app.add_option("--tokens", flags->tokens, "Most tokens of an edge that are told")
      ->type_name("N")
      ->check(WholeNumber(0, 4096));
  app.add_option("--tokenizer", flags->tokenizer,
                 "A GGUF file or a tokenizer.json, for texts that the tree does not tell")
      ->type_name("FILE");
  app.add_flag("--json", flags->json, "The tree as one JSON object");
  return [flags] { return Run(*flags); };
}

}  // namespace espalier
