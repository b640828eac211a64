#include "runtime/api/request_line.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "runtime/api/aliases.h"
#include "runtime/api/constraint_options.h"
#include "runtime/api/did_you_mean.h"
#include "runtime/api/json_fields.h"
#include "runtime/local/prompt.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;
using program::ChoicesMethod;

constexpr std::size_t kMaxChoices = 1024;

// A line on its way; `parse` of a key's row writes into it.
struct Draft {
  const LineDefaults& defaults;
  std::string prompt;  // where the line gives text or messages
  std::vector<TokenId> ids;
  ConstraintSpec constraint;
  std::optional<ChoicesMethod> method;
  std::string cache_salt;
  std::int32_t priority = 0;
  std::optional<double> retention_s;
  int num_prompts = 0;
  int num_constraints = 0;
  bool has_choices = false;
};

Result<std::string> Text(const Json& value, std::string_view key) {
  if (!value.is_string()) return Invalid(fmt::format("{} must be a string", key));
  return value.get<std::string>();
}

Status ParsePrompt(const Json& value, Draft& draft) {
  ++draft.num_prompts;
  ESP_ASSIGN_OR_RETURN(draft.prompt, Text(value, "prompt"));
  return Status();
}

Status ParseIds(const Json& value, Draft& draft) {
  ++draft.num_prompts;
  if (!value.is_array()) return Invalid("ids must be a list of token ids");
  const std::int64_t most = draft.defaults.context_length;
  if (most > 0 && static_cast<std::int64_t>(value.size()) > most) {
    return Status(Code::kLimit,
                  fmt::format("ids has {} tokens; the context holds {}", value.size(), most));
  }
  const auto vocab_size = static_cast<std::int64_t>(draft.defaults.tokenizer->vocab_size());
  for (std::size_t i = 0; i < value.size(); ++i) {
    const Json& id = value[i];
    const bool whole = id.is_number_integer();
    if (!whole || id.get<std::int64_t>() < 0 || id.get<std::int64_t>() >= vocab_size) {
      return Invalid(fmt::format("ids[{}] must be a token id from 0 to {}", i, vocab_size - 1));
    }
    draft.ids.push_back(id.get<TokenId>());
  }
  return Status();
}

Status ParseMessages(const Json& value, Draft& draft) {
  ++draft.num_prompts;
  ESP_ASSIGN_OR_RETURN(draft.prompt, draft.defaults.chat->Render(value, ChatPrompt::End::kOpen));
  return Status();
}

Status SetConstraint(ConstraintKind kind, std::string text, Draft& draft) {
  ++draft.num_constraints;
  draft.constraint.kind = kind;
  draft.constraint.text = std::move(text);
  draft.constraint.choices.clear();
  return Status();
}

Status ParseRegex(const Json& value, Draft& draft) {
  ESP_ASSIGN_OR_RETURN(std::string text, Text(value, "regex"));
  return SetConstraint(ConstraintKind::kRegex, std::move(text), draft);
}

Status ParseJsonSchema(const Json& value, Draft& draft) {
  const bool is_schema = value.is_object() || value.is_boolean();
  if (!is_schema && !value.is_string()) {
    return Invalid("json_schema must be a schema or a string that holds one");
  }
  return SetConstraint(ConstraintKind::kJsonSchema,
                       is_schema ? value.dump() : value.get<std::string>(), draft);
}

Status ParseStructuralTag(const Json& value, Draft& draft) {
  if (!value.is_object() && !value.is_string()) {
    return Invalid("structural_tag must be an object or a string that holds one");
  }
  return SetConstraint(ConstraintKind::kStructuralTag,
                       value.is_object() ? value.dump() : value.get<std::string>(), draft);
}

Status ParseEbnf(const Json& value, Draft& draft) {
  ESP_ASSIGN_OR_RETURN(std::string text, Text(value, "ebnf"));
  return SetConstraint(ConstraintKind::kEbnf, std::move(text), draft);
}

