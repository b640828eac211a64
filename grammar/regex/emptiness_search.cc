#include "grammar/regex/emptiness_search.h"

#include <algorithm>

#include "grammar/regex/count_relaxation.h"
#include "grammar/regex/emptiness.h"

namespace espalier {

namespace {

// Most searches end sooner, and need not look at counts.
constexpr std::uint32_t kNumPlainTerms = 16;

}  // namespace

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
  path_.push_back({id, index, index, successors_.size(), RegexSet::kNothing});
  if (index < kNumPlainTerms) return AddSuccessors(id);
  const RegexId relaxed = RelaxCounts(builder_, id);
  if (relaxed == id) return AddSuccessors(id);
  if (!emptiness_.MayRelaxedBeAlive(relaxed)) return false;
  path_.back().relaxed = relaxed;
  return AddSuccessors(id) || JumpCounts(relaxed);
}

bool EmptinessSearch::AddSuccessors(RegexId id) {
  const std::size_t start = successors_.size();
  for (const ByteSet& bytes : derivatives_.ByteClasses(id)) {
    if (AddSuccessor(derivatives_.Derive(id, bytes.first()))) return true;
  }
  const auto begin = successors_.begin() + static_cast<std::ptrdiff_t>(start);
  std::sort(begin, successors_.end(), [this](RegexId x, RegexId y) {
    return store_[x].min_bytes != store_[y].min_bytes ? store_[x].min_bytes > store_[y].min_bytes
                                                      : x < y;
  });
  successors_.erase(std::unique(begin, successors_.end()), successors_.end());
  return false;
}

// Returns true if `next` is known to have a string.
bool EmptinessSearch::AddSuccessor(RegexId next) {
  const Term& term = store_[next];
  if (term.life != Life::kUnknown) return term.life == Life::kAlive;
  if (term.op != TermOp::kAnd && term.op != TermOp::kNot) return emptiness_.IsAlive(next);
  successors_.push_back(next);
  return false;
}

// The last term of the path is like an earlier one but for its counts: goes on where these
// are small.
bool EmptinessSearch::JumpCounts(RegexId relaxed) {
  const std::size_t here = path_.size() - 1;
  const auto [at, is_new] = relaxed_at_.try_emplace(relaxed, here);
  const std::size_t before = at->second;
  at->second = here;
  const bool on_path = !is_new && before < here && path_[before].relaxed == relaxed;
  return on_path && AddSuccessor(RepeatWalk(builder_, path_[before].id, path_[here].id));
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
