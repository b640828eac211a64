#include "runtime/engine/stop_patterns.h"

#include <fmt/format.h>

#include "kernels/base/check.h"

namespace espalier {
namespace {

RE2::Options RegexOptions() {
  RE2::Options options;
  options.set_log_errors(false);
  // A bound on what one request's patterns may hold; RE2 falls back to its NFA when
  // the DFA outgrows it.
  options.set_max_mem(std::int64_t{1} << 20);
  return options;
}

// `pattern`, matching where it ends at the end of the text.
std::unique_ptr<RE2> AtEnd(std::string_view pattern) {
  return std::make_unique<RE2>(fmt::format("(?:{})\\z", pattern), RegexOptions());
}

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

Status CheckCompiled(const RE2& regex) {
  const bool too_large = regex.error_code() == RE2::ErrorPatternTooLarge;
  if (!regex.ok() && !too_large) {
    return {Code::kInvalidArgument, "not an RE2 pattern: " + regex.error()};
  }
  if (too_large || regex.ProgramSize() > StopPatterns::kMaxInstructions) {
    return {Code::kInvalidArgument,
            fmt::format("\"{}\" is too complex: it may compile to {} instructions; use smaller "
                        "repetitions or classes",
                        regex.pattern(), StopPatterns::kMaxInstructions)};
  }
  return {};
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
  const RE2 regex({pattern.data(), pattern.size()}, RegexOptions());
  ESP_RETURN_IF_ERROR(CheckCompiled(regex));
  if (RE2::FullMatch("", regex)) {
    return {Code::kInvalidArgument,
            fmt::format("\"{}\" matches the empty text, so nothing could be generated", pattern)};
  }
  // An open \Q swallows what is put behind it.
  if (!AtEnd(pattern)->ok()) return {Code::kInvalidArgument, "a pattern must end its quotes (\\E)"};
  return {};
}

StopPatterns::StopPatterns(std::span<const std::string> strings,
                           std::span<const std::string> regexes) {
  for (const std::string& text : strings) strings_.push_back(Build(text));
  for (const std::string& pattern : regexes) {
    regexes_.push_back(AtEnd(pattern));
    ESP_CHECK(regexes_.back()->ok()) << "a pattern that was not checked";
  }
}

}  // namespace espalier
