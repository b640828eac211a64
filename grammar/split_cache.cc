#include "grammar/split_cache.h"

#include <utility>

namespace espalier {

SplitCache::Entry SplitCache::Find(const Key& key) {
  const MutexLock lock(mutex_);
  if (const auto found = young_.find(key); found != young_.end()) return found->second;
  auto found = old_.extract(key);
  if (found.empty()) return {};
  InsertYoung(key, found.mapped());
  return std::move(found.mapped());
}

void SplitCache::Insert(const Key& key, Entry entry) {
  const MutexLock lock(mutex_);
  InsertYoung(key, std::move(entry));
}

void SplitCache::InsertYoung(const Key& key, Entry entry) {
  const std::size_t bytes = entry.split->size_bytes();
  if (!young_.emplace(key, std::move(entry)).second) return;
  young_bytes_ += bytes;
  if (young_bytes_ < max_bytes_ / 2) return;
  old_ = std::move(young_);
  young_.clear();
  young_bytes_ = 0;
}

void SplitCache::Clear() {
  const MutexLock lock(mutex_);
  young_.clear();
  old_.clear();
  young_bytes_ = 0;
}

}  // namespace espalier
