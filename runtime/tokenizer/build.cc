#include "runtime/tokenizer/build.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "runtime/tokenizer/nfc.h"

namespace espalier {
namespace {

bool IsAsciiAlnum(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Whether a token may reach across a space that follows a word.
bool CrossesSpaces(const std::vector<AddedToken>& added) {
  return std::any_of(added.begin(), added.end(), [](const AddedToken& token) {
    return token.strip_right || token.text.find(' ') != std::string::npos;
  });
}

// Cuts added tokens out, normalizes the text between them, cuts those that are found
// only then, and hands what is left to the encoder.
class SplittingTokenizer final : public Tokenizer {
 public:
  struct Parts {
    std::unique_ptr<const TokenList> tokens;
    std::unique_ptr<const TextEncoder> encoder;  // refers to *tokens
    Normalizer normalizer = Normalizer::kNone;
    AddedTokenFinder added;
    AddedTokenFinder added_normalized;
    bool cuts_at_spaces = false;
  };

  explicit SplittingTokenizer(Parts parts) : parts_(std::move(parts)) {}

  std::vector<TokenId> Encode(std::string_view text, SpecialTokens special) const override {
    std::vector<TokenId> out;
    Split(parts_.added, text, special, out, [&](std::string_view between) {
      if (parts_.normalizer == Normalizer::kNone) {
        EncodeNormalized(between, special, out);
      } else {
        EncodeNormalized(NormalizeNfc(between), special, out);
      }
    });
    return out;
  }

  // Before a space that follows a word: no pretokenizer goes on from the one to the other,
  // and what comes after the space changes neither that nor anything before it.
  std::size_t StableCut(std::string_view text) const override {
    if (!parts_.cuts_at_spaces) return 0;
    std::size_t at = text.rfind(' ');
    while (at != std::string_view::npos && at > 0 && !IsAsciiAlnum(text[at - 1])) {
      at = text.rfind(' ', at - 1);
    }
    return at == std::string_view::npos ? 0 : at;
  }

  std::string Decode(std::span<const TokenId> tokens, SpecialTokens special) const override {
    return parts_.tokens->Decode(tokens, special);
  }

  std::string_view Name(TokenId token) const override {
    if (token < 0 || static_cast<std::size_t>(token) >= parts_.tokens->size()) return {};
    const std::string_view bytes = parts_.tokens->bytes(token);
    return bytes.empty() ? std::string_view(parts_.tokens->name(token)) : bytes;
  }

  const SpecialTokenIds& special() const override { return parts_.tokens->special(); }

  std::shared_ptr<const Vocabulary> vocabulary() const override {
    return parts_.tokens->vocabulary();
  }

 private:
  // encode(text) for each text between matches; the matches' tokens go to `out`.
  template <typename EncodeText>
  static void Split(const AddedTokenFinder& finder, std::string_view text, SpecialTokens special,
                    std::vector<TokenId>& out, const EncodeText& encode) {
    std::size_t pos = 0;
    while (const auto match = finder.Find(text, pos, special)) {
      if (match->start > pos) encode(text.substr(pos, match->start - pos));
      out.push_back(match->token);
      pos = match->end;
    }
    if (pos < text.size()) encode(text.substr(pos));
  }

  void EncodeNormalized(std::string_view text, SpecialTokens special,
                        std::vector<TokenId>& out) const {
    Split(parts_.added_normalized, text, special, out,
          [&](std::string_view between) { parts_.encoder->Encode(between, out); });
  }

  Parts parts_;
};

template <typename Encoder, typename Rules>
Result<std::shared_ptr<const Tokenizer>> Build(TokenizerSource source, NameCoding coding,
                                               const Rules& rules) {
  const bool crosses = CrossesSpaces(source.added) || CrossesSpaces(source.added_normalized);
  ESP_ASSIGN_OR_RETURN(AddedTokenFinder added, AddedTokenFinder::Create(std::move(source.added)));
  ESP_ASSIGN_OR_RETURN(AddedTokenFinder added_normalized,
                       AddedTokenFinder::Create(std::move(source.added_normalized)));
  ESP_ASSIGN_OR_RETURN(
      TokenList list,
      TokenList::Create(std::move(source.names), std::move(source.kinds), source.special, coding));
  auto tokens = std::make_unique<const TokenList>(std::move(list));
  ESP_ASSIGN_OR_RETURN(std::unique_ptr<Encoder> encoder, Encoder::Create(*tokens, rules));
  const bool cuts_at_spaces = encoder->CutsAtSpaces() && !crosses;
  return std::shared_ptr<const Tokenizer>(std::make_shared<SplittingTokenizer>(
      SplittingTokenizer::Parts{.tokens = std::move(tokens),
                                .encoder = std::move(encoder),
                                .normalizer = source.normalizer,
                                .added = std::move(added),
                                .added_normalized = std::move(added_normalized),
                                .cuts_at_spaces = cuts_at_spaces}));
}

}  // namespace

std::vector<AddedToken> AddedTokensByKind(const TokenizerSource& source) {
  std::vector<AddedToken> added;
  for (std::size_t i = 0; i < source.names.size() && i < source.kinds.size(); ++i) {
    const TokenKind kind = source.kinds[i];
    const bool special =
        kind == TokenKind::kControl || kind == TokenKind::kUnknown || IsEndName(source.names[i]);
    if (!special && kind != TokenKind::kUserDefined) continue;
    added.push_back(
        {.token = static_cast<TokenId>(i), .text = source.names[i], .special = special});
  }
  return added;
}

Result<std::shared_ptr<const Tokenizer>> BuildBpeTokenizer(TokenizerSource source,
                                                           const BpeRules& rules) {
  return Build<BpeEncoder>(std::move(source), NameCoding::kByteLevel, rules);
}

Result<std::shared_ptr<const Tokenizer>> BuildSpmTokenizer(TokenizerSource source,
                                                           const SpmRules& rules) {
  return Build<SpmEncoder>(std::move(source), NameCoding::kSentencePiece, rules);
}

}  // namespace espalier
