#include "radix/eviction_queue.h"

#include "kernels/base/check.h"

namespace espalier {

// Whether a retention stands behind the place of `leaf`.
bool EvictionQueue::Expires(const RadixNode& leaf) const {
  return order_.policy() == EvictionPolicy::kPriority && leaf.history.note != Retention::kForever &&
         leaf.history.priority != EvictionOrder::kLowestPriority;
}

void EvictionQueue::Insert(NameSpace& space, RadixNode& leaf) {
  ESP_DCHECK(!Contains(leaf) && leaf.history.num_uses > 0);
  if (Expires(leaf)) {
    if (leaf.history.note > now_us_) {
      retained_.insert({leaf.history.note, &leaf, &space});
    } else {
      leaf.history.priority = EvictionOrder::kLowestPriority;
    }
  }
  if (&*space.leaves.insert(leaf) == &*space.leaves.begin()) Reposition(space);
}

void EvictionQueue::Erase(NameSpace& space, RadixNode& leaf) {
  ESP_DCHECK(Contains(leaf));
  if (Expires(leaf)) retained_.erase({leaf.history.note, &leaf, &space});
  const bool was_first = &leaf == &*space.leaves.begin();
  space.leaves.erase(space.leaves.iterator_to(leaf));
  if (was_first) Reposition(space);
}

void EvictionQueue::Reposition(NameSpace& space) {
  if (static_cast<NameSpaceHook&>(space).is_linked()) spaces_.erase(spaces_.iterator_to(space));
  if (!space.leaves.empty()) spaces_.insert(space);
}

void EvictionQueue::SetTime(std::uint64_t now_us) {
  now_us_ = now_us;
  while (!retained_.empty() && retained_.begin()->until_us <= now_us) {
    const Retained ended = *retained_.begin();
    Erase(*ended.space, *ended.leaf);
    Insert(*ended.space, *ended.leaf);
  }
}

}  // namespace espalier
