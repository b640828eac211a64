// PrefixCache: the one owner of KV pages.
//
// Every page is in exactly one of three places:
//   free     nobody's
//   cached   in the radix tree: its KV is final and shared by all who match it
//   private  in one lease: being written for one sequence
//
// The tree maps token prefixes to cached pages, one tree for each extra_key.
// Edges are cut at page boundaries only, so each page has one node; a leaf's last
// page may be partly filled. A match is exact to the token: where it ends inside
// a page, the matched slots are to be copied into a private page (PageCopy)
// before the forward pass, and the source page stays pinned until then.
//
// Invariants (CheckInvariants() verifies them all):
//   1. free + cached + private == num_pages.
//   2. Every cached page belongs to one node; siblings differ within their first
//      page, and no unpinned sibling's tokens are a prefix of another's. (A partly
//      filled leaf that a longer one makes needless goes when its last pin does.)
//   3. Only a leaf's last page is partly filled.
//   4. A lease pins its path; pinned pages are neither freed nor changed.
//   5. Unpinned leaves are evicted in the order of the policy (eviction_policy.h), from
//      their last page, and no more pages than are wanted. A page is used until the last
//      lease that pins it lets go; how often, is how many leases did that which had pages
//      of their own: one that only looked does not count.
//   6. With a quota, a name space that has a key keeps no more unpinned pages than that:
//      it evicts its own first. A name space with neither pages nor leases is forgotten.
//
// Time is handed in, and never read.
//
// This class moves page ids around. It never reads or writes KV memory.
//
// Thread safety: none. Engine thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/base/types.h"
#include "radix/eviction_policy.h"

namespace espalier {

class EvictionQueue;
class PrefixCache;
class RadixTree;
struct NameSpace;
struct RadixNode;
struct TreeDump;
struct TreeDumpLimits;

// The pages that one sequence may use, in token order. Move-only; the destructor
// gives them back. The first num_shared() pages are cached pages, read-only; the
// rest are private to this lease.
class PrefixLease {
 public:
  PrefixLease() = default;
  PrefixLease(PrefixLease&& other) noexcept { *this = std::move(other); }
  PrefixLease& operator=(PrefixLease&& other) noexcept;
  ~PrefixLease() { Release(); }

  std::span<const PageId> pages() const { return pages_; }
  int num_shared() const { return num_shared_; }

  // Tokens whose KV Acquire found. Those past num_shared() pages are valid only
  // once the copy below has been made.
  int num_matched() const { return num_matched_; }

  // Pages that no other lease pins: so many more could be had if this one let go of its own.
  // O(nodes).
  int num_own_pages() const;

  // The copy that must run before the next forward pass of this sequence, once
  // Extend has given the private page. Call CopyDone() when the copy has been made
  // and no pass that could still make it is in flight; without a copy it does nothing.
  std::optional<PageCopy> pending_copy() const;
  void CopyDone();

  // How the pages that this lease lets go of are marked, under EvictionPolicy::kPriority.
  void set_retention(const Retention& retention) { retention_ = retention; }

  // Gives all pages back: private ones become free, cached ones lose this pin.
  void Release();

 private:
  friend class PrefixCache;
  PrefixCache* cache_ = nullptr;
  NameSpace* space_ = nullptr;
  RadixNode* node_ = nullptr;         // deepest pinned node whose pages are in pages_
  RadixNode* copy_source_ = nullptr;  // one page, pinned until the copy is done
  int num_shared_ = 0;
  int num_matched_ = 0;
  bool has_extended_ = false;  // so that it counts as a use
  Retention retention_;
  std::vector<PageId> pages_;
};

struct PrefixCacheOptions {
  EvictionPolicy eviction = EvictionPolicy::kLru;
  // Most unpinned pages of one name space that has a key; 0: no quota.
  int quota_pages = 0;
};

class PrefixCache {
 public:
  // REQUIRES: num_pages > 0, page_size > 0, quota_pages >= 0.
  PrefixCache(int num_pages, int page_size, const PrefixCacheOptions& options = {});
  ~PrefixCache();  // REQUIRES: no lease is alive
  PrefixCache(const PrefixCache&) = delete;
  PrefixCache& operator=(const PrefixCache&) = delete;

