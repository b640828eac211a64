#include "runtime/engine/stop_regex.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "grammar/regex/pattern.h"
#include "kernels/base/utf8.h"

namespace espalier {

Result<std::unique_ptr<StopRegex>> StopRegex::Compile(std::string_view pattern) {
  std::unique_ptr<StopRegex> regex(new StopRegex);
  TextRegex text(regex->set_, Spelling::kUtf8);
  ESP_ASSIGN_OR_RETURN(regex->at_start_, CompilePattern(pattern, PatternDialect::kPython, text));
  // Flags for the whole pattern come before all else.
  const std::size_t flags =
      pattern.starts_with("(?") ? pattern.find_first_not_of("aiLmsux", 2) : std::string_view::npos;
  const std::size_t body =
      flags != std::string_view::npos && flags > 2 && pattern[flags] == ')' ? flags + 1 : 0;
  const std::string behind =
      fmt::format("{}(?s:.)(?:{})", pattern.substr(0, body), pattern.substr(body));
  ESP_ASSIGN_OR_RETURN(regex->behind_char_, CompilePattern(behind, PatternDialect::kPython, text));
  if (regex->set_.nullable(regex->at_start_)) {
    return Status(
        Code::kInvalidArgument,
        fmt::format("\"{}\" matches the empty text, so nothing could be generated", pattern));
  }
  if (regex->fuel_.exhausted()) {
    return Status(Code::kLimit, fmt::format("\"{}\" is too complex: compiling it takes more than "
                                            "{} steps; use smaller repetitions or classes",
                                            pattern, kCompileSteps));
  }
  regex->fuel_.Refill(kBuildSteps);
  return regex;
}

StopRegexWalk::StopRegexWalk(StopRegex& regex) : regex_(&regex) {
  beginnings_.push_back({regex.at_start_, 0});
}

void StopRegexWalk::Begin(RegexId state, std::uint64_t begin, std::vector<Beginning>& to) {
  if (state == RegexSet::kNothing) return;
  std::vector<std::uint32_t>& last_seen = regex_->last_seen_;
  if (last_seen.size() <= state) last_seen.resize(std::size_t{state} + 1, 0);
  if (std::exchange(last_seen[state], regex_->num_steps_) == regex_->num_steps_) return;
  to.push_back({state, begin});
}

void StopRegexWalk::Step(char byte) {
  StopRegex& regex = *regex_;
  if (!regex.walk_fuel_.Spend(beginnings_.size() + 1)) return;
  ++regex.num_steps_;
  const bool continues = num_missing_ > 0 && IsContinuation(byte);
  const bool is_stray = num_missing_ == 0 && IsContinuation(byte);
  const bool is_cut = num_missing_ > 0 && !IsContinuation(byte);  // the character before
  const auto lead = static_cast<std::uint8_t>(byte);
  num_missing_ = continues ? num_missing_ - 1 : is_stray ? 0 : CodePointBytes(lead) - 1;

  next_.clear();
  for (const Beginning& beginning : beginnings_) {
    Begin(regex.set_.Derive(beginning.state, lead), beginning.begin, next_);
  }
  const std::uint64_t place = num_bytes_++;
  if (is_cut) Begin(regex.set_.Derive(regex.at_start_, lead), place, next_);
  if (is_stray) {
    Begin(regex.at_start_, num_bytes_, next_);
  } else if (!continues) {
    const std::uint64_t begin = place + static_cast<std::uint64_t>(CodePointBytes(lead));
    Begin(regex.set_.Derive(regex.behind_char_, lead), begin, next_);
  }
  beginnings_.swap(next_);
}

std::size_t StopRegexWalk::matched() const {
  for (const Beginning& beginning : beginnings_) {
    if (beginning.begin < num_bytes_ && regex_->set_.nullable(beginning.state)) {
      return static_cast<std::size_t>(num_bytes_ - beginning.begin);
    }
  }
  return 0;
}

std::size_t StopRegexWalk::held() const {
  std::uint64_t begin = num_bytes_;
  for (const Beginning& beginning : beginnings_) begin = std::min(begin, beginning.begin);
  return static_cast<std::size_t>(num_bytes_ - begin);
}

}  // namespace espalier
