#include "grammar/tags/format_reader.h"

#include <string_view>
#include <utility>

#include "grammar/ebnf/rules.h"
#include "grammar/regex/pattern.h"

namespace espalier {
namespace {

Status AtPointer(const std::string& pointer, const Status& status) {
  return Status(status.code(), pointer + ": " + status.message());
}

}  // namespace

Result<ExprId> FormatReader::Read(const Json& format, const std::string& pointer,
                                  const Ends& ends) {
  struct Row {
    std::string_view type;
    Result<ExprId> (FormatReader::*read)(const JsonFields& fields, const Ends& ends);
  };
  constexpr Row kFormats[] = {
      {"const_string", &FormatReader::ReadConstString},
      {"json_schema", &FormatReader::ReadSchema},
      {"regex", &FormatReader::ReadRegex},
      {"grammar", &FormatReader::ReadGrammar},
      {"any_text", &FormatReader::ReadAnyText},
      {"sequence", &FormatReader::ReadSequence},
      {"or", &FormatReader::ReadOr},
      {"optional", &FormatReader::ReadOptional},
      {"star", &FormatReader::ReadStar},
      {"plus", &FormatReader::ReadPlus},
      {"repeat", &FormatReader::ReadRepeat},
      {"tag", &FormatReader::ReadTag},
      {"triggered_tags", &FormatReader::ReadTriggeredTags},
      {"tags_with_separator", &FormatReader::ReadTagsWithSeparator},
      {"dispatch", &FormatReader::ReadDispatch},
      {"token", &FormatReader::ReadToken},
      {"any_tokens", &FormatReader::ReadAnyTokens},
      {"token_triggered_tags", &FormatReader::ReadTokenTriggeredTags},
      {"token_dispatch", &FormatReader::ReadTokenDispatch},
  };
  if (format.kind != Json::Kind::kObject) {
    return Status(Code::kInvalidArgument, pointer + " must be a format, {\"type\": ...}");
  }
  const JsonFields fields(format, pointer);
  ESP_ASSIGN_OR_RETURN(const std::string type, fields.String("type"));
  for (const Row& row : kFormats) {
    if (row.type == type) return (this->*row.read)(fields, ends);
  }
  std::string names;
  for (const Row& row : kFormats) names += (names.empty() ? "" : ", ") + std::string(row.type);
  return fields.Error("type", "is " + QuotedText(type) + "; supported are " + names,
                      Code::kUnsupported);
}

Result<ExprId> FormatReader::ReadNested(const JsonFields& fields, std::string_view name,
                                        const Ends& ends) {
  ESP_ASSIGN_OR_RETURN(const Json* inner, fields.Member(name, Json::Kind::kObject));
  return Read(*inner, fields.PointerTo(name), ends);
}

ExprId FormatReader::Before(ExprId expr, const Ends& ends) {
  if (ends.empty()) return expr;
  const ExprId parts[] = {expr, rules_.Regex(token_text_.Literals(ends), ends.front().size())};
  return rules_.Sequence(parts);
}

// Text up to one of `ends`, or up to the end of the output where there are none.
ExprId FormatReader::Free(Filling filling, const FreeText::Literals& literals, const Ends& ends) {
  FreeText free(token_text_, filling, literals);
  if (ends.empty()) return rules_.Regex(free.Open(), 1);
  std::vector<RegexId> regexes;
  for (const std::string& end : ends) regexes.push_back(free.Until(end));
  return rules_.Regex(set_.Or(regexes), 1);
}

Result<ExprId> FormatReader::ReadConstString(const JsonFields& fields, const Ends& ends) {
  ESP_RETURN_IF_ERROR(fields.CheckNames({"type", "value"}));
  ESP_ASSIGN_OR_RETURN(const std::string value, fields.String("value"));
  return Before(Literal(value), ends);
}

Result<ExprId> FormatReader::AddSchema(const Json& schema, PropertyOrder order,
                                       const std::string& pointer) {
  auto section = sources_.schema_section(JsonText(schema), order);
  if (!section.ok()) return AtPointer(pointer, section.status());
  sections_.push_back(std::move(section).value());
  return rules_.Network(static_cast<std::uint32_t>(sections_.size() - 1));
}

Result<ExprId> FormatReader::ReadSchema(const JsonFields& fields, const Ends& ends) {
  ESP_RETURN_IF_ERROR(fields.CheckNames({"type", "json_schema", "style", "any_order"}));
  const Json* schema = fields.object().Find("json_schema");
  if (schema == nullptr) return fields.Error("json_schema", "is missing");
  if (const Json* style = fields.object().Find("style"); style != nullptr) {
    if (style->string != "json") {
      return fields.Error("style", "must be \"json\"; others are not supported",
                          Code::kUnsupported);
    }
  }
  ESP_ASSIGN_OR_RETURN(const auto any_order, fields.Flag("any_order"));
  const PropertyOrder order =
      any_order.value_or(false) ? PropertyOrder::kAny : PropertyOrder::kSchema;
  ESP_ASSIGN_OR_RETURN(const ExprId section,
                       AddSchema(*schema, order, fields.PointerTo("json_schema")));
  return Before(section, ends);
}

Result<ExprId> FormatReader::ReadRegex(const JsonFields& fields, const Ends& ends) {
  ESP_RETURN_IF_ERROR(fields.CheckNames({"type", "pattern"}));
  ESP_ASSIGN_OR_RETURN(const std::string pattern, fields.String("pattern"));
  const auto regex = CompilePattern(pattern, PatternDialect::kPython, text_);
  if (!regex.ok()) return AtPointer(fields.PointerTo("pattern"), regex.status());
  return Before(rules_.Regex(*regex, pattern.size()), ends);
}

Result<ExprId> FormatReader::ReadGrammar(const JsonFields& fields, const Ends& ends) {
  ESP_RETURN_IF_ERROR(fields.CheckNames({"type", "grammar"}));
  ESP_ASSIGN_OR_RETURN(const std::string text, fields.String("grammar"));
  auto grammar = espalier::ReadGrammar(text, sources_, set_, fuel_);
  if (!grammar.ok()) return AtPointer(fields.PointerTo("grammar"), grammar.status());
  const auto first_network = static_cast<std::uint32_t>(sections_.size());
  const RuleId start = rules_.Import(grammar->rules, grammar->start, first_network);
  for (auto& network : grammar->networks) sections_.push_back(std::move(network));
  return Before(rules_.Reference(start), ends);
}

Result<ExprId> FormatReader::ReadAnyText(const JsonFields& fields, const Ends& ends) {
  ESP_RETURN_IF_ERROR(fields.CheckNames({"type", "excludes"}));
  ESP_ASSIGN_OR_RETURN(const Ends excludes, fields.Strings("excludes"));
  return Free(Filling::kText, {ends, excludes}, ends);
}

Result<ExprId> FormatReader::ReadSequence(const JsonFields& fields, const Ends& ends) {
  ESP_RETURN_IF_ERROR(fields.CheckNames({"type", "elements"}));
  ESP_ASSIGN_OR_RETURN(const Json* elements, fields.Member("elements", Json::Kind::kArray));
  if (elements->elements.empty()) return Before(rules_.Sequence({}), ends);
  std::vector<ExprId> parts;
  for (std::size_t i = 0; i < elements->elements.size(); ++i) {
    const bool is_last = i + 1 == elements->elements.size();
    const std::string pointer = fields.PointerTo("elements") + "/" + std::to_string(i);
    ESP_ASSIGN_OR_RETURN(parts.emplace_back(),
                         Read(elements->elements[i], pointer, is_last ? ends : Ends()));
  }
  return rules_.Sequence(parts);
}

Result<ExprId> FormatReader::ReadOr(const JsonFields& fields, const Ends& ends) {
  ESP_RETURN_IF_ERROR(fields.CheckNames({"type", "elements"}));
  ESP_ASSIGN_OR_RETURN(const Json* elements, fields.Member("elements", Json::Kind::kArray));
  if (elements->elements.empty()) return fields.Error("elements", "must not be empty");
  std::vector<ExprId> parts;
  for (std::size_t i = 0; i < elements->elements.size(); ++i) {
    const std::string pointer = fields.PointerTo("elements") + "/" + std::to_string(i);
    ESP_ASSIGN_OR_RETURN(parts.emplace_back(), Read(elements->elements[i], pointer, ends));
  }
  return rules_.Choice(parts);
}

Result<ExprId> FormatReader::ReadOptional(const JsonFields& fields, const Ends& ends) {
  ESP_RETURN_IF_ERROR(fields.CheckNames({"type", "content"}));
  ESP_ASSIGN_OR_RETURN(const ExprId content, ReadNested(fields, "content", ends));
  const ExprId parts[] = {content, Before(rules_.Sequence({}), ends)};
  return rules_.Choice(parts);
}

Result<ExprId> FormatReader::ReadStar(const JsonFields& fields, const Ends& ends) {
  ESP_RETURN_IF_ERROR(fields.CheckNames({"type", "content"}));
  ESP_ASSIGN_OR_RETURN(const ExprId content, ReadNested(fields, "content", {}));
  return Before(rules_.Repeat(content, 0, RegexSet::kUnbounded), ends);
}

Result<ExprId> FormatReader::ReadPlus(const JsonFields& fields, const Ends& ends) {
  ESP_RETURN_IF_ERROR(fields.CheckNames({"type", "content"}));
  ESP_ASSIGN_OR_RETURN(const ExprId content, ReadNested(fields, "content", {}));
  return Before(rules_.Repeat(content, 1, RegexSet::kUnbounded), ends);
}

Result<std::uint32_t> FormatReader::ReadCount(const JsonFields& fields, std::string_view name) {
  ESP_ASSIGN_OR_RETURN(const Json* member, fields.Member(name, Json::Kind::kNumber));
  const Decimal& number = member->number;
  if (name == "max" && number == Decimal(-1)) return RegexSet::kUnbounded;
  if (!number.is_integer() || number.negative() || number > Decimal(1'000'000'000)) {
    return fields.Error(name, "must be a whole number from 0 to 1000000000");
  }
  return static_cast<std::uint32_t>(std::stoul(number.ToString()));
}

Result<ExprId> FormatReader::ReadRepeat(const JsonFields& fields, const Ends& ends) {
  ESP_RETURN_IF_ERROR(fields.CheckNames({"type", "content", "min", "max"}));
  ESP_ASSIGN_OR_RETURN(const std::uint32_t min, ReadCount(fields, "min"));
  ESP_ASSIGN_OR_RETURN(const std::uint32_t max, ReadCount(fields, "max"));
  if (min > max) return fields.Error("min", "is more than max");
  ESP_ASSIGN_OR_RETURN(const ExprId content, ReadNested(fields, "content", {}));
  return Before(rules_.Repeat(content, min, max), ends);
}

}  // namespace espalier
