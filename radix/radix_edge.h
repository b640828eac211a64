// RadixEdge: the tokens of an edge and the ids of its pages, in one block of memory.
//
// A tree of a million nodes has a million edges, mostly of a page or two: one block
// instead of two vectors saves 24 bytes in the node and an allocation with its header.
// A block is exact until the edge grows in place; then it doubles.
//
// Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "kernels/base/types.h"

namespace espalier {

class RadixEdge {
 public:
  RadixEdge() = default;
  RadixEdge(std::span<const TokenId> tokens, std::span<const PageId> pages);

  std::span<const TokenId> tokens() const { return {token_data(), Size(num_tokens_)}; }
  std::span<const PageId> pages() const { return {page_data(), Size(num_pages_)}; }
  int num_tokens() const { return num_tokens_; }
  int num_pages() const { return num_pages_; }
  bool empty() const { return num_tokens_ == 0; }

  // O(appended), amortized. The spans must not be of this edge.
  void Append(std::span<const TokenId> tokens, std::span<const PageId> pages);
  // Cuts the front off and returns it. O(edge).
  // REQUIRES: 0 < num_tokens < num_tokens(), 0 < num_pages < num_pages()
  RadixEdge SplitFront(int num_tokens, int num_pages);
  // Forgets all but the front; memory follows, amortized.
  // REQUIRES: num_tokens <= num_tokens(), num_pages <= num_pages()
  void Truncate(int num_tokens, int num_pages);

 private:
  static_assert(sizeof(TokenId) == sizeof(PageId) && alignof(TokenId) == alignof(PageId));

  static std::size_t Size(std::int32_t n) { return static_cast<std::size_t>(n); }
  PageId* page_data() const { return reinterpret_cast<PageId*>(block_.get()); }
  TokenId* token_data() const {
    return reinterpret_cast<TokenId*>(block_.get() + Size(page_room_) * sizeof(PageId));
  }
  void MoveTo(int token_room, int page_room);

  std::unique_ptr<std::byte[]> block_;  // [page_room_] page ids, then [token_room_] tokens
  std::int32_t num_tokens_ = 0;
  std::int32_t num_pages_ = 0;
  std::int32_t token_room_ = 0;
  std::int32_t page_room_ = 0;
};

}  // namespace espalier
