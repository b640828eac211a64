#include "runtime/api/sglang_body.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "runtime/api/aliases.h"
#include "runtime/api/json_fields.h"
#include "runtime/api/put_field.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxItems = 4096;
constexpr std::int64_t kMaxPriority = 1'000'000;

bool IsUnset(const Json& value) {
  return value.is_null() || (value.is_array() && value.size() == 1 && value.front().is_null());
}

// Null where it is absent or unset.
const Json& At(const Json& object, std::string_view name) {
  static const Json kNull;
  const auto found = object.find(name);
  return found == object.end() || IsUnset(*found) ? kNull : *found;
}

// What must have this value, or be unset: we have no other.
struct Only {
  std::string_view name;
  bool may_be_true = false, may_be_false = true;
};
constexpr std::array<Only, 14> kOnly = {{
    {"input_embeds"},
    {"image_data"},
    {"video_data"},
    {"audio_data"},
    {"session_params"},
    {"lora_path"},
    {"custom_logit_processor"},
    {"return_hidden_states"},
    {"token_ids_logprob"},
    {"no_stop_trim"},
    {"require_reasoning"},
    {"modalities"},
    {"background"},
    {"custom_params"},
}};

Status CheckSupported(const Json& object) {
  for (const Only& only : kOnly) {
    const Json& value = At(object, only.name);
    if (value.is_null() || (value.is_structured() && value.empty())) continue;
    if (value.is_boolean() && (value.get<bool>() ? only.may_be_true : only.may_be_false)) continue;
    return {Code::kUnsupported, fmt::format("{} is not supported", only.name)};
  }
  return Status();
}

Result<bool> Flag(const Json& body, std::string_view name) {
  const Json& value = At(body, name);
  if (value.is_null()) return false;
  if (value.is_array() && !value.empty() && value.front().is_boolean()) {
    return std::any_of(value.begin(), value.end(), [](const Json& v) { return v == true; });
  }
  if (!value.is_boolean()) return Invalid(fmt::format("{} must be true or false", name));
  return value.get<bool>();
}

// The value of item `index` where a field may be one for all or a list of one each.
Result<Json> ItemOf(const Json& body, std::string_view name, std::size_t index, std::size_t size) {
  const Json& value = At(body, name);
  if (!value.is_array()) return value;
  if (value.size() != size) {
    return Invalid(fmt::format("{} must be one value or a list of {}", name, size));
  }
  return value[index];
}

// Keys of a native line that are no sampling options.
constexpr std::string_view kNotSampling[] = {"prompt",     "ids",      "messages",
                                             "cache_salt", "priority", "retention_s"};
constexpr std::string_view kNoEffect[] = {"spaces_between_special_tokens", "no_stop_trim",
                                          "custom_params", "stream_interval"};

Status AddSampling(const Json& params, Json& line) {
  if (params.is_null()) return Status();
  if (!params.is_object()) return Invalid("sampling_params must be an object");
  ESP_RETURN_IF_ERROR(CheckSupported(params));
  FieldNames names;
  for (const auto& [name, value] : params.items()) {
    if (std::find(std::begin(kNoEffect), std::end(kNoEffect), name) != std::end(kNoEffect)) {
      continue;
    }
    const std::string key(NativeKey(name));
    if (std::find(std::begin(kNotSampling), std::end(kNotSampling), key) !=
        std::end(kNotSampling)) {
      return Invalid(fmt::format("sampling_params.{} is not a sampling option", name));
    }
    if (IsUnset(value)) continue;
    ESP_RETURN_IF_ERROR(PutField(line, names, key, name, value));
  }
  // Unset, against absent, means up to the end of the context.
  if (params.contains("max_new_tokens") && !line.contains("max_new_tokens")) {
    line["max_new_tokens"] = std::numeric_limits<std::int32_t>::max();
  }
  return Status();
}

Status AddLogprobs(const Json& body, std::size_t index, std::size_t size, Json& line) {
  ESP_ASSIGN_OR_RETURN(const bool wanted, Flag(body, "return_logprob"));
  if (!wanted) return Status();
  line["return_logprob"] = true;
  ESP_ASSIGN_OR_RETURN(const Json start, ItemOf(body, "logprob_start_len", index, size));
  ESP_ASSIGN_OR_RETURN(const Json top, ItemOf(body, "top_logprobs_num", index, size));
  if (!top.is_null()) line["top_logprobs_num"] = top;
  if (!start.is_null()) {
    line["logprob_start_len"] = start;
  } else if (line.value("max_new_tokens", Json()) == 0) {
    // A client that generates nothing wants those of its prompt.
    line["logprob_start_len"] = 0;
  }
  return Status();
}

// The prompts, and whether they came as a list.
struct Prompts {
  std::string_view key;  // of a native line
  Json list;
  bool is_list = false;
};

