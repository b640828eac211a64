#include "runtime/tokenizer/json_stages.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "kernels/base/utf8.h"

namespace espalier {
namespace {

Status Unsupported(std::string_view stage, std::string_view what) {
  return Status(Code::kUnsupported,
                fmt::format("tokenizer.json: {} \"{}\" is not supported", stage, what));
}

// A stage as the list of its steps: none, one, or those of a Sequence, whose member
// `list_key` holds them.
Result<std::vector<const Json*>> StepsOf(const Json& root, std::string_view stage,
                                         std::string_view list_key) {
  std::vector<const Json*> steps;
  const Json* value = FindMember(root, stage);
  if (value == nullptr) return steps;
  ESP_ASSIGN_OR_RETURN(const std::string type, ReadText(*value, "type"));
  if (type != "Sequence") {
    steps.push_back(value);
    return steps;
  }
  const Json* list = FindMember(*value, list_key);
  if (list == nullptr || !list->is_array()) {
    return Status(Code::kDataLoss,
                  fmt::format("tokenizer.json: {}/{} must be an array", stage, list_key));
  }
  for (const Json& step : *list) steps.push_back(&step);
  return steps;
}

constexpr std::string_view kGpt2Pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
constexpr std::string_view kLlama3Pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kQwen2Pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

// One step in a short form of its own, such as Split(\p{N}); what we know is in it.
Result<std::string> DescribeByteLevel(const Json& step) {
  ESP_ASSIGN_OR_RETURN(const bool prefix, ReadFlag(step, "add_prefix_space", true));
  ESP_ASSIGN_OR_RETURN(const bool regex, ReadFlag(step, "use_regex", true));
  return fmt::format("ByteLevel({}{})", prefix ? "add_prefix_space " : "",
                     regex ? "use_regex" : "");
}

Result<std::string> DescribeSplit(const Json& step) {
  ESP_ASSIGN_OR_RETURN(const std::string behavior, ReadText(step, "behavior"));
  ESP_ASSIGN_OR_RETURN(const bool invert, ReadFlag(step, "invert", false));
  const Json* pattern = FindMember(step, "pattern");
  if (pattern == nullptr) {
    return Status(Code::kDataLoss, "tokenizer.json: a Split pre-tokenizer without a pattern");
  }
  ESP_ASSIGN_OR_RETURN(const std::string regex, ReadText(*pattern, "Regex"));
  return fmt::format("Split({} {}{})", regex, behavior, invert ? " inverted" : "");
}

Result<std::string> DescribeStep(const Json& step) {
  ESP_ASSIGN_OR_RETURN(const std::string type, ReadText(step, "type"));
  if (type == "ByteLevel") return DescribeByteLevel(step);
  if (type == "Split") return DescribeSplit(step);
  if (type == "Digits") {
    ESP_ASSIGN_OR_RETURN(const bool individual, ReadFlag(step, "individual_digits", false));
    return std::string(individual ? "Digits(individual)" : "Digits()");
  }
  return type;
}

struct KnownPretokenizer {
  std::string steps;
  Pretokenizer pretokenizer;
};

std::array<KnownPretokenizer, 7> KnownPretokenizers() {
  const auto split = [](std::string_view pattern) {
    return fmt::format("Split({} Isolated) ByteLevel()", pattern);
  };
  return {{{"ByteLevel(use_regex)", Pretokenizer::kGpt2},
           {"ByteLevel()", Pretokenizer::kWhole},
           {"Digits(individual) ByteLevel(use_regex)", Pretokenizer::kSmollm},
           {split(kGpt2Pattern), Pretokenizer::kGpt2},
           {split(kLlama3Pattern), Pretokenizer::kLlama3},
           {split(kQwen2Pattern), Pretokenizer::kQwen2},
           {"Digits(individual) " + split(kGpt2Pattern), Pretokenizer::kSmollm}}};
}

// The special token of a template's part, or nullopt for the place of the text.
Result<std::optional<std::string>> SpecialOfPart(const Json& part) {
  const Json* special = FindMember(part, "SpecialToken");
  if (special == nullptr) return std::optional<std::string>();
  ESP_ASSIGN_OR_RETURN(std::string name, ReadText(*special, "id"));
  return std::optional<std::string>(std::move(name));
}

// `single`: [special?, the text, special?].
Result<TemplateTokens> ReadSingle(const Json& step) {
  const Json* parts = FindMember(step, "single");
  if (parts == nullptr || !parts->is_array()) {
    return Status(Code::kDataLoss, "tokenizer.json: a TemplateProcessing without \"single\"");
  }
  TemplateTokens tokens;
  bool text_seen = false;
  for (const Json& part : *parts) {
    ESP_ASSIGN_OR_RETURN(std::optional<std::string> name, SpecialOfPart(part));
    std::optional<std::string>& place = text_seen ? tokens.last : tokens.first;
    if (name && place) return Unsupported("post_processor", "TemplateProcessing of many tokens");
    if (name) place = std::move(name);
    if (FindMember(part, "Sequence") != nullptr) text_seen = true;
  }
  return tokens;
}

}  // namespace

const Json* FindMember(const Json& value, std::string_view key) {
  if (!value.is_object()) return nullptr;
  const auto found = value.find(key);
  return found == value.end() || found->is_null() ? nullptr : &*found;
}

Result<bool> ReadFlag(const Json& value, std::string_view key, bool fallback) {
  const Json* member = FindMember(value, key);
  if (member == nullptr) return fallback;
  if (!member->is_boolean()) {
    return Status(Code::kDataLoss, fmt::format("tokenizer.json: {} must be true or false", key));
  }
  return *member->get_ptr<const bool*>();
}

Result<std::string> ReadText(const Json& value, std::string_view key) {
  const Json* member = FindMember(value, key);
  if (member == nullptr) return std::string();
  if (!member->is_string()) {
    return Status(Code::kDataLoss, fmt::format("tokenizer.json: {} must be a string", key));
  }
  return *member->get_ptr<const std::string*>();
}

Result<Normalizer> ReadNormalizer(const Json& root) {
  ESP_ASSIGN_OR_RETURN(const auto steps, StepsOf(root, "normalizer", "normalizers"));
  for (const Json* step : steps) {
    ESP_ASSIGN_OR_RETURN(const std::string type, ReadText(*step, "type"));
    if (type != "NFC") return Unsupported("normalizer", Printable(type));
  }
  return steps.empty() ? Normalizer::kNone : Normalizer::kNfc;
}

Result<Pretokenizer> ReadPretokenizer(const Json& root) {
  ESP_ASSIGN_OR_RETURN(const auto steps, StepsOf(root, "pre_tokenizer", "pretokenizers"));
  std::string described;
  for (const Json* step : steps) {
    ESP_ASSIGN_OR_RETURN(const std::string description, DescribeStep(*step));
    if (!described.empty()) described += ' ';
    described += description;
  }
  for (const KnownPretokenizer& known : KnownPretokenizers()) {
    if (known.steps == described) return known.pretokenizer;
  }
  return Unsupported("pre_tokenizer", Printable(described));
}

Status CheckDecoder(const Json& root) {
  ESP_ASSIGN_OR_RETURN(const auto steps, StepsOf(root, "decoder", "decoders"));
  for (const Json* step : steps) {
    ESP_ASSIGN_OR_RETURN(const std::string type, ReadText(*step, "type"));
    if (type != "ByteLevel") return Unsupported("decoder", Printable(type));
  }
  return Status();
}

Result<TemplateTokens> ReadTemplate(const Json& root) {
  ESP_ASSIGN_OR_RETURN(const auto steps, StepsOf(root, "post_processor", "processors"));
  TemplateTokens tokens;
  for (const Json* step : steps) {
    ESP_ASSIGN_OR_RETURN(const std::string type, ReadText(*step, "type"));
    if (type == "ByteLevel") continue;
    if (type != "TemplateProcessing") return Unsupported("post_processor", Printable(type));
    ESP_ASSIGN_OR_RETURN(tokens, ReadSingle(*step));
  }
  return tokens;
}

}  // namespace espalier
