#include "grammar/regex/emptiness_search.h"

#include <algorithm>

#include "grammar/regex/emptiness.h"

namespace espalier {

bool EmptinessSearch::FindsString(RegexId root) {
  bool found = Enter(root);
  while (!found && !path_.empty() && !store_.fuel().exhausted()) {
    if (successors_.size() == path_.back().successors_start) {
      Leave();
      continue;
    }
    const RegexId next = successors_.back();
    successors_.pop_back();
    if (store_[next].life == Life::kDead) continue;
    const auto seen = index_of_.find(next);
    if (seen == index_of_.end()) {
      found = Enter(next);
    } else {
      path_.back().low = std::min(path_.back().low, seen->second);
    }
  }
  if (!found) return false;
  for (const RegexId id : open_) store_.set_life(id, Life::kAlive);
  return true;
}

// Returns true if the search is over: a string was found.
bool EmptinessSearch::Enter(RegexId id) {
  const auto index = static_cast<std::uint32_t>(index_of_.size());
  index_of_.emplace(id, index);
  open_.push_back(id);
  path_.push_back({id, index, index, successors_.size()});
  return AddSuccessors(id);
}

bool EmptinessSearch::AddSuccessors(RegexId id) {
  const std::size_t start = successors_.size();
  for (std::size_t i = 0; i < derivatives_.ByteClasses(id).size(); ++i) {
    const RegexId next = derivatives_.Derive(id, derivatives_.ByteClasses(id)[i].first());
    const Term& term = store_[next];
    if (term.life == Life::kDead) continue;
    const bool searched = term.op == TermOp::kAnd || term.op == TermOp::kNot;
    if (term.life == Life::kAlive || (!searched && emptiness_.IsAlive(next))) return true;
    if (searched) successors_.push_back(next);
  }
  const auto begin = successors_.begin() + static_cast<std::ptrdiff_t>(start);
  std::sort(begin, successors_.end(), [this](RegexId x, RegexId y) {
    return store_[x].min_bytes != store_[y].min_bytes ? store_[x].min_bytes > store_[y].min_bytes
                                                      : x < y;
  });
  successors_.erase(std::unique(begin, successors_.end()), successors_.end());
  return false;
}

void EmptinessSearch::Leave() {
  const Frame frame = path_.back();
  path_.pop_back();
  if (frame.low < frame.index) {
    path_.back().low = std::min(path_.back().low, frame.low);
    return;
  }
  RegexId id = RegexSet::kNothing;
  do {
    id = open_.back();
    open_.pop_back();
    store_.set_life(id, Life::kDead);
  } while (id != frame.id);
}

}  // namespace espalier
