#include "runtime/local/json_text.h"

#include <string>

#include <fmt/format.h>

namespace espalier {
namespace {

constexpr int kMaxDepth = 100;

using Json = nlohmann::ordered_json;

// "[json.exception.parse_error.101] parse error at line 1, column 5: syntax error ..." without
// its head, and without the line where there is only one.
std::string Reason(const Json::exception& error, std::string_view text) {
  constexpr std::string_view kOnlyLine = "parse error at line 1, ";
  std::string reason = error.what();
  if (const std::size_t head = reason.find("] "); head != std::string::npos) {
    reason.erase(0, head + 2);
  }
  const bool has_lines = text.find('\n') != std::string_view::npos;
  if (!has_lines && reason.starts_with(kOnlyLine)) reason.erase(0, kOnlyLine.size());
  return reason;
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
    return Status(Code::kInvalidArgument, "not JSON: " + Reason(error, text));
  }
  return Status(Code::kInvalidArgument, fmt::format("JSON nested deeper than {}", kMaxDepth));
}

}  // namespace espalier
