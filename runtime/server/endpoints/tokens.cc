// Text to tokens and back, in the words of SGLang, vLLM and llama.cpp.
#include <vector>

#include <fmt/format.h>

#include "runtime/local/prompt.h"
#include "runtime/server/endpoints/endpoints.h"

namespace espalier::endpoints {
namespace {

using Json = nlohmann::ordered_json;

Status Invalid(std::string message) { return {Code::kInvalidArgument, std::move(message)}; }

Result<Json> TokenizeBody(const Service& service, const Tokenizer& tokenizer, const Json& body) {
  const auto found = body.contains("prompt") ? body.find("prompt") : body.find("content");
  if (found == body.end() || !found->is_string()) return Invalid("prompt must be a string");
  const auto special = body.find("add_special_tokens");
  const std::string& text = found->get_ref<const std::string&>();
  const bool bare = special != body.end() && *special == false;
  const std::vector<TokenId> tokens =
      bare ? tokenizer.Encode(text, SpecialTokens::kParse) : EncodePrompt(tokenizer, text);
  return Json{{"tokens", tokens},
              {"count", tokens.size()},
              {"max_model_len", service.options().context_length}};
}

Result<Json> DetokenizeBody(const Tokenizer& tokenizer, const Json& body) {
  const auto found = body.find("tokens");
  if (found == body.end() || !found->is_array()) return Invalid("tokens must be a list of ids");
  std::vector<TokenId> tokens;
  const auto vocab_size = static_cast<std::int64_t>(tokenizer.vocab_size());
  for (std::size_t i = 0; i < found->size(); ++i) {
    const Json& id = (*found)[i];
    const bool whole = id.is_number_integer();
    if (!whole || id.get<std::int64_t>() < 0 || id.get<std::int64_t>() >= vocab_size) {
      return Invalid(fmt::format("tokens[{}] must be a token id from 0 to {}", i, vocab_size - 1));
    }
    tokens.push_back(id.get<TokenId>());
  }
  const std::string text = tokenizer.Decode(tokens, SpecialTokens::kParse);
  return Json{{"text", text}, {"prompt", text}, {"content", text}};
}

}  // namespace

void Tokenize(Service& service, const Exchange& exchange, std::string_view /*id*/) {
  const Result<Json> body = BodyJson(*exchange);
  if (!body.ok()) return Refuse(*exchange, body.status());
  const Result<Json> answer = TokenizeBody(service, service.tokenizer(), *body);
  if (!answer.ok()) return Refuse(*exchange, answer.status());
  AnswerJson(*exchange, *answer);
}

void Detokenize(Service& service, const Exchange& exchange, std::string_view /*id*/) {
  const Result<Json> body = BodyJson(*exchange);
  if (!body.ok()) return Refuse(*exchange, body.status());
  const Result<Json> answer = DetokenizeBody(service.tokenizer(), *body);
  if (!answer.ok()) return Refuse(*exchange, answer.status());
  AnswerJson(*exchange, *answer);
}

}  // namespace espalier::endpoints
