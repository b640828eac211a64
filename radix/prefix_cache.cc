#include "radix/prefix_cache.h"

#include <algorithm>
#include <iterator>

#include "kernels/base/check.h"
#include "radix/eviction.h"
#include "radix/radix_tree.h"

namespace espalier {
namespace {

// Writes the page ids of the path from below `above` down to `node` into the end of
// `pages`.
void CopyPathPages(const RadixNode* node, const RadixNode* above, std::span<PageId> pages) {
  auto end = pages.end();
  for (; node != above; node = node->parent) {
    end = std::copy_backward(node->pages.begin(), node->pages.end(), end);
  }
}

}  // namespace

PrefixLease& PrefixLease::operator=(PrefixLease&& other) noexcept {
  if (this == &other) return *this;
  Release();
  cache_ = std::exchange(other.cache_, nullptr);
  node_ = std::exchange(other.node_, nullptr);
  copy_source_ = std::exchange(other.copy_source_, nullptr);
  num_shared_ = std::exchange(other.num_shared_, 0);
  num_matched_ = std::exchange(other.num_matched_, 0);
  pages_ = std::exchange(other.pages_, {});
  return *this;
}

std::optional<PageCopy> PrefixLease::pending_copy() const {
  if (copy_source_ == nullptr || std::ssize(pages_) == num_shared_) return std::nullopt;
  return PageCopy{.from = copy_source_->pages.front(),
                  .to = pages_[static_cast<std::size_t>(num_shared_)],
                  .num_slots = num_matched_ % cache_->page_size_};
}

void PrefixLease::CopyDone() {
  if (copy_source_ != nullptr) cache_->UnpinSource(std::exchange(copy_source_, nullptr));
}

void PrefixLease::Release() {
  if (cache_ != nullptr) cache_->Release(*this);
}

PrefixCache::PrefixCache(int num_pages, int page_size)
    : num_pages_(num_pages),
      page_size_(page_size),
      tree_(std::make_unique<RadixTree>(page_size)),
      queue_(std::make_unique<EvictionQueue>()) {
  ESP_CHECK(num_pages > 0 && page_size > 0) << num_pages << " pages of " << page_size;
  free_.reserve(static_cast<std::size_t>(num_pages));
  for (int i = num_pages; i-- > 0;) free_.push_back(PageId{i});
}

PrefixCache::~PrefixCache() {
  Flush();
  ESP_CHECK(num_free() == num_pages_ && tree_->roots().empty()) << "a lease is alive";
}

PrefixLease PrefixCache::Acquire(std::span<const TokenId> tokens, std::string_view extra_key) {
  const RadixTree::MatchEnd end = tree_->Search(tree_->FindOrAddRoot(extra_key), tokens);
  PrefixLease lease;
  lease.cache_ = this;
  lease.num_matched_ = end.num_tokens;
  lease.num_shared_ = end.num_tokens / page_size_;
  lease.node_ = tree_->SplitAtPage(end);
  lease.pages_.resize(static_cast<std::size_t>(lease.num_shared_));
  const RadixNode* root = lease.node_;
  while (!root->is_root()) root = root->parent;
  CopyPathPages(lease.node_, root, lease.pages_);
  Pin(lease.node_, nullptr);
  if (end.num_tokens % page_size_ != 0) {
    lease.copy_source_ = tree_->SplitFirstPage(end.child);
    Pin(lease.copy_source_, lease.copy_source_->parent);
  }
  return lease;
}

int PrefixCache::Match(std::span<const TokenId> tokens, std::string_view extra_key) const {
  RadixNode* root = tree_->FindRoot(extra_key);
  return root == nullptr ? 0 : tree_->Search(root, tokens).num_tokens;
}

bool PrefixCache::Extend(PrefixLease& lease, int num_tokens) {
  ESP_CHECK(lease.cache_ == this && num_tokens >= 0);
  const int want = num_tokens / page_size_ + (num_tokens % page_size_ != 0 ? 1 : 0);
  int missing = want - static_cast<int>(lease.pages_.size());
  if (missing <= 0) return true;
  const bool takes_source = missing == num_available() + 1 && lease.copy_source_ != nullptr &&
                            lease.copy_source_->num_leases == 1 &&
                            std::ssize(lease.pages_) == lease.num_shared_;
  if (missing > num_available() && !takes_source) return false;
  if (takes_source) {
    TakeCopySource(lease);
    --missing;
  }
  Evict(missing - num_free());
  lease.pages_.insert(lease.pages_.end(), free_.end() - missing, free_.end());
  free_.resize(free_.size() - static_cast<std::size_t>(missing));
  num_private_ += missing;
  return true;
}

// Frees everything below the source first: a page in use has its path in the tree.
void PrefixCache::TakeCopySource(PrefixLease& lease) {
  Evict(num_evictable_);
  RadixNode* source = std::exchange(lease.copy_source_, nullptr);
  ESP_CHECK(source->is_leaf() && source->num_pages() == 1);
  lease.pages_.push_back(source->pages.front());
  ++num_private_;
  --num_cached_;
  tree_->RemoveLeaf(source);
}

void PrefixCache::Publish(PrefixLease& lease, std::span<const TokenId> tokens) {
  ESP_CHECK(lease.cache_ == this && lease.copy_source_ == nullptr) << "a copy is pending";
  const std::size_t page_size = static_cast<std::size_t>(page_size_);
  Share(lease, tokens.first(tokens.size() / page_size * page_size));
}

void PrefixCache::Finish(PrefixLease& lease, std::span<const TokenId> tokens) {
  ESP_CHECK(lease.cache_ == this);
  if (lease.copy_source_ == nullptr) Share(lease, tokens);
  lease.Release();
}

void PrefixCache::Share(PrefixLease& lease, std::span<const TokenId> tokens) {
  const std::size_t page_size = static_cast<std::size_t>(page_size_);
  ESP_CHECK(tokens.size() <= lease.pages_.size() * page_size) << "published more than leased";
  const std::size_t num_known = static_cast<std::size_t>(lease.num_shared_) * page_size;
  if (tokens.size() <= num_known) return;

  std::span<const TokenId> rest = tokens.subspan(num_known);
  const RadixTree::MatchEnd end = tree_->Search(lease.node_, rest);
  const int num_whole = end.num_tokens / page_size_;
  if (num_whole > 0) Adopt(lease, tree_->SplitAtPage(end), num_whole);
  if (end.num_tokens < std::ssize(rest)) {
    Insert(lease, rest.subspan(static_cast<std::size_t>(num_whole) * page_size));
  } else if (end.num_tokens % page_size_ != 0) {
    // Someone has cached the partial last page too: it has been used now.
    RadixNode* source = tree_->SplitFirstPage(end.child);
    Pin(source, source->parent);
    UnpinSource(source);
  }
}

// Replaces the next private pages of `lease` by those that end at `node`, where
// someone else cached the same tokens first.
void PrefixCache::Adopt(PrefixLease& lease, RadixNode* node, int num_adopted) {
  const auto pages = std::span(lease.pages_)
                         .subspan(static_cast<std::size_t>(lease.num_shared_),
                                  static_cast<std::size_t>(num_adopted));
  free_.insert(free_.end(), pages.begin(), pages.end());
  num_private_ -= num_adopted;
  CopyPathPages(node, lease.node_, pages);
  Pin(node, lease.node_);
  lease.node_ = node;
  lease.num_shared_ += num_adopted;
}

// Moves the next private pages of `lease`, which hold `tokens`, into the tree.
void PrefixCache::Insert(PrefixLease& lease, std::span<const TokenId> tokens) {
  RadixNode* node = lease.node_;
  const int num_pages = (static_cast<int>(tokens.size()) + page_size_ - 1) / page_size_;
  const auto pages = std::span<const PageId>(lease.pages_)
                         .subspan(static_cast<std::size_t>(lease.num_shared_),
                                  static_cast<std::size_t>(num_pages));
  RadixNode* needless = PrefixSibling(*node, tokens);
  if (needless != nullptr && needless->num_leases == 0) Remove(needless);

  if (!node->is_root() && node->is_leaf() && node->num_leases == 1) {
    // Only this lease sees the node: it grows in place, so that a sequence published
    // page by page is one edge.
    node->tokens.insert(node->tokens.end(), tokens.begin(), tokens.end());
    node->pages.insert(node->pages.end(), pages.begin(), pages.end());
  } else {
    lease.node_ = tree_->AddLeaf(node, tokens, pages);
    lease.node_->num_leases = 1;
  }
  lease.num_shared_ += num_pages;
  num_cached_ += num_pages;
  num_private_ -= num_pages;
}

void PrefixCache::Release(PrefixLease& lease) {
  const auto first_private = lease.pages_.begin() + lease.num_shared_;
  free_.insert(free_.end(), first_private, lease.pages_.end());
  num_private_ -= static_cast<int>(lease.pages_.end() - first_private);
  lease.pages_.clear();
  lease.CopyDone();
  UnpinPath(std::exchange(lease.node_, nullptr));
  lease.cache_ = nullptr;
  lease.num_shared_ = 0;
  lease.num_matched_ = 0;
}

void PrefixCache::Pin(RadixNode* node, const RadixNode* above) {
  for (; node != above; node = node->parent) {
    if (node->num_leases++ > 0) continue;
    num_evictable_ -= node->num_pages();
    if (queue_->Contains(*node)) queue_->Erase(*node);
  }
}

void PrefixCache::UnpinPath(RadixNode* node) {
  ++clock_;
  while (node != nullptr) {
    RadixNode* parent = node->parent;
    DropPin(node);
    node = parent;
  }
}

void PrefixCache::UnpinSource(RadixNode* source) {
  ++clock_;
  DropPin(source);
  if (source->num_leases == 0 && IsPrefixOfSibling(*source)) Remove(source);
}

void PrefixCache::DropPin(RadixNode* node) {
  ESP_CHECK(node->num_leases > 0);
  if (--node->num_leases > 0) return;
  num_evictable_ += node->num_pages();
  node->last_use = clock_;
  if (node->is_leaf()) LeafAppeared(node);
}

// REQUIRES: `node` is an unpinned leaf, or a root without children.
void PrefixCache::LeafAppeared(RadixNode* node) {
  if (node->is_root()) {
    tree_->RemoveRoot(node);
  } else {
    queue_->Insert(*node);
  }
}

// Frees at least num_pages pages. REQUIRES: num_pages <= num_evictable_
void PrefixCache::Evict(int num_pages) {
  while (num_pages > 0) {
    RadixNode& leaf = queue_->First();
    if (num_pages >= leaf.num_pages()) {
      num_pages -= leaf.num_pages();
      Remove(&leaf);
      continue;
    }
    const std::size_t num_left = leaf.pages.size() - static_cast<std::size_t>(num_pages);
    free_.insert(free_.end(), leaf.pages.end() - num_pages, leaf.pages.end());
    leaf.pages.resize(num_left);
    leaf.tokens.resize(num_left * static_cast<std::size_t>(page_size_));
    if (leaf.pages.capacity() > 2 * num_left) {  // memory follows the pages, amortized
      leaf.pages.shrink_to_fit();
      leaf.tokens.shrink_to_fit();
    }
    num_cached_ -= num_pages;
    num_evictable_ -= num_pages;
    return;
  }
}

// REQUIRES: `leaf` is an unpinned leaf.
void PrefixCache::Remove(RadixNode* leaf) {
  free_.insert(free_.end(), leaf->pages.begin(), leaf->pages.end());
  num_cached_ -= leaf->num_pages();
  num_evictable_ -= leaf->num_pages();
  queue_->Erase(*leaf);
  RadixNode* parent = leaf->parent;
  tree_->RemoveLeaf(leaf);
  if (parent->is_leaf() && parent->num_leases == 0) LeafAppeared(parent);
}

void PrefixCache::Flush() { Evict(num_evictable_); }

}  // namespace espalier