Status ParseChoices(const Json& value, Draft& draft) {
  ++draft.num_constraints;
  draft.has_choices = true;
  if (!value.is_array() || value.empty() || value.size() > kMaxChoices) {
    return Invalid(fmt::format("choices must be a list of 1 to {} strings", kMaxChoices));
  }
  draft.constraint.kind = ConstraintKind::kChoice;
  draft.constraint.choices.clear();
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (!value[i].is_string() || value[i].get_ref<const std::string&>().empty()) {
      return Invalid(fmt::format("choices[{}] must be a string that is not empty", i));
    }
    draft.constraint.choices.push_back(value[i].get<std::string>());
  }
  return Status();
}

Status ParseWhitespace(const Json& value, Draft& draft) {
  ESP_ASSIGN_OR_RETURN(const std::string name, Text(value, "json_whitespace"));
  return SetJsonWhitespace(name, draft.constraint);
}

Status ParseOrder(const Json& value, Draft& draft) {
  ESP_ASSIGN_OR_RETURN(const std::string name, Text(value, "property_order"));
  return SetPropertyOrder(name, draft.constraint);
}

Status ParseFormats(const Json& value, Draft& draft) {
  ESP_ASSIGN_OR_RETURN(const std::string name, Text(value, "json_formats"));
  return SetFormatUse(name, draft.constraint);
}

Status ParseForms(const Json& value, Draft& draft) {
  ESP_ASSIGN_OR_RETURN(const std::string name, Text(value, "json_forms"));
  return SetJsonForms(name, draft.constraint);
}

Status ParseMethod(const Json& value, Draft& draft) {
  ESP_ASSIGN_OR_RETURN(const std::string name, Text(value, "choices_method"));
  for (const ChoicesMethod method :
       {ChoicesMethod::kTokenLengthNormalized, ChoicesMethod::kGreedyTokenSelection,
        ChoicesMethod::kUnconditional}) {
    if (name == program::MethodName(method)) draft.method = method;
  }
  if (draft.method) return Status();
  return Invalid(
      fmt::format("choices_method '{}' is not token_length_normalized, "
                  "greedy_token_selection or unconditional_likelihood_normalized",
                  name));
}

Status ParseSalt(const Json& value, Draft& draft) {
  ESP_ASSIGN_OR_RETURN(draft.cache_salt, Text(value, "cache_salt"));
  return Status();
}

Status ParsePriority(const Json& value, Draft& draft) {
  constexpr std::int64_t kMost = 1'000'000;
  const bool whole = value.is_number_integer();
  if (!whole || value.get<std::int64_t>() < -kMost || value.get<std::int64_t>() > kMost) {
    return Invalid("priority must be a whole number between plus and minus a million");
  }
  draft.priority = value.get<std::int32_t>();
  return Status();
}

// Its range is judged with the request's.
Status ParseRetention(const Json& value, Draft& draft) {
  if (!value.is_number()) return Invalid("retention_s must be a number of seconds");
  draft.retention_s = value.get<double>();
  return Status();
}

struct Key {
  std::string_view name;
  Status (*parse)(const Json& value, Draft& draft);
};
constexpr std::array<Key, 16> kKeys = {{
    {"prompt", ParsePrompt},
    {"ids", ParseIds},
    {"messages", ParseMessages},
    {"regex", ParseRegex},
    {"json_schema", ParseJsonSchema},
    {"ebnf", ParseEbnf},
    {"structural_tag", ParseStructuralTag},
    {"choices", ParseChoices},
    {"json_whitespace", ParseWhitespace},
    {"property_order", ParseOrder},
    {"json_formats", ParseFormats},
    {"json_forms", ParseForms},
    {"choices_method", ParseMethod},
    {"cache_salt", ParseSalt},
    {"priority", ParsePriority},
    {"retention_s", ParseRetention},
}};

Status UnknownKey(std::string_view name) {
  if (const std::string_view ours = NativeKey(name); ours != name) {
    return Invalid(fmt::format("unknown key '{}'; did you mean '{}'?", name, ours));
  }
  std::vector<std::string_view> known = {"max_tokens"};
  for (const Key& key : kKeys) known.push_back(key.name);
  for (const SamplingOption& option : SamplingOptions()) known.push_back(option.name);
  return Invalid(fmt::format("unknown key '{}'{}", name, DidYouMean(name, known)));
}

