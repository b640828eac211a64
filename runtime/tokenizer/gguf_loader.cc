// TokenizerFromGguf: reads the tokenizer.ggml.* keys.
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include "kernels/base/utf8.h"
#include "runtime/tokenizer/build.h"
#include "runtime/tokenizer/load.h"

namespace espalier {
namespace {

std::string Key(std::string_view name) { return fmt::format("tokenizer.ggml.{}", name); }

Status Missing(std::string_view name) {
  return Status(Code::kDataLoss, fmt::format("{} is missing", Key(name)));
}

Status ReadTokens(const Gguf& gguf, TokenizerSource& source) {
  ESP_ASSIGN_OR_RETURN(const auto names, gguf.GetStrings(Key("tokens")));
  if (!names) return Missing("tokens");
  source.names.assign(names->begin(), names->end());
  source.kinds.assign(source.names.size(), TokenKind::kNormal);
  ESP_ASSIGN_OR_RETURN(const auto types, gguf.GetInts(Key("token_type")));
  if (!types) return Status();
  if (types->size() != source.names.size()) {
    return Status(Code::kDataLoss, fmt::format("{} has {} entries for {} tokens", Key("token_type"),
                                               types->size(), names->size()));
  }
  for (std::size_t i = 0; i < types->size(); ++i) {
    const std::int64_t type = (*types)[i];
    if (type < 0 || type > static_cast<std::int64_t>(TokenKind::kByte)) {
      return Status(Code::kDataLoss,
                    fmt::format("{}[{}] is {}, which is no type", Key("token_type"), i, type));
    }
    // Type 0, undefined, is a place without a token.
    source.kinds[i] = type == 0 ? TokenKind::kUnused : static_cast<TokenKind>(type);
  }
  return Status();
}

Status ReadSpecial(const Gguf& gguf, std::size_t num_tokens, SpecialTokenIds& special) {
  struct Role {
    std::string_view name;
    std::optional<TokenId>& token;
  };
  for (const Role& role : {Role{"bos", special.bos}, Role{"eos", special.eos},
                           Role{"eot", special.eot}, Role{"eom", special.eom},
                           Role{"unknown", special.unknown}, Role{"padding", special.padding}}) {
    const std::string key = Key(role.name) + "_token_id";
    ESP_ASSIGN_OR_RETURN(const auto id, gguf.GetInt(key));
    if (!id) continue;
    if (*id < 0 || *id >= static_cast<std::int64_t>(num_tokens)) {
      return Status(Code::kDataLoss,
                    fmt::format("{} is {}, but there are {} tokens", key, *id, num_tokens));
    }
    role.token = static_cast<TokenId>(*id);
  }
  ESP_ASSIGN_OR_RETURN(const auto add_bos, gguf.GetBool(Key("add_bos_token")));
  ESP_ASSIGN_OR_RETURN(const auto add_eos, gguf.GetBool(Key("add_eos_token")));
  special.add_bos = add_bos.value_or(special.add_bos) && special.bos.has_value();
  special.add_eos = add_eos.value_or(special.add_eos) && special.eos.has_value();
  return Status();
}

Result<Pretokenizer> ReadPretokenizer(const Gguf& gguf) {
  ESP_ASSIGN_OR_RETURN(const auto name, gguf.GetString(Key("pre")));
  if (!name) {
    return Status(Code::kUnsupported,
                  Key("pre") +
                      " is missing, so how this model splits text is unknown; convert it again "
                      "with a converter that writes it");
  }
  const std::optional<Pretokenizer> pretokenizer = FindPretokenizer(*name);
  if (!pretokenizer) {
    return Status(Code::kUnsupported,
                  fmt::format("{} is \"{}\", a pre-tokenizer that is not supported", Key("pre"),
                              Printable(*name)));
  }
  return *pretokenizer;
}

// merges[i]: "left right". Neither side has a space in the byte-level alphabet.
Result<std::vector<std::pair<std::string_view, std::string_view>>> ReadMerges(const Gguf& gguf) {
  ESP_ASSIGN_OR_RETURN(const auto lines, gguf.GetStrings(Key("merges")));
  if (!lines) return Missing("merges");
  std::vector<std::pair<std::string_view, std::string_view>> merges;
  merges.reserve(lines->size());
  for (const std::string_view line : *lines) {
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) {
      return Status(Code::kDataLoss,
                    fmt::format("{}[{}] is not two tokens", Key("merges"), merges.size()));
    }
    merges.emplace_back(line.substr(0, space), line.substr(space + 1));
  }
  return merges;
}

Result<std::shared_ptr<const Tokenizer>> LoadBpe(const Gguf& gguf, TokenizerSource source) {
  BpeRules rules;
  ESP_ASSIGN_OR_RETURN(rules.pretokenizer, ReadPretokenizer(gguf));
  ESP_ASSIGN_OR_RETURN(rules.merges, ReadMerges(gguf));
  // No key says so: models with this pattern were trained with both.
  const bool is_llama3 = rules.pretokenizer == Pretokenizer::kLlama3;
  rules.ignore_merges = is_llama3;
  source.special.add_bos = is_llama3;
  ESP_RETURN_IF_ERROR(ReadSpecial(gguf, source.names.size(), source.special));
  source.added = AddedTokensByKind(source);
  return BuildBpeTokenizer(std::move(source), rules);
}

Result<std::shared_ptr<const Tokenizer>> LoadSpm(const Gguf& gguf, TokenizerSource source) {
  SpmRules rules;
  ESP_ASSIGN_OR_RETURN(auto scores, gguf.GetFloats(Key("scores")));
  if (!scores) return Missing("scores");
  rules.scores = *std::move(scores);
  ESP_ASSIGN_OR_RETURN(const auto prefix, gguf.GetBool(Key("add_space_prefix")));
  rules.add_space_prefix = prefix.value_or(true);
  // SentencePiece's own places for these, where no key names others.
  if (source.names.size() > 2) {
    source.special.unknown = 0;
    source.special.bos = 1;
    source.special.eos = 2;
  }
  source.special.add_bos = true;
  ESP_RETURN_IF_ERROR(ReadSpecial(gguf, source.names.size(), source.special));
  source.added = AddedTokensByKind(source);
  return BuildSpmTokenizer(std::move(source), rules);
}

}  // namespace

Result<std::shared_ptr<const Tokenizer>> TokenizerFromGguf(const Gguf& gguf) {
  ESP_ASSIGN_OR_RETURN(const auto model, gguf.GetString(Key("model")));
  if (!model) return Missing("model");
  if (*model != "gpt2" && *model != "llama") {
    return Status(Code::kUnsupported,
                  fmt::format("{} is \"{}\"; supported are gpt2 (byte-level BPE) and llama "
                              "(SentencePiece BPE)",
                              Key("model"), Printable(*model)));
  }
  TokenizerSource source;
  ESP_RETURN_IF_ERROR(ReadTokens(gguf, source));
  return *model == "gpt2" ? LoadBpe(gguf, std::move(source)) : LoadSpm(gguf, std::move(source));
}

}  // namespace espalier
