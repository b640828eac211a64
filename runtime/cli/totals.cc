#include "runtime/cli/totals.h"

#include <algorithm>

#include <fmt/format.h>

namespace espalier {

void Totals::Add(const Usage& usage) {
  Add(CallUsage{.prompt_tokens = usage.prompt_tokens,
                .cached_tokens = usage.cached_tokens,
                .completion_tokens = usage.completion_tokens,
                .forced_tokens = usage.forced_tokens});
}

void Totals::Add(const CallUsage& usage) {
  ++num_done_;
  Count(usage);
}

void Totals::AddFailure(const CallUsage& usage) {
  ++num_failed_;
  Count(usage);
}

void Totals::Count(const CallUsage& usage) {
  prompt_tokens_ += usage.prompt_tokens;
  cached_tokens_ += usage.cached_tokens;
  output_tokens_ += usage.completion_tokens;
  forced_tokens_ += usage.forced_tokens;
}

double Totals::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

double Totals::output_tokens_per_second() const {
  return static_cast<double>(output_tokens_) / std::max(seconds(), 1e-9);
}

std::string Totals::Line() const {
  const double hit_rate = 100.0 * static_cast<double>(cached_tokens_) /
                          static_cast<double>(std::max<std::int64_t>(prompt_tokens_, 1));
  std::string line = fmt::format(
      "{} {}{} in {:.2f} s: {} prompt tokens ({:.1f} % from the cache)", num_done_ + num_failed_,
      what_, num_done_ + num_failed_ == 1 ? "" : "s", seconds(), prompt_tokens_, hit_rate);
  if (output_tokens_ > 0) {
    line += fmt::format(", {} output tokens", output_tokens_);
    if (forced_tokens_ > 0) line += fmt::format(" ({} forced)", forced_tokens_);
    line += fmt::format(", {:.1f} tokens/s", output_tokens_per_second());
  }
  if (num_failed_ > 0) line += fmt::format("; {} failed", num_failed_);
  return line;
}

}  // namespace espalier
