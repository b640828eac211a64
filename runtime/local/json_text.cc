#include "runtime/local/json_text.h"

#include <string>

#include <fmt/format.h>

namespace espalier {
namespace {

constexpr int kMaxDepth = 100;

using Json = nlohmann::ordered_json;

// "[json.exception.parse_error.101] parse error at line 1, column 5: syntax error ..."
std::string Reason(const Json::exception& error) {
  const std::string text = error.what();
  const std::size_t end = text.find("] ");
  return end == std::string::npos ? text : text.substr(end + 2);
}

}  // namespace

Result<nlohmann::ordered_json> ParseJson(std::string_view text) {
  bool too_deep = false;
  const auto within = [&too_deep](int depth, Json::parse_event_t /*event*/, Json& /*value*/) {
    too_deep |= depth > kMaxDepth;
    return depth <= kMaxDepth;  // what is deeper is dropped as it comes
  };
  try {
    Json value = Json::parse(text, within);
    if (!too_deep) return value;
  } catch (const Json::exception& error) {
    return Status(Code::kInvalidArgument, "not JSON: " + Reason(error));
  }
  return Status(Code::kInvalidArgument, fmt::format("JSON nested deeper than {}", kMaxDepth));
}

}  // namespace espalier
