#include "radix/radix_edge.h"

#include <algorithm>
#include <utility>

#include "kernels/base/check.h"

namespace espalier {

RadixEdge::RadixEdge(std::span<const TokenId> tokens, std::span<const PageId> pages) {
  MoveTo(static_cast<int>(tokens.size()), static_cast<int>(pages.size()));
  Append(tokens, pages);
}

// Into a new block. REQUIRES: what there is fits.
void RadixEdge::MoveTo(int token_room, int page_room) {
  const std::size_t size = Size(token_room) + Size(page_room);
  RadixEdge to;
  to.block_ = std::make_unique_for_overwrite<std::byte[]>(size * sizeof(TokenId));
  to.token_room_ = token_room;
  to.page_room_ = page_room;
  to.num_tokens_ = num_tokens_;
  to.num_pages_ = num_pages_;
  std::ranges::copy(tokens(), to.token_data());
  std::ranges::copy(pages(), to.page_data());
  *this = std::move(to);
}

void RadixEdge::Append(std::span<const TokenId> tokens, std::span<const PageId> pages) {
  const int num_tokens = num_tokens_ + static_cast<int>(tokens.size());
  const int num_pages = num_pages_ + static_cast<int>(pages.size());
  if (num_tokens > token_room_ || num_pages > page_room_) {
    MoveTo(std::max(num_tokens, 2 * num_tokens_), std::max(num_pages, 2 * num_pages_));
  }
  std::ranges::copy(tokens, token_data() + num_tokens_);
  std::ranges::copy(pages, page_data() + num_pages_);
  num_tokens_ = num_tokens;
  num_pages_ = num_pages;
}

RadixEdge RadixEdge::SplitFront(int num_tokens, int num_pages) {
  ESP_DCHECK(num_tokens > 0 && num_tokens < num_tokens_ && num_pages > 0 && num_pages < num_pages_);
  RadixEdge front(tokens().first(Size(num_tokens)), pages().first(Size(num_pages)));
  *this = RadixEdge(tokens().subspan(Size(num_tokens)), pages().subspan(Size(num_pages)));
  return front;
}

void RadixEdge::Truncate(int num_tokens, int num_pages) {
  ESP_DCHECK(num_tokens <= num_tokens_ && num_pages <= num_pages_);
  num_tokens_ = num_tokens;
  num_pages_ = num_pages;
  if (page_room_ > 2 * num_pages) MoveTo(num_tokens, num_pages);
}

}  // namespace espalier
