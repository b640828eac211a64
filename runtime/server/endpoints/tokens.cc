// Text to tokens and back, in the words of vLLM, SGLang and llama.cpp: an answer has the
// names that each of them looks for.
#include <utility>
#include <vector>

#include "runtime/api/openai_body.h"
#include "runtime/api/request_line.h"
#include "runtime/api/tokens_body.h"
#include "runtime/local/prompt.h"
#include "runtime/local/token_text.h"
#include "runtime/server/endpoints/chat_request.h"
#include "runtime/server/endpoints/endpoints.h"
#include "runtime/server/endpoints/preparation.h"

namespace espalier::endpoints {
namespace {

using Json = nlohmann::ordered_json;

std::vector<TokenId> TokensOf(const Tokenizer& tokenizer, const TokenizeBody& body,
                              const std::string& text) {
  std::vector<TokenId> tokens =
      tokenizer.Encode(text, body.parse_special ? SpecialTokens::kParse : SpecialTokens::kAsText);
  if (body.add_special) AddBos(tokenizer, tokens);
  return tokens;
}

Json Shown(const Tokenizer& tokenizer, const TokenizeBody& body,
           const std::vector<TokenId>& tokens) {
  if (body.show != TokenizeBody::Texts::kPieces) return tokens;
  Json list = Json::array();
  for (const TokenId token : tokens) {
    const std::string bytes = tokenizer.Decode({&token, 1}, SpecialTokens::kParse);
    Json piece = bytes;
    if (!CheckUtf8(bytes, "a token").ok()) {
      piece = Json::array();
      for (const char byte : bytes) piece.push_back(static_cast<unsigned char>(byte));
    }
    list.push_back({{"id", token}, {"piece", std::move(piece)}});
  }
  return list;
}

Json TextsOf(const Tokenizer& tokenizer, const std::vector<TokenId>& tokens) {
  Json texts = Json::array();
  for (const TokenId token : tokens) texts.push_back(TokenText(tokenizer, token));
  return texts;
}

// One value, or a list of one for each text.
Json OneOrAll(Json list, bool is_list) { return is_list ? std::move(list) : list.front(); }

Result<Prepared> PrepareTokenize(const ServedModel& served, const Json& json,
                                 std::uint64_t /*seed*/) {
  ESP_ASSIGN_OR_RETURN(TokenizeBody body, ReadTokenizeBody(json));
  if (body.texts.empty()) {
    ESP_ASSIGN_OR_RETURN(const OpenAiBody chat, ReadOpenAiBody(OpenAiApi::kChat, json));
    ESP_ASSIGN_OR_RETURN(body.texts.emplace_back(), ChatText(served, chat));
  }
  std::size_t num_bytes = 0;
  for (const std::string& text : body.texts) num_bytes += text.size();
  ESP_RETURN_IF_ERROR(CheckPromptBytes(num_bytes, served.defaults()));
  const Tokenizer& tokenizer = served.tokenizer();
  Json tokens = Json::array(), counts = Json::array(), texts = Json::array();
  for (const std::string& text : body.texts) {
    const std::vector<TokenId> ids = TokensOf(tokenizer, body, text);
    tokens.push_back(Shown(tokenizer, body, ids));
    counts.push_back(ids.size());
    texts.push_back(body.show == TokenizeBody::Texts::kList ? TextsOf(tokenizer, ids) : Json());
  }
  return Prepared{.answer = {{"tokens", OneOrAll(std::move(tokens), body.is_list)},
                             {"count", OneOrAll(std::move(counts), body.is_list)},
                             {"max_model_len", served.context_length()},
                             {"token_strs", OneOrAll(std::move(texts), body.is_list)}}};
}

Result<Prepared> PrepareDetokenize(const ServedModel& served, const Json& json,
                                   std::uint64_t /*seed*/) {
  const Tokenizer& tokenizer = served.tokenizer();
  ESP_ASSIGN_OR_RETURN(const DetokenizeBody body,
                       ReadDetokenizeBody(json, static_cast<std::int64_t>(tokenizer.vocab_size())));
  Json texts = Json::array();
  for (const std::vector<TokenId>& tokens : body.lists) {
    texts.push_back(tokenizer.Decode(
        tokens, body.skip_special ? SpecialTokens::kAsText : SpecialTokens::kParse));
  }
  const Json text = OneOrAll(std::move(texts), body.is_list);
  return Prepared{.answer = {{"text", text}, {"prompt", text}, {"content", text}}};
}

}  // namespace

void Tokenize(Service& service, const Exchange& exchange, std::string_view /*id*/) {
  PrepareAndAnswer(service, exchange, PrepareTokenize);
}

void Detokenize(Service& service, const Exchange& exchange, std::string_view /*id*/) {
  PrepareAndAnswer(service, exchange, PrepareDetokenize);
}

}  // namespace espalier::endpoints
