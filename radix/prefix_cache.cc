#include "radix/prefix_cache.h"

#include <algorithm>
#include <iterator>

#include "kernels/base/check.h"
#include "radix/eviction_queue.h"
#include "radix/radix_tree.h"

namespace espalier {
namespace {

// Writes the page ids of the path from below `above` down to `node` into the end of
// `pages`.
void CopyPathPages(const RadixNode* node, const RadixNode* above, std::span<PageId> pages) {
  auto end = pages.end();
  for (; node != above; node = node->parent) {
    const std::span<const PageId> of_node = node->edge.pages();
    end = std::copy_backward(of_node.begin(), of_node.end(), end);
  }
}

}  // namespace

PrefixLease& PrefixLease::operator=(PrefixLease&& other) noexcept {
  if (this == &other) return *this;
  Release();
  cache_ = std::exchange(other.cache_, nullptr);
  space_ = std::exchange(other.space_, nullptr);
  node_ = std::exchange(other.node_, nullptr);
  copy_source_ = std::exchange(other.copy_source_, nullptr);
  num_shared_ = std::exchange(other.num_shared_, 0);
  num_matched_ = std::exchange(other.num_matched_, 0);
  has_extended_ = std::exchange(other.has_extended_, false);
  retention_ = std::exchange(other.retention_, {});
  pages_ = std::exchange(other.pages_, {});
  return *this;
}

std::optional<PageCopy> PrefixLease::pending_copy() const {
  if (copy_source_ == nullptr || std::ssize(pages_) == num_shared_) return std::nullopt;
  return PageCopy{.from = copy_source_->edge.pages().front(),
                  .to = pages_[static_cast<std::size_t>(num_shared_)],
                  .num_slots = num_matched_ % cache_->page_size_};
}

void PrefixLease::CopyDone() {
  if (copy_source_ != nullptr) cache_->UnpinSource(*this, std::exchange(copy_source_, nullptr));
}

int PrefixLease::num_own_pages() const {
  int num_pages = static_cast<int>(pages_.size()) - num_shared_;
  for (const RadixNode* node = node_; node != nullptr && node->num_leases == 1;
       node = node->parent) {
    num_pages += node->num_pages();
  }
  return num_pages;
}

void PrefixLease::Release() {
  if (cache_ != nullptr) cache_->Release(*this);
}

PrefixCache::PrefixCache(int num_pages, int page_size, const PrefixCacheOptions& options)
    : num_pages_(num_pages),
      page_size_(page_size),
      quota_pages_(options.quota_pages),
      tree_(std::make_unique<RadixTree>(page_size, EvictionOrder(options.eviction, page_size))),
      queue_(std::make_unique<EvictionQueue>(EvictionOrder(options.eviction, page_size))) {
  ESP_CHECK(num_pages > 0 && page_size > 0) << num_pages << " pages of " << page_size;
  ESP_CHECK(options.quota_pages >= 0);
  free_.reserve(static_cast<std::size_t>(num_pages));
  for (int i = num_pages; i-- > 0;) free_.push_back(PageId{i});
}

PrefixCache::~PrefixCache() {
  Flush();
  ESP_CHECK(num_free() == num_pages_ && tree_->name_spaces().empty()) << "a lease is alive";
}

PrefixLease PrefixCache::Acquire(std::span<const TokenId> tokens, std::string_view extra_key) {
  NameSpace& space = tree_->FindOrAddNameSpace(extra_key);
  const RadixTree::MatchEnd end = tree_->Search(&space, tokens);
  PrefixLease lease;
  lease.cache_ = this;
  lease.space_ = &space;
  lease.num_matched_ = end.num_tokens;
  lease.num_shared_ = end.num_tokens / page_size_;
  lease.node_ = tree_->SplitAtPage(end);
  lease.pages_.resize(static_cast<std::size_t>(lease.num_shared_));
  CopyPathPages(lease.node_, &space, lease.pages_);
  Pin(space, lease.node_, nullptr);
  if (end.num_tokens % page_size_ != 0) {
    lease.copy_source_ = tree_->SplitFirstPage(end.child);
    Pin(space, lease.copy_source_, lease.copy_source_->parent);
  }
  return lease;
}

int PrefixCache::Match(std::span<const TokenId> tokens, std::string_view extra_key) const {
  NameSpace* space = tree_->FindNameSpace(extra_key);
  return space == nullptr ? 0 : tree_->Search(space, tokens).num_tokens;
}

const RadixNode* PrefixCache::MatchedNode(std::span<const TokenId> tokens,
                                          std::string_view extra_key) const {
  NameSpace* space = tree_->FindNameSpace(extra_key);
  if (space == nullptr) return nullptr;
  const RadixTree::MatchEnd end = tree_->Search(space, tokens);
  return end.num_in_child > 0 ? end.child : end.node;
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
  lease.has_extended_ = true;
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
  lease.pages_.push_back(source->edge.pages().front());
  ++num_private_;
  --num_cached_;
  --lease.space_->num_cached;
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
    Pin(*lease.space_, source, source->parent);
    UnpinSource(lease, source);
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
  Pin(*lease.space_, node, lease.node_);
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
  if (needless != nullptr && needless->num_leases == 0) Remove(*lease.space_, needless);

  const bool is_own = !node->is_root() && node->num_leases == 1 && node->history.num_uses == 0;
  if (is_own && node->is_leaf()) {
    // Nobody but this lease has ever seen the node: it grows in place, so that a sequence
    // published page by page is one edge.
    node->edge.Append(tokens, pages);
  } else {
    lease.node_ = tree_->AddLeaf(node, tokens, pages);
    lease.node_->num_leases = 1;
  }
  lease.num_shared_ += num_pages;
  lease.space_->num_cached += num_pages;
  num_cached_ += num_pages;
  num_private_ -= num_pages;
}

void PrefixCache::Release(PrefixLease& lease) {
  const auto first_private = lease.pages_.begin() + lease.num_shared_;
  free_.insert(free_.end(), first_private, lease.pages_.end());
  num_private_ -= static_cast<int>(lease.pages_.end() - first_private);
  lease.pages_.clear();
  lease.CopyDone();
  UnpinPath(lease);
  lease.cache_ = nullptr;
  lease.space_ = nullptr;
  lease.node_ = nullptr;
  lease.num_shared_ = 0;
  lease.num_matched_ = 0;
  lease.has_extended_ = false;
}

}  // namespace espalier