Result<Prompts> ReadPrompts(const Json& body) {
  const Json& text = At(body, "text");
  const Json& ids = At(body, "input_ids");
  if (text.is_null() == ids.is_null()) {
    return Invalid("text must be given, or input_ids, and not both");
  }
  const Json& prompt = text.is_null() ? ids : text;
  const bool is_list = text.is_null() ? !ids.empty() && ids.front().is_array() : text.is_array();
  Prompts prompts{text.is_null() ? "ids" : "prompt", is_list ? prompt : Json::array({prompt}),
                  is_list};
  const std::string_view name = text.is_null() ? "input_ids" : "text";
  if (prompts.list.empty() || prompts.list.size() > kMaxItems) {
    return Invalid(fmt::format("{} must hold 1 to {} prompts", name, kMaxItems));
  }
  for (const Json& one : prompts.list) {
    if (text.is_null() ? one.is_array() && !one.empty() : one.is_string()) continue;
    return Invalid(fmt::format("{} must be {} or a list of such", name,
                               text.is_null() ? "a list of token ids" : "a string"));
  }
  return prompts;
}

// A text that names a batch names its items by number.
Status ReadRids(const Json& body, SglangBody& to) {
  const Json& rid = At(body, "rid");
  if (rid.is_null()) return Status();
  std::set<std::string> seen;
  for (std::size_t i = 0; i < to.items.size(); ++i) {
    ESP_ASSIGN_OR_RETURN(const Json one, ItemOf(body, "rid", i, to.items.size()));
    if (!one.is_string()) return Invalid("rid must be a string or a list of strings");
    const bool shared = rid.is_string() && to.items.size() > 1;
    to.items[i].rid = one.get<std::string>() + (shared ? fmt::format("_{}", i) : "");
    if (!seen.insert(to.items[i].rid).second) return Invalid("rid must not name two requests");
  }
  return Status();
}

// SGLang's higher priorities go first, ours last.
Status AddPriority(const Json& body, std::size_t index, std::size_t size, Json& line) {
  ESP_ASSIGN_OR_RETURN(const Json priority, ItemOf(body, "priority", index, size));
  if (priority.is_null()) return Status();
  const bool whole = priority.is_number_integer();
  const std::int64_t number = whole ? priority.get<std::int64_t>() : 0;
  if (!whole || number < -kMaxPriority || number > kMaxPriority) {
    return Invalid(fmt::format("priority must be a whole number of at most {}", kMaxPriority));
  }
  line["priority"] = -number;
  return Status();
}

Result<Json> ItemLine(const Json& body, const Prompts& prompts, std::size_t index) {
  const std::size_t size = prompts.list.size();
  Json line = {{std::string(prompts.key), prompts.list[index]}};
  ESP_ASSIGN_OR_RETURN(const Json params, ItemOf(body, "sampling_params", index, size));
  ESP_RETURN_IF_ERROR(AddSampling(params, line));
  ESP_RETURN_IF_ERROR(AddLogprobs(body, index, size, line));
  FieldNames names;
  for (const std::string_view name : {"cache_salt", "extra_key"}) {
    ESP_ASSIGN_OR_RETURN(const Json salt, ItemOf(body, name, index, size));
    if (!salt.is_null()) ESP_RETURN_IF_ERROR(PutField(line, names, "cache_salt", name, salt));
  }
  ESP_RETURN_IF_ERROR(AddPriority(body, index, size, line));
  ESP_ASSIGN_OR_RETURN(const Json retention, ItemOf(body, "retention_s", index, size));
  if (!retention.is_null()) line["retention_s"] = retention;
  return line;
}

// Beside those that must have one value.
bool IsKnown(std::string_view name) {
  constexpr std::string_view kRead[] = {
      "text", "timeout", "priority", "retention_s", "input_ids", "sampling_params", "rid",
      "return_logprob", "stream", "logprob_start_len", "top_logprobs_num", "cache_salt",
      "extra_key", "return_text_in_logprobs",
      // What only concerns how SGLang's own servers pass a request on, and its log.
      "routing_key", "no_logs", "log_metrics", "data_parallel_rank", "bootstrap_host",
      "bootstrap_port", "bootstrap_room", "return_bytes", "http_worker_ipc"};
  const auto is_only = [name](const Only& only) { return only.name == name; };
  return std::find(std::begin(kRead), std::end(kRead), name) != std::end(kRead) ||
         std::any_of(kOnly.begin(), kOnly.end(), is_only);
}

}  // namespace

Result<SglangBody> ReadSglangBody(const Json& body) {
  if (!body.is_object()) return Invalid("the body must be a JSON object");
  SglangBody result;
  for (const auto& [name, value] : body.items()) {
    if (!value.is_null() && !IsKnown(name)) result.unknown.push_back(name);
  }
  ESP_RETURN_IF_ERROR(CheckSupported(body));
  ESP_ASSIGN_OR_RETURN(const Prompts prompts, ReadPrompts(body));
  result.is_list = prompts.is_list;
  if (const Json& timeout = At(body, "timeout"); !timeout.is_null()) {
    ESP_RETURN_IF_ERROR(ReadSeconds("timeout", timeout, result.timeout_s));
  }
  ESP_ASSIGN_OR_RETURN(result.stream, Flag(body, "stream"));
  ESP_ASSIGN_OR_RETURN(result.return_logprob, Flag(body, "return_logprob"));
  ESP_ASSIGN_OR_RETURN(result.text_in_logprobs, Flag(body, "return_text_in_logprobs"));
  for (std::size_t i = 0; i < prompts.list.size(); ++i) {
    ESP_ASSIGN_OR_RETURN(Json line, ItemLine(body, prompts, i));
    result.items.push_back({std::move(line), ""});
  }
  ESP_RETURN_IF_ERROR(ReadRids(body, result));
  return result;
}

}  // namespace espalier
