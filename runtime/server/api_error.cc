#include "runtime/server/api_error.h"

#include <array>
#include <cctype>

#include <nlohmann/json.hpp>

#include "kernels/base/utf8.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

// What a code is over HTTP. `code` is what OpenAI's clients know it by.
struct Row {
  Code code;
  int http_status;
  std::string_view type, name;
};
constexpr std::array<Row, 8> kRows = {{
    {Code::kInvalidArgument, 400, "invalid_request_error", "invalid_argument"},
    {Code::kNotFound, 404, "invalid_request_error", "not_found"},
    {Code::kUnsupported, 400, "invalid_request_error", "unsupported"},
    {Code::kLimit, 400, "invalid_request_error", "limit"},
    {Code::kOverloaded, 429, "rate_limit_error", "overloaded"},
    {Code::kCancelled, 503, "server_error", "cancelled"},
    {Code::kDataLoss, 500, "server_error", "data_loss"},
    {Code::kInternal, 500, "server_error", "internal"},
}};

const Row& RowOf(Code code) {
  for (const Row& row : kRows) {
    if (row.code == code) return row;
  }
  return kRows.back();
}

constexpr std::string_view kRetryAfterSeconds = "1";

// Cut between characters.
std::string Bounded(std::string_view message) {
  if (message.size() <= kMaxMessageBytes) return std::string(message);
  std::size_t size = kMaxMessageBytes;
  while (size > 0 && IsContinuation(message[size])) --size;
  return std::string(message.substr(0, size)) + "...";
}

bool IsNamePart(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || c == '.' || c == '[' || c == ']';
}

}  // namespace

int HttpStatusOf(Code code) { return RowOf(code).http_status; }

std::string ErrorBody(const Status& status, std::string_view param) {
  const Row& row = RowOf(status.code());
  // OpenAI's own name for the one limit that its clients look for.
  const bool too_long =
      status.code() == Code::kLimit && (status.message().find("context") != std::string::npos ||
                                        status.message().find("KV cache") != std::string::npos);
  const Json body = {
      {"error",
       {{"message", Bounded(status.message())},
        {"type", row.type},
        {"param", param.empty() ? Json(nullptr) : Json(param)},
        {"code", too_long ? std::string_view("context_length_exceeded") : row.name}}}};
  return body.dump(-1, ' ', false, Json::error_handler_t::replace);
}

HttpAnswer ErrorAnswer(const Status& status, std::string_view param) {
  HttpAnswer answer{.status = HttpStatusOf(status.code()), .body = ErrorBody(status, param)};
  if (status.code() == Code::kOverloaded || status.code() == Code::kCancelled) {
    answer.headers.emplace_back("Retry-After", kRetryAfterSeconds);
  }
  return answer;
}

HttpAnswer ErrorAnswer(const Status& status, int http_status) {
  HttpAnswer answer = ErrorAnswer(status);
  answer.status = http_status;
  return answer;
}

std::string ParamOf(std::string_view message) {
  std::size_t size = 0;
  while (size < message.size() && IsNamePart(message[size])) ++size;
  const std::string_view rest = message.substr(size);
  const bool names = rest.starts_with(" must ") || rest.starts_with(" has ") ||
                     rest.starts_with(": ") || rest.starts_with(" is ");
  const std::string_view name = message.substr(0, size);
  const bool is_field = !name.empty() && std::islower(static_cast<unsigned char>(name[0])) != 0;
  return names && is_field && name != "a" && name != "the" ? std::string(name) : "";
}

}  // namespace espalier
