// TokenizerFromJson: reads a tokenizer.json of a byte-level BPE.
#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "kernels/base/utf8.h"
#include "runtime/tokenizer/build.h"
#include "runtime/tokenizer/json_stages.h"
#include "runtime/tokenizer/load.h"
#include "runtime/tokenizer/nfc.h"

namespace espalier {
namespace {

Status Broken(std::string_view what) {
  return Status(Code::kDataLoss, fmt::format("tokenizer.json: {}", what));
}

Result<Json> Parse(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    const auto* parse_error = dynamic_cast<const Json::parse_error*>(&error);
    return Broken(parse_error == nullptr
                      ? std::string("not valid JSON")
                      : fmt::format("not valid JSON at byte {}", parse_error->byte));
  }
}

// Refuses by name the model options that would change what tokens come out.
Status CheckModel(const Json& model) {
  ESP_ASSIGN_OR_RETURN(const std::string type, ReadText(model, "type"));
  if (!type.empty() && type != "BPE") {
    return Status(
        Code::kUnsupported,
        fmt::format("tokenizer.json: model \"{}\" is not supported, only BPE", Printable(type)));
  }
  const Json* dropout = FindMember(model, "dropout");
  if (dropout != nullptr && *dropout != 0) {
    return Status(Code::kUnsupported, "tokenizer.json: model/dropout is not supported");
  }
  for (const std::string_view key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
    ESP_ASSIGN_OR_RETURN(const std::string affix, ReadText(model, key));
    if (!affix.empty()) {
      return Status(Code::kUnsupported,
                    fmt::format("tokenizer.json: model/{} is not supported", key));
    }
  }
  for (const std::string_view key : {"byte_fallback", "fuse_unk"}) {
    ESP_ASSIGN_OR_RETURN(const bool on, ReadFlag(model, key, false));
    if (on) {
      return Status(Code::kUnsupported,
                    fmt::format("tokenizer.json: model/{} is not supported", key));
    }
  }
  return Status();
}

// Ids may leave gaps, but not so many that a small file makes a large vocabulary.
Result<TokenId> ReadId(const Json& id, std::size_t num_listed) {
  const std::int64_t limit = static_cast<std::int64_t>(2 * num_listed + 65536);
  if (!id.is_number_integer() || id.get<std::int64_t>() < 0 || id.get<std::int64_t>() >= limit) {
    return Broken(fmt::format("an id is not an integer in [0, {})", limit));
  }
  return static_cast<TokenId>(id.get<std::int64_t>());
}

Status Place(TokenId token, const std::string& name, TokenKind kind, TokenizerSource& source) {
  const auto index = static_cast<std::size_t>(token);
  if (index >= source.names.size()) {
    source.names.resize(index + 1);
    source.kinds.resize(index + 1, TokenKind::kUnused);
  }
  if (!source.names[index].empty() && source.names[index] != name) {
    return Broken(fmt::format("id {} stands for \"{}\" and for \"{}\"", token,
                              Printable(source.names[index]), Printable(name)));
  }
  source.names[index] = name;
  source.kinds[index] = kind;
  return Status();
}

Result<AddedToken> ReadAddedToken(const Json& entry, std::size_t num_listed) {
  AddedToken added;
  const Json* id = FindMember(entry, "id");
  if (id == nullptr) return Broken("an added token has no id");
  ESP_ASSIGN_OR_RETURN(added.token, ReadId(*id, num_listed));
  ESP_ASSIGN_OR_RETURN(added.text, ReadText(entry, "content"));
  ESP_ASSIGN_OR_RETURN(added.special, ReadFlag(entry, "special", false));
  ESP_ASSIGN_OR_RETURN(added.strip_left, ReadFlag(entry, "lstrip", false));
  ESP_ASSIGN_OR_RETURN(added.strip_right, ReadFlag(entry, "rstrip", false));
  ESP_ASSIGN_OR_RETURN(added.single_word, ReadFlag(entry, "single_word", false));
  return added;
}

Status ReadAddedTokens(const Json& root, std::size_t num_vocab, TokenizerSource& source) {
  const Json* list = FindMember(root, "added_tokens");
  if (list == nullptr) return Status();
  if (!list->is_array()) return Broken("added_tokens must be an array");
  for (const Json& entry : *list) {
    ESP_ASSIGN_OR_RETURN(AddedToken added, ReadAddedToken(entry, num_vocab + list->size()));
    ESP_ASSIGN_OR_RETURN(const bool normalized, ReadFlag(entry, "normalized", !added.special));
    const TokenKind kind = added.special ? TokenKind::kControl : TokenKind::kUserDefined;
    ESP_RETURN_IF_ERROR(Place(added.token, added.text, kind, source));
    // A token that ends answers is no text, whatever its entry says.
    added.special = added.special || IsEndName(added.text);
    if (normalized && source.normalizer == Normalizer::kNfc) added.text = NormalizeNfc(added.text);
    (normalized ? source.added_normalized : source.added).push_back(std::move(added));
  }
  return Status();
}

Status ReadVocabulary(const Json& root, const Json& model, TokenizerSource& source) {
  const Json* vocab = FindMember(model, "vocab");
  if (vocab == nullptr || !vocab->is_object()) return Broken("model/vocab must be an object");
  for (const auto& [name, id] : vocab->items()) {
    ESP_ASSIGN_OR_RETURN(const TokenId token, ReadId(id, vocab->size()));
    ESP_RETURN_IF_ERROR(Place(token, name, TokenKind::kNormal, source));
  }
  return ReadAddedTokens(root, vocab->size(), source);
}

using MergeNames = std::pair<std::string_view, std::string_view>;

// "left right" or ["left", "right"]; nullopt if it is neither.
std::optional<MergeNames> ReadMerge(const Json& merge) {
  if (const auto* line = merge.get_ptr<const std::string*>()) {
    const std::size_t space = line->find(' ');
    if (space == std::string::npos) return std::nullopt;
    const std::string_view view = *line;
    return MergeNames(view.substr(0, space), view.substr(space + 1));
  }
  if (!merge.is_array() || merge.size() != 2) return std::nullopt;
  const auto* left = merge[0].get_ptr<const std::string*>();
  const auto* right = merge[1].get_ptr<const std::string*>();
  if (left == nullptr || right == nullptr) return std::nullopt;
  return MergeNames(*left, *right);
}

Result<std::vector<MergeNames>> ReadMerges(const Json& model) {
  const Json* list = FindMember(model, "merges");
  if (list == nullptr || !list->is_array()) return Broken("model/merges must be an array");
  std::vector<MergeNames> merges;
  merges.reserve(list->size());
  for (const Json& entry : *list) {
    const std::optional<MergeNames> merge = ReadMerge(entry);
    if (!merge) return Broken(fmt::format("model/merges/{} is not two tokens", merges.size()));
    merges.push_back(*merge);
  }
  return merges;
}

// The id of a token that some other part of the file names.
Result<std::optional<TokenId>> FindNamed(const std::optional<std::string>& name,
                                         std::string_view where, const TokenizerSource& source) {
  if (!name) return std::optional<TokenId>();
  for (std::size_t i = 0; i < source.names.size(); ++i) {
    if (source.names[i] == *name) return std::optional<TokenId>(static_cast<TokenId>(i));
  }
  return Broken(fmt::format("{} names \"{}\", which is no token", where, Printable(*name)));
}

Status ReadRoles(const Json& root, const Json& model, TokenizerSource& source, BpeRules& rules) {
  ESP_ASSIGN_OR_RETURN(const TemplateTokens around, ReadTemplate(root));
  SpecialTokenIds& special = source.special;
  ESP_ASSIGN_OR_RETURN(special.bos, FindNamed(around.first, "post_processor", source));
  ESP_ASSIGN_OR_RETURN(special.eos, FindNamed(around.last, "post_processor", source));
  special.add_bos = special.bos.has_value();
  special.add_eos = special.eos.has_value();
  ESP_ASSIGN_OR_RETURN(const std::string unknown, ReadText(model, "unk_token"));
  if (unknown.empty()) return Status();
  ESP_ASSIGN_OR_RETURN(special.unknown, FindNamed(unknown, "model/unk_token", source));
  rules.unknown = special.unknown;
  return Status();
}

}  // namespace

Result<std::shared_ptr<const Tokenizer>> TokenizerFromJson(std::string_view json) {
  ESP_ASSIGN_OR_RETURN(const Json root, Parse(json));
  const Json* model = FindMember(root, "model");
  if (model == nullptr || !model->is_object()) return Broken("model must be an object");
  ESP_RETURN_IF_ERROR(CheckModel(*model));
  ESP_RETURN_IF_ERROR(CheckDecoder(root));
  TokenizerSource source;
  BpeRules rules;
  ESP_ASSIGN_OR_RETURN(source.normalizer, ReadNormalizer(root));
  ESP_ASSIGN_OR_RETURN(rules.pretokenizer, ReadPretokenizer(root));
  ESP_ASSIGN_OR_RETURN(rules.ignore_merges, ReadFlag(*model, "ignore_merges", false));
  ESP_RETURN_IF_ERROR(ReadVocabulary(root, *model, source));
  ESP_ASSIGN_OR_RETURN(rules.merges, ReadMerges(*model));
  ESP_RETURN_IF_ERROR(ReadRoles(root, *model, source, rules));
  return BuildBpeTokenizer(std::move(source), rules);
}

}  // namespace espalier
