// SplitCache: the splits of one vocabulary, shared by its grammars and bounded in memory.
//
// It has a younger and an older half. A split that is found in the older one moves to the
// younger; when the younger half is full the older one is dropped, so what is asked for
// stays.
//
// Thread safety: thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "grammar/regex/regex_set.h"
#include "grammar/token_split.h"
#include "grammar/vocabulary_slices.h"
#include "kernels/base/mutex.h"

namespace espalier {

class SplitCache {
 public:
  static constexpr std::size_t kMaxBytes = std::size_t{192} << 20;

  struct Key {
    RegexSet::Hash regex;
    TokenLength length;
    friend bool operator==(const Key&, const Key&) = default;
  };

  struct Entry {
    std::shared_ptr<const TokenSplit> split;
    std::uint64_t num_steps = 0;  // of Fuel, that it took to make it
  };

  explicit SplitCache(std::size_t max_bytes = kMaxBytes) : max_bytes_(max_bytes) {}

  // Without a split if absent.
  Entry Find(const Key& key);
  // REQUIRES: entry.split is not null.
  void Insert(const Key& key, Entry entry);
  void Clear();

 private:
  struct HashOfKey {
    std::size_t operator()(const Key& key) const { return key.regex.low; }
  };
  using Map = std::unordered_map<Key, Entry, HashOfKey>;

  void InsertYoung(const Key& key, Entry entry) ESP_REQUIRES(mutex_);

  const std::size_t max_bytes_;
  Mutex mutex_;
  Map young_ ESP_GUARDED_BY(mutex_), old_ ESP_GUARDED_BY(mutex_);
  std::size_t young_bytes_ ESP_GUARDED_BY(mutex_) = 0;
};

}  // namespace espalier
