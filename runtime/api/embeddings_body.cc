#include "runtime/api/embeddings_body.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "runtime/api/json_fields.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxInputs = 2048;
constexpr std::int64_t kMaxDimensions = std::int64_t{1} << 20;

Status Unsupported(std::string_view what) {
  return {Code::kUnsupported, fmt::format("{} is not supported", what)};
}

// A string, a list of token ids, or a list of either.
Status ReadInput(const Json& value, EmbeddingsBody& to) {
  const bool many =
      value.is_array() && !value.empty() && (value.front().is_string() || value.front().is_array());
  if (!many && !value.is_string() && !value.is_array()) {
    return Invalid("input must be a string, a list of token ids, or a list of such");
  }
  const Json inputs = many ? value : Json::array({value});
  if (inputs.size() > kMaxInputs) {
    return Invalid(fmt::format("input must be a list of at most {} texts", kMaxInputs));
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string place = many ? fmt::format("input[{}]", i) : "input";
    if (!inputs[i].is_string() && !inputs[i].is_array()) {
      return Invalid(place + " must be a string or a list of token ids");
    }
    if (inputs[i].empty() || inputs[i] == "") return Invalid(place + " must not be empty");
    to.lines.push_back({{inputs[i].is_array() ? "ids" : "prompt", inputs[i]}});
  }
  return Status();
}

Status ReadModel(const Json& value, EmbeddingsBody& to) {
  return ReadText("model", value, to.model);
}
Status ReadRequestId(const Json& value, EmbeddingsBody& to) {
  return ReadText("request_id", value, to.request_id);
}

Status ReadTimeout(const Json& value, EmbeddingsBody& to) {
  return ReadSeconds("timeout", value, to.timeout_s);
}

Status ReadEncoding(const Json& value, EmbeddingsBody& to) {
  if (value != "float" && value != "base64") {
    return Invalid("encoding_format must be float or base64");
  }
  to.encoding =
      value == "float" ? EmbeddingsBody::Encoding::kFloat : EmbeddingsBody::Encoding::kBase64;
  return Status();
}

Status ReadDimensions(const Json& value, EmbeddingsBody& to) {
  const bool whole = value.is_number_integer();
  if (!whole || value.get<std::int64_t>() < 1 || value.get<std::int64_t>() > kMaxDimensions) {
    return Invalid("dimensions must be a number from 1 on");
  }
  to.dimensions = value.get<std::int64_t>();
  return Status();
}

Status OnlyNone(std::string_view name) { return Unsupported(name); }

// A row has a reader, or refuses whatever is given, or passes it over.
struct Field {
  std::string_view name;
  Status (*read)(const Json& value, EmbeddingsBody& to) = nullptr;
  Status (*refuse)(std::string_view name) = nullptr;
};
constexpr auto kFields = std::to_array<Field>({
    {.name = "input", .read = ReadInput},
    {.name = "model", .read = ReadModel},
    {.name = "encoding_format", .read = ReadEncoding},
    {.name = "dimensions", .read = ReadDimensions},
    {.name = "rid", .read = ReadRequestId},
    {.name = "request_id", .read = ReadRequestId},
    {.name = "timeout", .read = ReadTimeout},
    {.name = "truncate_prompt_tokens", .refuse = OnlyNone},
    {.name = "image", .refuse = OnlyNone},
    {.name = "user"},
});
// Keys of a native line that every input gets.
constexpr std::string_view kShared[] = {"cache_salt", "priority", "retention_s"};

Status ReadField(const std::string& name, const Json& value, Json& shared, EmbeddingsBody& to) {
  if (value.is_null()) return Status();
  const auto* field =
      std::find_if(kFields.begin(), kFields.end(), [&](const Field& f) { return f.name == name; });
  if (field != kFields.end()) {
    if (field->read != nullptr) return field->read(value, to);
    return field->refuse != nullptr ? field->refuse(name) : Status();
  }
  if (std::find(std::begin(kShared), std::end(kShared), name) != std::end(kShared)) {
    shared[name] = value;
  } else {
    to.unknown.push_back(name);
  }
  return Status();
}

}  // namespace

Result<EmbeddingsBody> ReadEmbeddingsBody(const Json& body) {
  EmbeddingsBody result;
  Json shared = {{"max_new_tokens", 0}};
  for (const auto& [name, value] : body.items()) {
    ESP_RETURN_IF_ERROR(ReadField(name, value, shared, result));
  }
  if (result.lines.empty()) return Invalid("input must be given");
  for (Json& line : result.lines) line.update(shared);
  return result;
}

}  // namespace espalier
