#include "runtime/local/prompt.h"

#include <fmt/format.h>

#include "kernels/base/utf8.h"

namespace espalier {

Status CheckUtf8(std::string_view text, std::string_view what, std::size_t offset) {
  const std::size_t valid = ValidUtf8Prefix(text);
  if (valid == text.size()) return Status();
  return Status(Code::kInvalidArgument,
                fmt::format("{}: byte {} is not valid UTF-8", what, offset + valid));
}

void AddBos(const Tokenizer& tokenizer, std::vector<TokenId>& tokens) {
  const SpecialTokenIds& special = tokenizer.special();
  const bool wants_bos = special.add_bos && special.bos.has_value();
  if (wants_bos && (tokens.empty() || tokens.front() != *special.bos)) {
    tokens.insert(tokens.begin(), *special.bos);
  }
}

std::vector<TokenId> EncodePrompt(const Tokenizer& tokenizer, std::string_view text) {
  std::vector<TokenId> tokens = tokenizer.Encode(text, SpecialTokens::kParse);
  AddBos(tokenizer, tokens);
  return tokens;
}

}  // namespace espalier
