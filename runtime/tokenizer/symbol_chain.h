// SymbolChain: merges neighbouring symbols of one piece of text, best pair first.
//
// The heart of both encoders. Symbols form a doubly linked list in an array; a queue
// holds (rank of a pair, place of its left symbol), so pairs merge in order of rank,
// the leftmost first. An entry whose pair has changed since is skipped when it comes
// up. O(n log n) for n symbols, whatever the text.
//
// Thread safety: none on one object; it is scratch space, reused from piece to piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/base/types.h"
#include "runtime/tokenizer/merge_queue.h"

namespace espalier {

// A pair of neighbours that may become one token; a lower rank merges earlier.
struct Merge {
  std::uint32_t rank = 0;
  TokenId token = -1;
};

inline constexpr TokenId kNoToken = -1;  // a symbol that is no token of the vocabulary

class SymbolChain {
 public:
  // Places in the text, as many as fit the index type with room to spare.
  static constexpr std::size_t kMaxSize = std::size_t{1} << 22;

  void Clear() { symbols_.clear(); }
  // REQUIRES: fewer than kMaxSize symbols so far
  void Append(TokenId token, std::uint32_t start) {
    const auto index = static_cast<std::uint32_t>(symbols_.size());
    symbols_.push_back({.token = token, .start = start, .prev = index - 1, .next = index + 1});
  }

  // find(left, right) -> const Merge* or a Merge with kNoToken: see the encoders. It
  // gets the two symbols' tokens and the range of text that they cover together.
  template <typename FindMerge>
  void MergeAll(std::uint32_t text_size, const FindMerge& find);

  // visit(token, start, end) for each symbol left, in order.
  template <typename Visit>
  void ForEach(std::uint32_t text_size, const Visit& visit) const {
    for (std::uint32_t i = 0; i < symbols_.size(); i = symbols_[i].next) {
      visit(symbols_[i].token, symbols_[i].start, StartOf(symbols_[i].next, text_size));
    }
  }

 private:
  static constexpr std::uint32_t kNoRank = ~std::uint32_t{0};

  struct Symbol {
    TokenId token = kNoToken;
    std::uint32_t start = 0;       // its first byte in the text
    std::uint32_t prev = 0;        // wraps to ~0 before the first
    std::uint32_t next = 0;        // symbols_.size() after the last
    std::uint32_t rank = kNoRank;  // of the pair with `next`; kNoRank: none
    TokenId merged = kNoToken;     // what the pair becomes
  };

  std::uint32_t StartOf(std::uint32_t index, std::uint32_t text_size) const {
    return index < symbols_.size() ? symbols_[index].start : text_size;
  }
  static std::uint64_t Entry(std::uint32_t rank, std::uint32_t index) {
    return std::uint64_t{rank} << 32 | index;
  }

  // Looks the pair of `left` and its successor up. False if they do not merge.
  template <typename FindMerge>
  bool Rank(std::uint32_t left, std::uint32_t text_size, const FindMerge& find);

  std::vector<Symbol> symbols_;
  MergeQueue queue_;  // of (rank, place)
};

template <typename FindMerge>
bool SymbolChain::Rank(std::uint32_t left, std::uint32_t text_size, const FindMerge& find) {
  Symbol& symbol = symbols_[left];
  symbol.rank = kNoRank;
  if (symbol.next >= symbols_.size()) return false;
  const Symbol& right = symbols_[symbol.next];
  const Merge merge = find(symbol.token, right.token, symbol.start, StartOf(right.next, text_size));
  if (merge.token == kNoToken) return false;
  symbol.rank = merge.rank;
  symbol.merged = merge.token;
  return true;
}

template <typename FindMerge>
void SymbolChain::MergeAll(std::uint32_t text_size, const FindMerge& find) {
  const auto add = [&](std::uint32_t index) {
    if (Rank(index, text_size, find)) queue_.Add(Entry(symbols_[index].rank, index));
  };
  queue_.Clear();
  for (std::uint32_t i = 0; i + 1 < symbols_.size(); ++i) add(i);
  while (const std::optional<std::uint64_t> entry = queue_.Take()) {
    const auto index = static_cast<std::uint32_t>(*entry);
    Symbol& left = symbols_[index];
    if (left.rank != *entry >> 32) continue;  // the pair has changed
    Symbol& right = symbols_[left.next];
    left.token = left.merged;
    left.next = right.next;
    right.rank = kNoRank;
    if (left.next < symbols_.size()) symbols_[left.next].prev = index;
    add(index);
    if (left.prev < symbols_.size()) add(left.prev);
  }
}

}  // namespace espalier
