// StopPatterns: the stop strings and stop regexes of one request, compiled once and
// shared by its choices.
//
// Thread safety: strings(): thread-safe. regexes(): as StopRegex.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/status.h"
#include "runtime/engine/stop_regex.h"

namespace espalier {

// kInvalidArgument if `text` cannot be a stop string (1 to 1024 bytes).
Status CheckStopString(std::string_view text);

// kInvalidArgument if `pattern` is longer than 1024 bytes; other errors are those of
// StopRegex::Compile.
Status CheckStopRegex(std::string_view pattern);

class StopPatterns {
 public:
  static constexpr std::size_t kMaxStrings = 64;
  static constexpr std::size_t kMaxRegexes = 8;
  static constexpr std::size_t kMaxBytes = 1024;  // of one of them

  // A stop string and its failure function: fallback[i] is the length of the longest
  // proper suffix of text[0, i) that begins text.
  // Source: Knuth, Morris, Pratt, "Fast pattern matching in strings" (1977).
  struct StopString {
    std::string text;
    std::vector<std::uint16_t> fallback;  // [text.size() + 1]
  };

  // REQUIRES: CheckStopString and CheckStopRegex pass for each.
  StopPatterns(std::span<const std::string> strings, std::span<const std::string> regexes);

  std::span<const StopString> strings() const { return strings_; }
  std::span<const std::unique_ptr<StopRegex>> regexes() const { return regexes_; }

 private:
  std::vector<StopString> strings_;
  std::vector<std::unique_ptr<StopRegex>> regexes_;
};

}  // namespace espalier
