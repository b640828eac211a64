// NaiveCache: the definition of what PrefixCache must do, too simple to be wrong.
//
// It is a list of cached pages, each with the whole token string from the first token
// to the page's last. Everything else (what matches, what is pinned, what is a leaf,
// what goes first) is looked up in that list by comparing whole strings. Each eviction policy
// is a number a page; the leaf page with the least goes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/base/types.h"
#include "radix/prefix_cache.h"

namespace espalier::test {

using Tokens = std::vector<TokenId>;

inline int NaiveCommonPrefix(const Tokens& a, const Tokens& b) {
  std::size_t n = 0;
  while (n < a.size() && n < b.size() && a[n] == b[n]) ++n;
  return static_cast<int>(n);
}

inline bool StartsWith(const Tokens& a, const Tokens& prefix) {
  return NaiveCommonPrefix(a, prefix) == std::ssize(prefix);
}

struct NaivePage {
  std::string key;
  Tokens prefix;
  PageId id{};
  std::uint64_t last_use = 0;
  std::uint64_t num_uses = 0;
  std::uint64_t first_use = 0;
  std::uint64_t paid = 0;  // the worth of what was evicted until its last use
  std::int64_t priority = 0;
  std::uint64_t until = 0;  // when that ends
};

struct NaiveLease {
  std::string key;
  Tokens shared;                 // tokens of its cached pages
  std::optional<PageId> source;  // of its copy
  int num_private = 0;
  bool has_extended = false;
  Retention retention;
};

class NaiveCache {
 public:
  NaiveCache(int num_pages, int page_size, const PrefixCacheOptions& options)
      : num_pages_(num_pages), page_size_(page_size), options_(options) {}

  const std::vector<NaivePage>& pages() const { return pages_; }
  int num_cached() const { return static_cast<int>(pages_.size()); }
  int num_private() const {
    int sum = 0;
    for (const NaiveLease* lease : leases_) sum += lease->num_private;
    return sum;
  }
  int num_free() const { return num_pages_ - num_cached() - num_private(); }
  int num_available() const {
    return num_free() + static_cast<int>(std::ranges::count_if(
                            pages_, [&](const NaivePage& p) { return NumPins(p) == 0; }));
  }

  int Match(const std::string& key, const Tokens& tokens) const {
    int best = 0;
    for (const NaivePage& page : pages_) {
      if (page.key == key) best = std::max(best, NaiveCommonPrefix(page.prefix, tokens));
    }
    return best;
  }

  const NaivePage* Find(const std::string& key, const Tokens& prefix) const {
    for (const NaivePage& page : pages_) {
      if (page.key == key && page.prefix == prefix) return &page;
    }
    return nullptr;
  }

  void Acquire(NaiveLease* lease, const Tokens& tokens) {
    const int num_matched = Match(lease->key, tokens);
    lease->shared.assign(tokens.begin(), tokens.begin() + num_matched / page_size_ * page_size_);
    if (num_matched % page_size_ != 0) {
      const std::size_t page_end = lease->shared.size() + static_cast<std::size_t>(page_size_);
      Tokens through(tokens.begin(), tokens.begin() + std::min(tokens.size(), page_end));
      lease->source = Source(lease->key, through, num_matched)->id;
    }
    leases_.push_back(lease);
  }

  // Whether num_missing more pages can be had; evicts for them if so.
  bool Extend(NaiveLease* lease, int num_missing) {
    if (num_missing <= 0) return true;
    const bool takes_source = num_missing == num_available() + 1 && lease->source.has_value() &&
                              NumPins(*ById(*lease->source)) == 1 && lease->num_private == 0;
    if (num_missing > num_available() && !takes_source) return false;
    lease->has_extended = true;
    if (takes_source) {
      EvictUntilFree(num_available());
      std::erase_if(pages_, [&](const NaivePage& p) { return p.id == *lease->source; });
      lease->source.reset();
    }
    EvictUntilFree(num_missing);
    lease->num_private += num_missing;
    return true;
  }

  // `ids`: the pages of the lease before. The last page may be partial.
  void Share(NaiveLease* lease, const Tokens& tokens, const std::vector<PageId>& ids) {
    ++clock_;
    while (lease->shared.size() < tokens.size()) {
      const std::size_t at = lease->shared.size();
      const std::size_t end = std::min(tokens.size(), at + static_cast<std::size_t>(page_size_));
      const Tokens prefix(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(end));
      const bool whole = end - at == static_cast<std::size_t>(page_size_);
      NaivePage* same = Extending(lease->key, prefix);
      if (same == nullptr) {
        pages_.push_back({.key = lease->key,
                          .prefix = prefix,
                          .id = ids[at / static_cast<std::size_t>(page_size_)]});
      }
      // Whole pages are of the lease from now on; a partial one is let go of at once.
      if (!whole) Use(*lease, same == nullptr ? pages_.back() : *same);
      if (whole || same == nullptr) --lease->num_private;
      if (!whole) break;
      lease->shared = prefix;
    }
    DropNeedless();
  }

  void CopyDone(NaiveLease* lease) {
    if (!lease->source.has_value()) return;
    ++clock_;
    Use(*lease, *ById(*lease->source));
    lease->source.reset();
    DropNeedless();
    KeepQuota(lease->key);
  }

  void Release(NaiveLease* lease) {
    CopyDone(lease);
    ++clock_;
    for (NaivePage& page : pages_) {
      if (OnPath(*lease, page)) Use(*lease, page);
    }
    std::erase(leases_, lease);
    DropNeedless();
    KeepQuota(lease->key);
  }

  void Flush() { EvictUntilFree(num_available()); }
  void SetTime(std::uint64_t now_us) { now_us_ = now_us; }