Status ParseKey(std::string_view name, const Json& value, SamplingParams& sampling, Draft& draft) {
  if (name == "max_tokens") name = NativeKey(name);
  const SamplingOption* const option = FindSamplingOption(name);
  const auto* const key =
      std::find_if(kKeys.begin(), kKeys.end(), [&](const Key& k) { return k.name == name; });
  if (option == nullptr && key == kKeys.end()) return UnknownKey(name);
  if (value.is_null()) return Status();  // as if it were not there
  if (option != nullptr) return option->parse(nlohmann::json(value), sampling);
  return key->parse(value, draft);
}

Status CheckDraft(const Draft& draft) {
  if (draft.num_prompts != 1) return Invalid("a request has one of prompt, ids and messages");
  if (draft.num_constraints > 1) {
    return Invalid(
        "a request has at most one of regex, json_schema, ebnf, structural_tag and choices");
  }
  if (draft.method && draft.constraint.kind != ConstraintKind::kChoice) {
    return Invalid("choices_method needs choices");
  }
  if (draft.method && !draft.ids.empty()) {
    return Invalid("choices_method needs prompt or messages: choices follow a text");
  }
  if (draft.prompt.empty() && draft.ids.empty()) return Invalid("the prompt is empty");
  return CheckPromptBytes(draft.prompt.size(), draft.defaults);
}

// The choices, to be scored behind the text of the prompt.
ScoreRequest ToScoreRequest(const Draft& draft) {
  ScoreRequest score;
  score.prompt = draft.ids.empty()
                     ? draft.prompt
                     : draft.defaults.tokenizer->Decode(draft.ids, SpecialTokens::kParse);
  score.choices = draft.constraint.choices;
  // A constrained output follows the prompt's own tokens.
  score.boundary = draft.method ? Boundary::kMayMerge : Boundary::kStays;
  score.unconditional = draft.method == ChoicesMethod::kUnconditional;
  score.cache_salt = draft.cache_salt;
  score.priority = draft.priority;
  score.retention_s = draft.retention_s;
  return score;
}

}  // namespace

std::size_t LongestTokenBytes(const Vocabulary& vocabulary) {
  std::size_t longest = 0;
  for (std::size_t i = 0; i < vocabulary.size(); ++i) {
    longest = std::max(longest, vocabulary.bytes(static_cast<TokenId>(i)).size());
  }
  return longest;
}

Status CheckPromptBytes(std::size_t num_bytes, const LineDefaults& defaults) {
  constexpr std::size_t kShrinks = 4;  // at most, when a text is normalized
  const std::size_t most_bytes = defaults.longest_token_bytes * kShrinks;
  if (defaults.context_length <= 0 || most_bytes == 0) return Status();
  const auto least_tokens = static_cast<std::int64_t>(num_bytes / most_bytes);
  if (least_tokens <= defaults.context_length) return Status();
  return Status(Code::kLimit, fmt::format("the prompt has at least {} tokens; the context holds {}",
                                          least_tokens, defaults.context_length));
}

Result<LineRequest> ParseRequestLine(const Json& line, const LineDefaults& defaults,
                                     std::uint64_t seed) {
  if (!line.is_object()) return Invalid("a request is a JSON object");
  Draft draft{.defaults = defaults, .constraint = defaults.constraint};
  LineRequest request;
  GenerateRequest generate;
  generate.sampling = defaults.sampling;
  const auto given = [&line](const char* name) { return !line.value(name, Json()).is_null(); };
  if (given("max_tokens") && given("max_new_tokens")) {
    return Invalid("max_tokens and max_new_tokens are one option; give one of them");
  }
  for (const auto& [name, value] : line.items()) {
    ESP_RETURN_IF_ERROR(ParseKey(name, value, generate.sampling, draft));
  }
  ESP_RETURN_IF_ERROR(CheckDraft(draft));
  if (draft.has_choices || draft.method) request.score = ToScoreRequest(draft);
  if (draft.method) {
    request.method = *draft.method;
    return request;
  }
  if (!generate.sampling.seed) generate.sampling.seed = seed;
  generate.cache_salt = std::move(draft.cache_salt);
  generate.priority = draft.priority;
  generate.retention_s = draft.retention_s;
  generate.constraint = std::move(draft.constraint);
  generate.prompt =
      draft.ids.empty() ? EncodePrompt(*defaults.tokenizer, draft.prompt) : std::move(draft.ids);
  request.generate = std::move(generate);
  return request;
}

}  // namespace espalier
