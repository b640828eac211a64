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
  if (num_tokens_ < params_.min_new_tokens) {
    released += bytes;
    return verdict;
  }
  for (const char byte : bytes) {
    tail_.push_back(byte);
    const std::size_t length = std::max(CompletedString(byte), CompletedRegex());
    if (length == 0) continue;
    ESP_CHECK(length <= tail_.size() - num_released_) << "part of a stop is out already";
    verdict.stopped = true;
    verdict.matched = tail_.substr(tail_.size() - length);
    tail_.resize(tail_.size() - length);
    Flush(released);
    return verdict;
  }
  Release(released);
  return verdict;
}

std::string_view StopChecker::TextOf(TokenId token) const {
  const std::string_view bytes = vocabulary_.bytes(token);
  if (!bytes.empty() || params_.skip_special_tokens) return bytes;
  const NamedToken* special = vocabulary_.special().FirstIn(vocabulary_.spelling(token));
  return special == nullptr ? bytes : std::string_view(special->name);
}

void StopChecker::Flush(std::string& released) {
  released.append(tail_, num_released_);
  num_released_ = tail_.size();
}

std::size_t StopChecker::CompletedString(char byte) {
  std::size_t longest = 0;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const StopPatterns::StopString& stop = patterns_.strings()[i];
    std::uint16_t length = states_[i];
    while (length > 0 && stop.text[length] != byte) length = stop.fallback[length];
    if (stop.text[length] == byte) ++length;
    states_[i] = length;
    if (length == stop.text.size()) longest = std::max(longest, stop.text.size());
  }
  return longest;
}

std::size_t StopChecker::CompletedRegex() const {
  const std::size_t window = std::min(tail_.size(), kRegexWindow);
  const std::size_t before = tail_.size() > window ? 1 : 0;
  const re2::StringPiece text(tail_.data() + tail_.size() - window - before, window + before);
  std::size_t longest = 0;
  for (const std::unique_ptr<RE2>& regex : patterns_.regexes()) {
    re2::StringPiece match;
    if (regex->Match(text, before, text.size(), RE2::UNANCHORED, &match, 1)) {
      longest = std::max(longest, match.size());
    }
  }
  return longest;
}

// Releases what can no longer become part of a stop.
void StopChecker::Release(std::string& released) {
  std::size_t held = 0;
  for (const std::uint16_t length : states_) held = std::max(held, std::size_t{length});
  const bool has_regex = !patterns_.regexes().empty();
  if (has_regex) held = std::max(held, kRegexWindow);
  held = std::min(held, tail_.size() - num_released_);

  released.append(tail_, num_released_, tail_.size() - num_released_ - held);
  const std::size_t keep = std::min(tail_.size(), held + (has_regex ? 1 : 0));
  tail_.erase(0, tail_.size() - keep);
  num_released_ = keep - held;
}

}  // namespace espalier
