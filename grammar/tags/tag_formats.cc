// The formats with delimiters: tags, and free text with sections in it.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/tags/format_reader.h"

namespace espalier {

// "end": a literal, or several texts to choose from. An empty one is none.
Result<FormatReader::Ends> FormatReader::ReadEnds(const JsonFields& fields) {
  const Json* end = fields.object().Find("end");
  if (end != nullptr && end->kind == Json::Kind::kArray) return fields.Strings("end");
  ESP_ASSIGN_OR_RETURN(std::string literal, ReadLiteral(fields, "end"));
  return literal.empty() ? Ends() : Ends{std::move(literal)};
}

// The content of a tag and its end, with `ends` behind them.
Result<ExprId> FormatReader::ReadInside(const JsonFields& fields, const Ends& ends) {
  ESP_ASSIGN_OR_RETURN(const Ends own_ends, ReadEnds(fields));
  if (own_ends.empty()) return ReadNested(fields, "content", ends);
  ESP_ASSIGN_OR_RETURN(const ExprId content, ReadNested(fields, "content", own_ends));
  return Before(content, ends);
}

Result<ExprId> FormatReader::ReadTag(const JsonFields& fields, const Ends& ends) {
  ESP_RETURN_IF_ERROR(fields.CheckNames({"type", "begin", "content", "end"}));
  ESP_ASSIGN_OR_RETURN(const std::string begin, ReadLiteral(fields, "begin"));
  ESP_ASSIGN_OR_RETURN(const ExprId inside, ReadInside(fields, ends));
  const ExprId parts[] = {Literal(begin), inside};
  return rules_.Sequence(parts);
}

Result<ExprId> FormatReader::ReadTagsWithSeparator(const JsonFields& fields, const Ends& ends) {
  ESP_RETURN_IF_ERROR(
      fields.CheckNames({"type", "tags", "separator", "at_least_one", "stop_after_first"}));
  ESP_ASSIGN_OR_RETURN(const std::string separator, fields.String("separator"));
  ESP_ASSIGN_OR_RETURN(const auto at_least_one, fields.Flag("at_least_one"));
  ESP_ASSIGN_OR_RETURN(const auto stop_after_first, fields.Flag("stop_after_first"));
  ESP_ASSIGN_OR_RETURN(const Json* tags, fields.Member("tags", Json::Kind::kArray));
  if (tags->elements.empty()) return fields.Error("tags", "must not be empty");
  const RuleId any = NewRule();
  std::vector<ExprId> choices;
  for (std::size_t i = 0; i < tags->elements.size(); ++i) {
    const std::string pointer = fields.PointerTo("tags") + "/" + std::to_string(i);
    const Json& tag = tags->elements[i];
    const bool is_bare = tag.kind == Json::Kind::kObject && tag.Find("type") == nullptr;
    ESP_ASSIGN_OR_RETURN(choices.emplace_back(),
                         is_bare ? ReadTag(JsonFields(tag, pointer), {}) : Read(tag, pointer, {}));
  }
  rules_.rule(any).body = rules_.Choice(choices);
  ExprId all = rules_.Reference(any);
  if (!stop_after_first.value_or(false)) {
    const ExprId next[] = {Literal(separator), rules_.Reference(any)};
    const ExprId parts[] = {all, rules_.Repeat(rules_.Sequence(next), 0, RegexSet::kUnbounded)};
    all = rules_.Sequence(parts);
  }
  if (!at_least_one.value_or(false)) all = rules_.Repeat(all, 0, 1);
  return Before(all, ends);
}

Status FormatReader::SetTriggers(const JsonFields& fields, std::string_view name,
                                 const Ends& triggers, Dispatch& dispatch) {
  if (triggers.empty()) return fields.Error(name, "must not be empty");
  for (const std::string& trigger : triggers) dispatch.triggers.push_back({trigger, {}});
  return Status();
}

// What follows a trigger: the rest of `begin` and the inside of the tag.
Status FormatReader::AddTag(const JsonFields& tag, std::string_view begin, ExprId inside,
                            Dispatch& dispatch) {
  Trigger* found = nullptr;
  for (Trigger& trigger : dispatch.triggers) {
    if (!begin.starts_with(trigger.text)) continue;
    if (found != nullptr) {
      return tag.Error("begin", "begins with two triggers, " + token_text_.Shown(found->text) +
                                    " and " + token_text_.Shown(trigger.text) +
                                    "; keep one of them");
    }
    found = &trigger;
  }
  if (found == nullptr) {
    return tag.Error("begin", "begins with no trigger; add one that is the beginning of " +
                                  token_text_.Shown(begin));
  }
  const ExprId parts[] = {Literal(begin.substr(found->text.size())), inside};
  found->rests.push_back(rules_.Sequence(parts));
  return Status();
}

Result<ExprId> FormatReader::ReadTriggeredTags(const JsonFields& fields, const Ends& ends) {
  ESP_RETURN_IF_ERROR(fields.CheckNames({"type", "triggers", "tags", "at_least_one",
                                         "stop_after_first", "excludes", "leading_text"}));
  Dispatch dispatch;
  ESP_ASSIGN_OR_RETURN(const Ends triggers, fields.Strings("triggers"));
  ESP_RETURN_IF_ERROR(SetTriggers(fields, "triggers", triggers, dispatch));
  ESP_ASSIGN_OR_RETURN(dispatch.excludes, fields.Strings("excludes"));
  return ReadTags(fields, std::move(dispatch), ends);
}

// The part of triggered tags that is the same for texts and tokens.
Result<ExprId> FormatReader::ReadTags(const JsonFields& fields, Dispatch dispatch,
                                      const Ends& ends) {
  ESP_ASSIGN_OR_RETURN(const auto at_least_one, fields.Flag("at_least_one"));
  ESP_ASSIGN_OR_RETURN(const auto stop_after_first, fields.Flag("stop_after_first"));
  ESP_ASSIGN_OR_RETURN(const auto leading_text, fields.Flag("leading_text"));
  dispatch.at_least_one = at_least_one.value_or(false);
  dispatch.stop_after_first = stop_after_first.value_or(false);
  dispatch.leading_text = leading_text.value_or(!dispatch.at_least_one);
  ESP_ASSIGN_OR_RETURN(const Json* tags, fields.Member("tags", Json::Kind::kArray));
  for (std::size_t i = 0; i < tags->elements.size(); ++i) {
    const JsonFields tag(tags->elements[i], fields.PointerTo("tags") + "/" + std::to_string(i));
    ESP_RETURN_IF_ERROR(tag.CheckNames({"type", "begin", "content", "end"}));
    ESP_ASSIGN_OR_RETURN(const std::string begin, ReadLiteral(tag, "begin"));
    ESP_ASSIGN_OR_RETURN(const ExprId inside, ReadInside(tag, {}));
    ESP_RETURN_IF_ERROR(AddTag(tag, begin, inside, dispatch));
  }
  return Dispatched(std::move(dispatch), ends);
}

Result<ExprId> FormatReader::ReadStructures(const JsonFields& fields) {
  ESP_RETURN_IF_ERROR(fields.CheckNames({"type", "structures", "triggers", "at_least_one"}));
  Dispatch dispatch;
  ESP_ASSIGN_OR_RETURN(const Ends triggers, fields.Strings("triggers"));
  ESP_RETURN_IF_ERROR(SetTriggers(fields, "triggers", triggers, dispatch));
  ESP_ASSIGN_OR_RETURN(const auto at_least_one, fields.Flag("at_least_one"));
  dispatch.at_least_one = at_least_one.value_or(false);
  ESP_ASSIGN_OR_RETURN(const Json* structures, fields.Member("structures", Json::Kind::kArray));
  for (std::size_t i = 0; i < structures->elements.size(); ++i) {
    const JsonFields tag(structures->elements[i],
                         fields.PointerTo("structures") + "/" + std::to_string(i));
    ESP_RETURN_IF_ERROR(tag.CheckNames({"begin", "schema", "end"}));
    ESP_ASSIGN_OR_RETURN(const std::string begin, tag.String("begin"));
    ESP_ASSIGN_OR_RETURN(const std::string end, tag.String("end"));
    const Json* schema = tag.object().Find("schema");
    if (schema == nullptr) return tag.Error("schema", "is missing");
    ESP_ASSIGN_OR_RETURN(const ExprId content,
                         AddSchema(*schema, PropertyOrder::kSchema, tag.PointerTo("schema")));
    const ExprId parts[] = {content, Literal(end)};
    ESP_RETURN_IF_ERROR(AddTag(tag, begin, rules_.Sequence(parts), dispatch));
  }
  return Dispatched(std::move(dispatch), {});
}

// {"rules": [[pattern, format], ...]}: a pattern is a trigger, a format what follows it.
Result<ExprId> FormatReader::ReadDispatch(const JsonFields& fields, const Ends& ends) {
  ESP_RETURN_IF_ERROR(fields.CheckNames({"type", "rules", "loop", "excludes"}));
  Dispatch dispatch;
  ESP_ASSIGN_OR_RETURN(dispatch.excludes, fields.Strings("excludes"));
  return ReadRules(fields, std::move(dispatch), ends);
}

Result<ExprId> FormatReader::ReadRules(const JsonFields& fields, Dispatch dispatch,
                                       const Ends& ends) {
  ESP_ASSIGN_OR_RETURN(const auto loop, fields.Flag("loop"));
  dispatch.stop_after_first = !loop.value_or(true);
  ESP_ASSIGN_OR_RETURN(const Json* rules, fields.Member("rules", Json::Kind::kArray));
  const bool of_tokens = dispatch.filling == Filling::kTokens;
  for (std::size_t i = 0; i < rules->elements.size(); ++i) {
    const Json& pair = rules->elements[i];
    const std::string pointer = fields.PointerTo("rules") + "/" + std::to_string(i);
    if (pair.elements.size() != 2 || (!of_tokens && pair.elements[0].string.empty())) {
      return Status(Code::kInvalidArgument,
                    pointer + " must be [" + (of_tokens ? "token" : "string") + ", format]");
    }
    std::string trigger = pair.elements[0].string;
    if (of_tokens) {
      ESP_ASSIGN_OR_RETURN(trigger, TokenLiteral(pair.elements[0], pointer + "/0"));
    }
    ESP_ASSIGN_OR_RETURN(const ExprId content, Read(pair.elements[1], pointer + "/1", {}));
    dispatch.triggers.push_back({std::move(trigger), {content}});
  }
  if (dispatch.triggers.empty()) return fields.Error("rules", "must not be empty");
  return Dispatched(std::move(dispatch), ends);
}

RuleId FormatReader::NewRule() {
  return rules_.Named("%format" + std::to_string(rules_.num_rules()), 0);
}

// Sections behind free text that ends in their trigger, then free text up to the end.
ExprId FormatReader::Dispatched(Dispatch dispatch, const Ends& ends) {
  Ends stops = ends;
  for (const Trigger& trigger : dispatch.triggers) stops.push_back(trigger.text);
  const FreeText::Literals literals = {stops, dispatch.excludes};
  FreeText free(token_text_, dispatch.filling, literals);
  std::vector<ExprId> at_once, behind_text;
  for (const Trigger& trigger : dispatch.triggers) {
    if (trigger.rests.empty()) continue;
    const RuleId rest = NewRule();
    rules_.rule(rest).body = rules_.Choice(trigger.rests);
    const ExprId now[] = {Literal(trigger.text), rules_.Reference(rest)};
    at_once.push_back(rules_.Sequence(now));
    const ExprId later[] = {rules_.Regex(free.Until(trigger.text), 1), rules_.Reference(rest)};
    behind_text.push_back(rules_.Sequence(later));
  }
  const ExprId last_text = Free(dispatch.filling, literals, ends);
  if (at_once.empty()) return last_text;
  const RuleId section = NewRule();
  rules_.rule(section).body = rules_.Choice(behind_text);
  const ExprId first = dispatch.leading_text ? rules_.Reference(section) : rules_.Choice(at_once);
  const ExprId more = rules_.Repeat(rules_.Reference(section), 0, RegexSet::kUnbounded);
  const ExprId rest_of_all[] = {first, more, last_text};
  const ExprId some =
      dispatch.stop_after_first ? Before(first, ends) : rules_.Sequence(rest_of_all);
  if (dispatch.at_least_one) return some;
  const ExprId choices[] = {some, Free(dispatch.filling, literals, ends)};
  return rules_.Choice(choices);
}

}  // namespace espalier
