#include "grammar/tags/structural_tags.h"

#include <string>
#include <utility>

#include "grammar/ebnf/rules.h"
#include "grammar/schema/json.h"
#include "grammar/tags/format_reader.h"
#include "grammar/tags/json_fields.h"
#include "kernels/base/utf8.h"

namespace espalier {
namespace {

constexpr std::size_t kMaxDepth = 512;

Result<Json> ParseTags(std::string_view text) {
  if (const std::size_t valid = ValidUtf8Prefix(text); valid < text.size()) {
    return Status(Code::kInvalidArgument,
                  "the structural tag is not valid UTF-8 at byte " + std::to_string(valid));
  }
  ESP_ASSIGN_OR_RETURN(Json json, ParseJson(text, kMaxDepth));
  if (json.kind != Json::Kind::kObject) {
    return Status(Code::kInvalidArgument, "a structural tag is a JSON object");
  }
  return json;
}

Result<ExprId> ReadTop(const Json& json, FormatReader& reader) {
  const JsonFields fields(json, "");
  const bool has_structures = json.Find("structures") != nullptr;
  if (!has_structures || json.Find("type") != nullptr) {
    ESP_ASSIGN_OR_RETURN(const std::string type, fields.String("type"));
    if (type != "structural_tag") return fields.Error("type", "must be \"structural_tag\"");
  }
  if (has_structures) return reader.ReadStructures(fields);
  ESP_RETURN_IF_ERROR(fields.CheckNames({"type", "format"}));
  ESP_ASSIGN_OR_RETURN(const Json* format, fields.Member("format", Json::Kind::kObject));
  return reader.Read(*format, "/format");
}

}  // namespace

Result<std::unique_ptr<Network>> MakeTagsNetwork(std::string_view text,
                                                 const GrammarSources& sources, RegexSet& set,
                                                 Fuel& fuel) {
  ESP_ASSIGN_OR_RETURN(const Json json, ParseTags(text));
  FormatReader reader(sources, set, fuel);
  ESP_ASSIGN_OR_RETURN(const ExprId body, ReadTop(json, reader));
  ParsedGrammar grammar;
  grammar.rules = std::move(reader.rules());
  grammar.networks = std::move(reader.sections());
  grammar.start = grammar.rules.Named("%root", 0);
  grammar.rules.rule(grammar.start).body = body;
  return MakeNetworkOf(std::move(grammar), set, fuel);
}

}  // namespace espalier