  // Leases the longest cached prefix of `tokens` in the name space `extra_key`.
  // Never fails: with nothing cached the lease is empty. May split nodes; moves no
  // page. O(tokens matched + log(children) per node). The last token of a prompt must
  // run to give logits: leave it out of `tokens`.
  PrefixLease Acquire(std::span<const TokenId> tokens, std::string_view extra_key = {});

  // How many tokens Acquire would find. Changes nothing, not even the LRU order.
  int Match(std::span<const TokenId> tokens, std::string_view extra_key = {}) const;

  // The deepest node that Acquire would find, to tell who shares what; null: none. It is good
  // until the cache changes.
  const RadixNode* MatchedNode(std::span<const TokenId> tokens,
                               std::string_view extra_key = {}) const;

  // Adds private pages until the lease covers num_tokens tokens, evicting if it
  // must. Returns false and changes nothing if too few pages can be had. When one page
  // is missing for the first private pages of a lease, and only this lease's own copy
  // pins the source of that copy, the source leaves the cache and becomes private
  // instead of being copied: a lease alone can always have the whole pool.
  [[nodiscard]] bool Extend(PrefixLease& lease, int num_tokens);

  // Shares what `lease` has computed: `tokens` are all the tokens whose KV is
  // written, from the first on. Its whole pages become cached. Where someone else
  // has cached the same tokens, that page replaces the private one, which is
  // freed, so pages() may change: read it again.
  // REQUIRES: no forward pass that uses pages() is in flight; no copy is pending.
  void Publish(PrefixLease& lease, std::span<const TokenId> tokens);

  // Publish, the last, partly filled page included, then Release: for a sequence
  // that ends or is preempted. While a copy is pending it is Release alone: such a
  // lease has computed nothing.
  // REQUIRES: no forward pass that uses pages() is in flight.
  void Finish(PrefixLease& lease, std::span<const TokenId> tokens);

  // Evicts every unpinned page.
  void Flush();

  // What the time is, in microseconds from some start; never less than before. Only retentions
  // and ages depend on it.
  void SetTime(std::uint64_t now_us);

  int num_pages() const { return num_pages_; }
  int num_free() const { return static_cast<int>(free_.size()); }
  int num_cached() const { return num_cached_; }
  int num_private() const { return num_private_; }
  // Pages that Extend can give: free ones and those that can be evicted.
  int num_available() const { return num_free() + num_evictable_; }
  int page_size() const { return page_size_; }

  // What is in the tree, within bounds (tree_dump.h). O(max_nodes * log(max_nodes)), however
  // large the tree is.
  TreeDump Dump(const TreeDumpLimits& limits) const;

  // Walks the whole structure and aborts on a broken invariant. O(pages).
  void CheckInvariants() const;

 private:
  friend class PrefixLease;

  void Share(PrefixLease& lease, std::span<const TokenId> tokens);
  void Adopt(PrefixLease& lease, RadixNode* node, int num_adopted);
  void Insert(PrefixLease& lease, std::span<const TokenId> tokens);
  void TakeCopySource(PrefixLease& lease);
  void Release(PrefixLease& lease);

  // eviction.cc
  void Pin(NameSpace& space, RadixNode* node, const RadixNode* above);
  void UnpinPath(PrefixLease& lease);
  void UnpinSource(PrefixLease& lease, RadixNode* source);
  void CountUse(const PrefixLease& lease, RadixNode* node);
  void DropPin(NameSpace& space, RadixNode* node);
  void Tick();
  void LeafAppeared(NameSpace& space, RadixNode* node);
  void Evict(int num_pages);
  int EvictFirst(NameSpace& space, int most_pages);
  void KeepQuota(NameSpace& space);
  void Remove(NameSpace& space, RadixNode* leaf);

  const int num_pages_;
  const int page_size_;
  const int quota_pages_;
  std::vector<PageId> free_;
  int num_cached_ = 0;
  int num_private_ = 0;
  int num_evictable_ = 0;         // cached pages that no lease pins
  std::uint64_t clock_ = 0;       // of uses: the time where that goes faster, and never twice
  std::uint64_t worth_paid_ = 0;  // of the page evicted that ranked highest
  std::unique_ptr<RadixTree> tree_;
  std::unique_ptr<EvictionQueue> queue_;  // the unpinned leaves
};

}  // namespace espalier
