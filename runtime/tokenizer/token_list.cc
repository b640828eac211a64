#include "runtime/tokenizer/token_list.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>
#include "runtime/tokenizer/byte_level.h"
#include "runtime/tokenizer/token_index.h"

namespace espalier {
namespace {

// Names that end an answer in the chat and base models known so far.
constexpr auto kEndNames = std::to_array<std::string_view>({
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|end_of_text|>",
    "<|endoftext|>",
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<end_of_turn>",
    "<end_of_utterance>",
    "<EOT>",
    "_<EOT>",
    "[EOT]",
    "<\xEF\xBD\x9C"
    "end\xE2\x96\x81of\xE2\x96\x81sentence\xEF\xBD\x9C>",
});

Status CheckNames(const std::vector<std::string>& names) {
  if (names.empty()) return Status(Code::kDataLoss, "tokenizer: the vocabulary is empty");
  if (names.size() > kMaxTokens) {
    return Status(Code::kDataLoss, fmt::format("tokenizer: {} tokens, more than the limit of {}",
                                               names.size(), kMaxTokens));
  }
  TokenIndex index(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) continue;
    if (!index.Add(names[i], static_cast<TokenId>(i))) {
      return Status(Code::kDataLoss, fmt::format("tokenizer: tokens {} and {} have the same text",
                                                 *index.Find(names[i]), i));
    }
  }
  return Status();
}

Status CheckSpecial(const SpecialTokenIds& special, std::size_t num_tokens) {
  struct Role {
    std::string_view name;
    std::optional<TokenId> token;
  };
  for (const Role& role : {Role{"bos", special.bos}, Role{"eos", special.eos},
                           Role{"eot", special.eot}, Role{"eom", special.eom},
                           Role{"unknown", special.unknown}, Role{"padding", special.padding}}) {
    if (!role.token) continue;
    if (*role.token < 0 || static_cast<std::size_t>(*role.token) >= num_tokens) {
      return Status(Code::kDataLoss,
                    fmt::format("tokenizer: the {} token is {}, but there are {} tokens", role.name,
                                *role.token, num_tokens));
    }
  }
  return Status();
}

// The byte of a name such as <0x0A>.
std::optional<std::uint8_t> ByteFromName(std::string_view name) {
  if (name.size() != 6 || !name.starts_with("<0x") || name.back() != '>') return std::nullopt;
  std::uint8_t byte = 0;
  const char* end = name.data() + 5;
  const auto parsed = std::from_chars(name.data() + 3, end, byte, 16);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return byte;
}

std::string SpacesFromMarks(std::string_view name) {
  constexpr std::string_view kMark = "\xE2\x96\x81";  // U+2581
  std::string bytes;
  for (std::size_t pos = 0; pos < name.size();) {
    if (name.substr(pos).starts_with(kMark)) {
      bytes.push_back(' ');
      pos += kMark.size();
    } else {
      bytes.push_back(name[pos++]);
    }
  }
  return bytes;
}

std::string BytesOf(const std::string& name, TokenKind kind, NameCoding coding) {
  switch (kind) {
    case TokenKind::kControl:
    case TokenKind::kUnknown:
    case TokenKind::kUnused: return {};
    case TokenKind::kByte: return std::string(1, static_cast<char>(*ByteFromName(name)));
    case TokenKind::kNormal:
    case TokenKind::kUserDefined: break;
  }
  if (coding == NameCoding::kSentencePiece) return SpacesFromMarks(name);
  // User-defined tokens stand in the file as they are.
  if (kind == TokenKind::kUserDefined) return name;
  return BytesFromByteLevel(name).value_or(name);
}

std::vector<TokenId> EndTokens(const std::vector<std::string>& names,
                               const SpecialTokenIds& special) {
  std::vector<TokenId> end_tokens;
  for (const std::optional<TokenId> token : {special.eos, special.eot, special.eom}) {
    if (token) end_tokens.push_back(*token);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (IsEndName(names[i])) end_tokens.push_back(static_cast<TokenId>(i));
  }
  std::sort(end_tokens.begin(), end_tokens.end());
  end_tokens.erase(std::unique(end_tokens.begin(), end_tokens.end()), end_tokens.end());
  return end_tokens;
}

std::vector<NamedToken> ControlTokens(const std::vector<std::string>& names,
                                      const std::vector<TokenKind>& kinds) {
  std::vector<NamedToken> tokens;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (kinds[i] == TokenKind::kControl) tokens.push_back({static_cast<TokenId>(i), names[i]});
  }
  return tokens;
}

}  // namespace

bool IsEndName(std::string_view name) {
  return std::find(kEndNames.begin(), kEndNames.end(), name) != kEndNames.end();
}

Result<TokenList> TokenList::Create(std::vector<std::string> names, std::vector<TokenKind> kinds,
                                    const SpecialTokenIds& special, NameCoding coding) {
  ESP_RETURN_IF_ERROR(CheckNames(names));
  if (kinds.size() != names.size()) {
    return Status(Code::kDataLoss, fmt::format("tokenizer: {} token types for {} tokens",
                                               kinds.size(), names.size()));
  }
  ESP_RETURN_IF_ERROR(CheckSpecial(special, names.size()));
  std::vector<TokenId> end_tokens = EndTokens(names, special);
  std::vector<std::string> bytes;
  bytes.reserve(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (IsEndName(names[i])) kinds[i] = TokenKind::kControl;
    if (kinds[i] == TokenKind::kByte && !ByteFromName(names[i])) {
      return Status(Code::kDataLoss,
                    fmt::format("tokenizer: token {} is of type byte, but is not named <0xHH>", i));
    }
    bytes.push_back(BytesOf(names[i], kinds[i], coding));
  }
  TokenList list;
  list.names_ = std::move(names);
  list.kinds_ = std::move(kinds);
  list.special_ = special;
  list.vocabulary_ = std::make_shared<Vocabulary>(std::move(bytes), std::move(end_tokens),
                                                  ControlTokens(list.names_, list.kinds_));
  return list;
}

std::string TokenList::Decode(std::span<const TokenId> tokens, SpecialTokens special) const {
  std::string text;
  for (const TokenId token : tokens) {
    if (token < 0 || static_cast<std::size_t>(token) >= size()) continue;
    const bool has_no_text =
        kind(token) == TokenKind::kControl || kind(token) == TokenKind::kUnknown;
    if (!has_no_text) {
      text.append(bytes(token));
    } else if (special == SpecialTokens::kParse) {
      text.append(name(token));
    }
  }
  return text;
}

}  // namespace espalier
