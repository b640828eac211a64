#include "runtime/engine/stop_patterns.h"

#include <fmt/format.h>

#include "kernels/base/check.h"

namespace espalier {
namespace {

StopPatterns::StopString Build(const std::string& text) {
  std::vector<std::uint16_t> fallback(text.size() + 1, 0);
  std::uint16_t length = 0;
  for (std::size_t i = 1; i < text.size(); ++i) {
    while (length > 0 && text[i] != text[length]) length = fallback[length];
    if (text[i] == text[length]) ++length;
    fallback[i + 1] = length;
  }
  return {text, std::move(fallback)};
}

}  // namespace

Status CheckStopString(std::string_view text) {
  if (!text.empty() && text.size() <= StopPatterns::kMaxBytes) return {};
  return {Code::kInvalidArgument, fmt::format("a stop string must have 1 to {} bytes; got {}",
                                              StopPatterns::kMaxBytes, text.size())};
}

Status CheckStopRegex(std::string_view pattern) {
  if (pattern.size() > StopPatterns::kMaxBytes) {
    return {Code::kInvalidArgument, fmt::format("a pattern must have at most {} bytes; got {}",
                                                StopPatterns::kMaxBytes, pattern.size())};
  }
  return StopRegex::Compile(pattern).status();
}

StopPatterns::StopPatterns(std::span<const std::string> strings,
                           std::span<const std::string> regexes) {
  for (const std::string& text : strings) strings_.push_back(Build(text));
  for (const std::string& pattern : regexes) {
    auto compiled = StopRegex::Compile(pattern);
    ESP_CHECK(compiled.ok()) << "a pattern that was not checked";
    regexes_.push_back(*std::move(compiled));
  }
}

}  // namespace espalier
