// The formats of tokens, and literals that are tokens.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "grammar/tags/format_reader.h"

namespace espalier {

std::optional<TokenId> FormatReader::FindToken(const Json& token) const {
  if (token.kind == Json::Kind::kString) return token_text_.Find(token.string);
  const Decimal& id = token.number;
  const Decimal size(static_cast<std::int64_t>(token_text_.vocabulary().size()));
  if (!id.is_integer() || id.negative() || !(size > id)) return std::nullopt;
  return static_cast<TokenId>(std::stol(id.ToString()));
}

Result<std::string> FormatReader::TokenLiteral(const Json& token, const std::string& pointer) {
  const bool is_name = token.kind == Json::Kind::kString;
  if (!is_name && token.kind != Json::Kind::kNumber) {
    return Status(Code::kInvalidArgument, pointer + " must be a token: an id or a name");
  }
  const std::optional<TokenId> found = FindToken(token);
  std::optional<std::string> literal = found ? token_text_.LiteralOf(*found) : std::nullopt;
  if (literal) return *std::move(literal);
  const std::string shown = is_name ? QuotedText(token.string) : token.number.ToString();
  return Status(Code::kInvalidArgument,
                pointer + " is " + shown +
                    ", which is no token of this vocabulary that may stand in an output");
}

// A member that is a text, or {"type": "token", "token": ...}.
Result<std::string> FormatReader::ReadLiteral(const JsonFields& fields, std::string_view name) {
  const Json* member = fields.object().Find(name);
  if (member == nullptr || member->kind != Json::Kind::kObject) return fields.String(name);
  const JsonFields format(*member, fields.PointerTo(name));
  ESP_RETURN_IF_ERROR(format.CheckNames({"type", "token"}));
  ESP_ASSIGN_OR_RETURN(const std::string type, format.String("type"));
  if (type != "token") return format.Error("type", "must be \"token\" here");
  const Json* token = member->Find("token");
  if (token == nullptr) return format.Error("token", "is missing");
  return TokenLiteral(*token, format.PointerTo("token"));
}

// A member that is a list of tokens; a missing one is an empty list.
Result<FormatReader::Ends> FormatReader::Tokens(const JsonFields& fields, std::string_view name) {
  Ends literals;
  if (fields.object().Find(name) == nullptr) return literals;
  ESP_ASSIGN_OR_RETURN(const Json* list, fields.Member(name, Json::Kind::kArray));
  for (std::size_t i = 0; i < list->elements.size(); ++i) {
    const std::string pointer = fields.PointerTo(name) + "/" + std::to_string(i);
    ESP_ASSIGN_OR_RETURN(literals.emplace_back(), TokenLiteral(list->elements[i], pointer));
  }
  return literals;
}

Result<ExprId> FormatReader::ReadToken(const JsonFields& fields, const Ends& ends) {
  ESP_RETURN_IF_ERROR(fields.CheckNames({"type", "token"}));
  const Json* token = fields.object().Find("token");
  if (token == nullptr) return fields.Error("token", "is missing");
  ESP_ASSIGN_OR_RETURN(const std::string literal, TokenLiteral(*token, fields.PointerTo("token")));
  return Before(Literal(literal), ends);
}

Result<ExprId> FormatReader::ReadAnyTokens(const JsonFields& fields, const Ends& ends) {
  ESP_RETURN_IF_ERROR(fields.CheckNames({"type", "exclude_tokens"}));
  ESP_ASSIGN_OR_RETURN(const Ends excludes, Tokens(fields, "exclude_tokens"));
  return Free(Filling::kTokens, {ends, excludes}, ends);
}

Result<ExprId> FormatReader::ReadTokenTriggeredTags(const JsonFields& fields, const Ends& ends) {
  ESP_RETURN_IF_ERROR(fields.CheckNames({"type", "trigger_tokens", "tags", "at_least_one",
                                         "stop_after_first", "exclude_tokens", "leading_text"}));
  Dispatch dispatch;
  dispatch.filling = Filling::kTokens;
  ESP_ASSIGN_OR_RETURN(const Ends triggers, Tokens(fields, "trigger_tokens"));
  ESP_RETURN_IF_ERROR(SetTriggers(fields, "trigger_tokens", triggers, dispatch));
  ESP_ASSIGN_OR_RETURN(dispatch.excludes, Tokens(fields, "exclude_tokens"));
  return ReadTags(fields, std::move(dispatch), ends);
}

Result<ExprId> FormatReader::ReadTokenDispatch(const JsonFields& fields, const Ends& ends) {
  ESP_RETURN_IF_ERROR(fields.CheckNames({"type", "rules", "loop", "exclude_tokens"}));
  Dispatch dispatch;
  dispatch.filling = Filling::kTokens;
  ESP_ASSIGN_OR_RETURN(dispatch.excludes, Tokens(fields, "exclude_tokens"));
  return ReadRules(fields, std::move(dispatch), ends);
}

}  // namespace espalier
