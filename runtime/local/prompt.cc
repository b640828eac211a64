#include "runtime/local/prompt.h"

#include <utf8proc.h>

#include <fmt/format.h>

namespace espalier {

Status CheckUtf8(std::string_view text, std::string_view what, std::size_t offset) {
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const auto size = static_cast<utf8proc_ssize_t>(text.size());
  for (utf8proc_ssize_t at = 0; at < size;) {
    utf8proc_int32_t code_point = 0;
    const utf8proc_ssize_t length = utf8proc_iterate(bytes + at, size - at, &code_point);
    if (length <= 0) {
      return Status(Code::kInvalidArgument, fmt::format("{}: byte {} is not valid UTF-8", what,
                                                        offset + static_cast<std::size_t>(at)));
    }
    at += length;
  }
  return Status();
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
