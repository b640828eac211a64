// Totals: what a command did, for its last line on stderr.
//
// Thread safety: none on one object.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "frontend_lang/backend.h"
#include "runtime/engine/request.h"

namespace espalier {

class Totals {
 public:
  // `what`: what is counted, in the singular.
  explicit Totals(std::string_view what = "request") : what_(what) {}

  void Add(const Usage& usage);
  void Add(const CallUsage& usage);
  void AddFailure(const CallUsage& usage = {});

  std::int64_t num_done() const { return num_done_; }
  std::int64_t num_failed() const { return num_failed_; }
  std::int64_t num_prompt_tokens() const { return prompt_tokens_; }
  double seconds() const;
  double output_tokens_per_second() const;

  // "3 requests in 1.2 s: 120 prompt tokens (25.0 % from the cache), 90 output tokens,
  // 75 tokens/s"; without its last two parts where no output was asked for.
  std::string Line() const;

 private:
  void Count(const CallUsage& usage);

  std::string_view what_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::int64_t num_done_ = 0, num_failed_ = 0;
  std::int64_t prompt_tokens_ = 0, cached_tokens_ = 0, output_tokens_ = 0, forced_tokens_ = 0;
};

}  // namespace espalier
