#include "grammar/split_cache.h"

#include <utility>

namespace espalier {

std::shared_ptr<const TokenSplit> SplitCache::Find(const Key& key) {
  std::lock_guard lock(mutex_);
  if (const auto found = young_.find(key); found != young_.end()) return found->second;
  auto found = old_.extract(key);
  if (found.empty()) return nullptr;
  std::shared_ptr<const TokenSplit> split = std::move(found.mapped());
  InsertYoung(key, split);
  return split;
}

void SplitCache::Insert(const Key& key, std::shared_ptr<const TokenSplit> split) {
  std::lock_guard lock(mutex_);
  InsertYoung(key, std::move(split));
}

void SplitCache::InsertYoung(const Key& key, std::shared_ptr<const TokenSplit> split) {
  const std::size_t bytes = split->size_bytes();
  if (!young_.emplace(key, std::move(split)).second) return;
  young_bytes_ += bytes;
  if (young_bytes_ < max_bytes_ / 2) return;
  old_ = std::move(young_);
  young_.clear();
  young_bytes_ = 0;
}

void SplitCache::Clear() {
  std::lock_guard lock(mutex_);
  young_.clear();
  old_.clear();
  young_bytes_ = 0;
}

}  // namespace espalier
