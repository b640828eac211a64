#include "runtime/engine/fair_shares.h"

#include <algorithm>
#include <limits>

namespace espalier {

std::shared_ptr<FairShare> FairShares::Of(std::string_view caller) {
  const auto found = shares_.find(caller);
  if (found != shares_.end()) return found->second;
  if (shares_.size() >= forget_at_) Forget();
  return shares_.emplace(caller, std::make_shared<FairShare>()).first->second;
}

void FairShares::Enter(FairShare& share) {
  if (share.num_waiting == 0) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const auto& [caller, other] : shares_) {
      if (other->num_waiting > 0) least = std::min(least, other->served);
    }
    // With nobody waiting it is what the last one had that was.
    if (least != std::numeric_limits<std::int64_t>::max()) floor_ = std::max(floor_, least);
    share.served = std::max(share.served, floor_);
  }
  ++share.num_waiting;
}

void FairShares::Leave(FairShare& share) {
  --share.num_waiting;
  if (share.num_waiting > 0) return;
  const auto waits = [](const auto& entry) { return entry.second->num_waiting > 0; };
  if (std::ranges::none_of(shares_, waits)) floor_ = std::max(floor_, share.served);
}

// Whoever is idle and below the floor would be lifted to it, as a new one is.
void FairShares::Forget() {
  const auto is_idle = [](const auto& entry) { return entry.second.use_count() == 1; };
  std::erase_if(
      shares_, [&](const auto& entry) { return is_idle(entry) && entry.second->served <= floor_; });
  const auto num_idle = static_cast<std::size_t>(std::ranges::count_if(shares_, is_idle));
  if (num_idle > kMostIdle) std::erase_if(shares_, is_idle);
  forget_at_ = std::max<std::size_t>(64, 2 * shares_.size());
}

}  // namespace espalier
