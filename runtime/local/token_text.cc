#include "runtime/local/token_text.h"

#include <cmath>
#include <utility>

#include "runtime/tokenizer/detokenizer.h"

namespace espalier {

std::string TokenText(const Tokenizer& tokenizer, TokenId token) {
  const TokenId tokens[] = {token};
  Detokenizer detokenizer;
  std::string text = detokenizer.Feed(tokenizer.Decode(tokens, SpecialTokens::kParse));
  return text + detokenizer.Finish();
}

std::vector<ScoredToken> ToScored(const std::vector<TokenLogprob>& tokens,
                                  const Tokenizer& tokenizer) {
  std::vector<ScoredToken> scored;
  for (const TokenLogprob& token : tokens) {
    ScoredToken& to = scored.emplace_back();
    if (!std::isnan(token.logprob)) to.logprob = token.logprob;
    to.token = token.token;
    to.text = TokenText(tokenizer, token.token);
  }
  return scored;
}

Result<Backend::ChatModel> ChatModelOf(const Gguf& gguf, const Tokenizer& tokenizer,
                                       std::string name) {
  ESP_ASSIGN_OR_RETURN(const auto chat_template, gguf.GetString("tokenizer.chat_template"));
  Backend::ChatModel chat;
  chat.chat_template = chat_template.value_or("");
  const SpecialTokenIds& special = tokenizer.special();
  if (special.bos) chat.bos = tokenizer.Name(*special.bos);
  if (special.eos) chat.eos = tokenizer.Name(*special.eos);
  chat.name = std::move(name);
  return chat;
}

}  // namespace espalier