 private:
  void Use(const NaiveLease& lease, NaivePage& page) {
    page.last_use = clock_;
    if (!lease.has_extended) return;
    if (++page.num_uses == 1) page.first_use = clock_;
    page.paid = worth_paid_;
    const bool lasts = lease.retention.lasts_us == Retention::kForever;
    const std::uint64_t until = lasts ? Retention::kForever : now_us_ + lease.retention.lasts_us;
    const bool is_marked = page.until > now_us_;
    const std::int64_t priority = lease.retention.priority;
    if (is_marked && page.priority < priority) return;
    if (is_marked && page.priority == priority && page.until >= until) return;
    page.priority = priority;
    page.until = until;
  }

  // What goes first has least.
  std::uint64_t Worth(const NaivePage& page) const {
    const auto size = static_cast<std::uint64_t>(page_size_);
    switch (options_.eviction) {
      case EvictionPolicy::kLru: return page.last_use;
      case EvictionPolicy::kLfu: return page.num_uses;
      case EvictionPolicy::kFifo: return page.first_use;
      case EvictionPolicy::kPriority:
        return page.until > now_us_ ? static_cast<std::uint64_t>(1'000'000 - page.priority) : 0;
      case EvictionPolicy::kCost: break;
    }
    return page.paid + page.num_uses * (4096 + (page.prefix.size() - 1) / size * size);
  }

  bool OnPath(const NaiveLease& lease, const NaivePage& page) const {
    return lease.key == page.key && IsWhole(page) && StartsWith(lease.shared, page.prefix);
  }

  int NumPins(const NaivePage& page) const {
    int pins = 0;
    for (const NaiveLease* lease : leases_) {
      if (OnPath(*lease, page) || lease->source == page.id) ++pins;
    }
    return pins;
  }

  bool IsWhole(const NaivePage& page) const {
    return page.prefix.size() % static_cast<std::size_t>(page_size_) == 0;
  }

  bool HasLonger(const NaivePage& page) const {
    return std::ranges::any_of(pages_, [&](const NaivePage& other) {
      return other.key == page.key && other.prefix.size() > page.prefix.size() &&
             StartsWith(other.prefix, page.prefix);
    });
  }

  NaivePage* ById(PageId id) {
    return &*std::ranges::find_if(pages_, [&](const NaivePage& page) { return page.id == id; });
  }

  // The cached page that holds the last page of `prefix`: the first in token order
  // where several go on differently after a partial one.
  NaivePage* Extending(const std::string& key, const Tokens& prefix) {
    const std::size_t page_size = static_cast<std::size_t>(page_size_);
    const std::size_t end = (prefix.size() + page_size - 1) / page_size * page_size;
    NaivePage* best = nullptr;
    for (NaivePage& page : pages_) {
      if (page.key != key || page.prefix.size() > end || !StartsWith(page.prefix, prefix)) continue;
      if (best == nullptr || page.prefix < best->prefix) best = &page;
    }
    return best;
  }

  // The page that a match of num_matched tokens is copied from: of those that share
  // as much, the first in token order from `tokens` on, else the last before.
  NaivePage* Source(const std::string& key, const Tokens& tokens, int num_matched) {
    NaivePage* before = nullptr;
    NaivePage* after = nullptr;
    const auto page_index = [&](int size) { return (size - 1) / page_size_; };
    for (NaivePage& page : pages_) {
      if (page.key != key || NaiveCommonPrefix(page.prefix, tokens) != num_matched) continue;
      if (page_index(static_cast<int>(page.prefix.size())) != page_index(num_matched)) continue;
      NaivePage*& best = page.prefix < tokens ? before : after;
      const bool nearer = best == nullptr || (page.prefix < best->prefix) == (&best == &after);
      if (nearer) best = &page;
    }
    return after != nullptr ? after : before;
  }

  // A partial page that nobody pins goes once a longer one holds its tokens too.
  void DropNeedless() {
    for (std::size_t i = pages_.size(); i-- > 0;) {
      const NaivePage& page = pages_[i];
      if (!IsWhole(page) && NumPins(page) == 0 && HasLonger(page)) {
        pages_.erase(pages_.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
  }

  void EvictUntilFree(int num_pages) {
    while (num_free() < num_pages) EvictOne([](const NaivePage&) { return true; });
  }

  void KeepQuota(const std::string& key) {
    if (options_.quota_pages == 0 || key.empty()) return;
    const auto of_key = [&](const NaivePage& page) { return page.key == key; };
    while (std::ranges::count_if(pages_, [&](const NaivePage& p) {
             return of_key(p) && NumPins(p) == 0;
           }) > options_.quota_pages) {
      EvictOne(of_key);
    }
  }

  template <typename Pred>
  void EvictOne(Pred may_go) {
    auto first = pages_.end();
    for (auto page = pages_.begin(); page != pages_.end(); ++page) {
      if (!may_go(*page) || NumPins(*page) > 0 || (IsWhole(*page) && HasLonger(*page))) continue;
      const auto order = [&](const NaivePage& p) { return std::pair(Worth(p), p.last_use); };
      if (first == pages_.end() || order(*page) < order(*first)) first = page;
    }
    worth_paid_ = std::max(worth_paid_, Worth(*first));
    pages_.erase(first);
  }

  const int num_pages_;
  const int page_size_;
  const PrefixCacheOptions options_;
  std::uint64_t clock_ = 0;
  std::uint64_t now_us_ = 0;
  std::uint64_t worth_paid_ = 0;
  std::vector<NaivePage> pages_;
  std::vector<NaiveLease*> leases_;
};

}  // namespace espalier::test
