#include "runtime/engine/stop_checker.h"

#include <algorithm>

#include "kernels/base/check.h"

namespace espalier {

StopChecker::StopChecker(const SamplingParams& params, const StopPatterns& patterns,
                         const Vocabulary& vocabulary)
    : params_(params),
      patterns_(patterns),
      vocabulary_(vocabulary),
      stop_tokens_(params.stop_token_ids),
      states_(patterns.strings().size(), 0) {
  if (!params.ignore_eos) {
    const std::vector<TokenId>& ends = vocabulary.end_tokens();
    stop_tokens_.insert(stop_tokens_.end(), ends.begin(), ends.end());
  }
  std::sort(stop_tokens_.begin(), stop_tokens_.end());
  for (const std::unique_ptr<StopRegex>& regex : patterns.regexes()) walks_.emplace_back(*regex);
}

std::span<const TokenId> StopChecker::BannedTokens() const {
  if (num_tokens_ >= params_.min_new_tokens) return {};
  return stop_tokens_;
}

StopChecker::Verdict StopChecker::Feed(TokenId token, std::string& released) {
  ++num_tokens_;
  Verdict verdict;
  if (std::binary_search(stop_tokens_.begin(), stop_tokens_.end(), token) &&
      num_tokens_ > params_.min_new_tokens) {
    verdict.stopped = true;
    verdict.matched_token = token;
    Flush(released);
    return verdict;
  }
  const std::string_view bytes = TextOf(token);
  for (const char byte : bytes) {
    tail_.push_back(byte);
    const std::size_t length = std::max(CompletedString(byte), CompletedRegex(byte));
    if (length == 0 || num_tokens_ < params_.min_new_tokens) continue;
    ESP_CHECK(length <= tail_.size()) << "part of a stop is out already";
    verdict.stopped = true;
    verdict.matched = tail_.substr(tail_.size() - length);
    tail_.resize(tail_.size() - length);
    Flush(released);
    return verdict;
  }
  Release(released);
  for (const std::unique_ptr<StopRegex>& regex : patterns_.regexes()) {
    if (regex->exhausted()) {
      verdict.error = {Code::kLimit, "stop_regex takes more steps on this text than it may"};
    }
  }
  return verdict;
}

std::string_view StopChecker::TextOf(TokenId token) const {
  const std::string_view bytes = vocabulary_.bytes(token);
  if (!bytes.empty() || params_.skip_special_tokens) return bytes;
  const NamedToken* special = vocabulary_.special().FirstIn(vocabulary_.spelling(token));
  return special == nullptr ? bytes : std::string_view(special->name);
}

void StopChecker::Flush(std::string& released) {
  released += tail_;
  tail_.clear();
}

std::size_t StopChecker::CompletedString(char byte) {
  std::size_t longest = 0;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const StopPatterns::StopString& stop = patterns_.strings()[i];
    std::uint16_t length = states_[i];
    if (length == stop.text.size()) length = stop.fallback[length];
    while (length > 0 && stop.text[length] != byte) length = stop.fallback[length];
    if (stop.text[length] == byte) ++length;
    states_[i] = length;
    if (length == stop.text.size()) longest = std::max(longest, stop.text.size());
  }
  return longest;
}

std::size_t StopChecker::CompletedRegex(char byte) {
  std::size_t longest = 0;
  for (StopRegexWalk& walk : walks_) {
    walk.Step(byte);
    longest = std::max(longest, walk.matched());
  }
  return longest;
}

// Releases what can no longer become part of a stop.
void StopChecker::Release(std::string& released) {
  std::size_t held = 0;
  for (const std::uint16_t length : states_) held = std::max(held, std::size_t{length});
  for (const StopRegexWalk& walk : walks_) held = std::max(held, walk.held());
  const std::size_t num_safe = tail_.size() - held;
  released.append(tail_, 0, num_safe);
  tail_.erase(0, num_safe);
}

}  // namespace espalier
