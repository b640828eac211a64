#include "runtime/api/tokens_body.h"

#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "runtime/api/json_fields.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxTexts = 2048;

// Null where it is absent.
const Json& At(const Json& body, std::string_view name) {
  static const Json kNull;
  const auto found = body.find(name);
  return found == body.end() ? kNull : *found;
}

Status ReadIfGiven(const Json& body, std::string_view name, bool& to) {
  const Json& value = At(body, name);
  return value.is_null() ? Status() : ReadBool(name, value, to);
}

Status ReadTexts(std::string_view name, const Json& value, TokenizeBody& to) {
  to.is_list = value.is_array();
  const Json list = to.is_list ? value : Json::array({value});
  if (list.empty() || list.size() > kMaxTexts) {
    return Invalid(fmt::format("{} must be a string or a list of 1 to {}", name, kMaxTexts));
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::string& text = to.texts.emplace_back();
    ESP_RETURN_IF_ERROR(
        ReadText(to.is_list ? fmt::format("{}[{}]", name, i) : std::string(name), list[i], text));
  }
  return Status();
}

Result<std::vector<TokenId>> ReadIds(const std::string& name, const Json& value,
                                     std::int64_t vocab_size) {
  std::vector<TokenId> ids;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const Json& id = value[i];
    const bool whole = id.is_number_integer();
    if (!whole || id.get<std::int64_t>() < 0 || id.get<std::int64_t>() >= vocab_size) {
      return Invalid(
          fmt::format("{}[{}] must be a token id from 0 to {}", name, i, vocab_size - 1));
    }
    ids.push_back(id.get<TokenId>());
  }
  return ids;
}

// llama.cpp's: `content`, and no special tokens unless they are asked for.
Result<TokenizeBody> ReadLlamaCpp(const Json& body) {
  TokenizeBody result;
  result.add_special = false;
  ESP_RETURN_IF_ERROR(ReadText("content", At(body, "content"), result.texts.emplace_back()));
  ESP_RETURN_IF_ERROR(ReadIfGiven(body, "add_special", result.add_special));
  ESP_RETURN_IF_ERROR(ReadIfGiven(body, "parse_special", result.parse_special));
  bool with_pieces = false;
  ESP_RETURN_IF_ERROR(ReadIfGiven(body, "with_pieces", with_pieces));
  if (with_pieces) result.show = TokenizeBody::Texts::kPieces;
  return result;
}

}  // namespace

Result<TokenizeBody> ReadTokenizeBody(const Json& body) {
  const Json& prompt = At(body, "prompt");
  const bool has_messages = !At(body, "messages").is_null();
  if (prompt.is_null() && !has_messages && !At(body, "content").is_null()) {
    return ReadLlamaCpp(body);
  }
  TokenizeBody result;
  if (prompt.is_null() != has_messages) return Invalid("prompt must be given, or messages");
  if (!has_messages) ESP_RETURN_IF_ERROR(ReadTexts("prompt", prompt, result));
  ESP_RETURN_IF_ERROR(ReadIfGiven(body, "add_special_tokens", result.add_special));
  bool with_texts = false;
  ESP_RETURN_IF_ERROR(ReadIfGiven(body, "return_token_strs", with_texts));
  if (with_texts) result.show = TokenizeBody::Texts::kList;
  return result;
}

Result<DetokenizeBody> ReadDetokenizeBody(const Json& body, std::int64_t vocab_size) {
  DetokenizeBody result;
  ESP_RETURN_IF_ERROR(ReadIfGiven(body, "skip_special_tokens", result.skip_special));
  const Json& tokens = At(body, "tokens");
  if (!tokens.is_array()) return Invalid("tokens must be a list of ids, or a list of such lists");
  result.is_list = !tokens.empty() && tokens.front().is_array();
  if (!result.is_list) {
    ESP_ASSIGN_OR_RETURN(result.lists.emplace_back(), ReadIds("tokens", tokens, vocab_size));
    return result;
  }
  if (tokens.size() > kMaxTexts) {
    return Invalid(fmt::format("tokens must be at most {} lists", kMaxTexts));
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string place = fmt::format("tokens[{}]", i);
    if (!tokens[i].is_array()) return Invalid(place + " must be a list of ids");
    ESP_ASSIGN_OR_RETURN(result.lists.emplace_back(), ReadIds(place, tokens[i], vocab_size));
  }
  return result;
}

}  // namespace espalier
