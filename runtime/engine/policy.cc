#include "runtime/engine/policy.h"

#include <algorithm>
#include <span>
#include <tuple>

namespace espalier {

void OrderQueue(QueuePolicy policy, const PrefixCache& cache,
                std::deque<std::unique_ptr<Sequence>>& waiting) {
  const bool match = policy == QueuePolicy::kLpm && waiting.size() <= kMostMatched;
  for (const std::unique_ptr<Sequence>& seq : waiting) {
    const auto most = static_cast<std::size_t>(seq->max_matched());
    seq->num_matched = match && !seq->preempted ? cache.Match(std::span(seq->tokens).first(most),
                                                              seq->request->asked.cache_salt)
                                                : 0;
  }
  const auto key = [](const std::unique_ptr<Sequence>& seq) {
    const std::uint64_t number = Index(seq->request->id);
    const std::uint64_t arrival = seq->request->asked.arrival;
    const bool is_due = seq->num_overtaken >= kMostOvertaken;
    return std::tuple(!seq->preempted, seq->request->asked.priority, !is_due,
                      is_due ? 0 : -seq->num_matched, arrival != 0 ? arrival : number, number,
                      seq->choice);
  };
  const auto before = [&key](const auto& a, const auto& b) { return key(a) < key(b); };
  // A long queue is in order of arrival already, but for what was preempted since.
  if (!std::is_sorted(waiting.begin(), waiting.end(), before)) {
    std::sort(waiting.begin(), waiting.end(), before);
  }
}

}  // namespace espalier
