#include "runtime/cli/bench/request_log.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace espalier {

void RequestLog::Submitted(Ticket ticket, const GenerateRequest& request) {
  const double now_s = clock_();
  Open& open = open_[static_cast<std::uint64_t>(ticket)];
  open.is_tree = !request.paths.empty();
  for (const ScoredPath& path : request.paths) {
    open.choices.push_back({{path.tokens.begin(), std::prev(path.tokens.end())}, {}, now_s});
  }
  const int num_choices = open.is_tree ? 0 : std::max(1, request.sampling.n);
  for (int i = 0; i < num_choices; ++i) open.choices.push_back({request.prompt, {}, now_s});
}

void RequestLog::Happened(Ticket ticket, const TokenEvent& event) {
  const auto found = open_.find(static_cast<std::uint64_t>(ticket));
  if (found == open_.end()) return;
  Open& open = found->second;
  Choice& choice = open.choices[static_cast<std::size_t>(event.choice)];
  const double elapsed_s = clock_() - choice.last_s;
  const bool has_ended = event.finish != FinishReason::kNone;
  if (!open.has_first && (has_ended || !event.tokens.empty())) {
    open.has_first = true;
    first_token_s_.push_back(elapsed_s);
  } else if (!choice.output.empty() && !event.tokens.empty()) {
    const auto num_tokens = static_cast<double>(event.tokens.size());
    between_tokens_s_.insert(between_tokens_s_.end(), event.tokens.size(), elapsed_s / num_tokens);
  }
  if (!event.tokens.empty()) choice.last_s += elapsed_s;
  choice.output.insert(choice.output.end(), event.tokens.begin(), event.tokens.end());
  if (!has_ended) return;
  End(ticket, open, choice, event);
  if (++open.num_ended == open.choices.size()) open_.erase(found);
}

void RequestLog::End(Ticket ticket, const Open& request, Choice& choice, const TokenEvent& last) {
  const Usage& usage = last.usage;
  if (last.finish == FinishReason::kError && error_.ok()) error_ = last.error;
  ++num_choices_;
  output_tokens_ += usage.completion_tokens;
  forced_tokens_ += usage.forced_tokens;
  cached_.push_back(usage.cached_tokens);
  sharing_.Add({.prompt = std::move(choice.prompt),
                .output = request.is_tree ? std::vector<TokenId>() : std::move(choice.output),
                .cached_tokens = usage.cached_tokens,
                .tree = request.is_tree ? static_cast<std::uint64_t>(ticket) : 0});
}

std::int64_t RequestLog::NumCached(std::int32_t num_tokens) const {
  return std::count_if(cached_.begin(), cached_.end(),
                       [num_tokens](std::int32_t cached) { return cached >= num_tokens; });
}

}  // namespace espalier
