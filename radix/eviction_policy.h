// EvictionPolicy: which cached pages go first, and what a request may say about its own.
//
// Under every policy only unpinned leaves go, from their last page, and of two that are
// equal the less recently used one goes first.
//
//   lru       the least recently used.
//   lfu       the least often used.
//   fifo      the first to come: the first that a lease let go of.
//   priority  the least important. A request marks the pages it used; a mark holds until its
//             retention ends, then the page is the least important of all. Of two marks the
//             more important one holds, and of equal ones the longer.
//   cost      the least dear: what computing it again costs, times how often it was used, on
//             top of what was paid for the last page evicted when it was last used. So worth
//             ages: what is never used again goes however dear it is. That is GreedyDual-Size-
//             Frequency (Cherkasova 1998, HPL-98-69R1, from Cao and Irani 1997, "Cost-Aware
//             WWW Proxy Caching Algorithms"), all sizes being one page. A token deep in a
//             context costs more: attention grows with its position.
//
// Thread safety: plain data and pure functions.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

namespace espalier {

enum class EvictionPolicy : std::uint8_t { kLru, kLfu, kFifo, kPriority, kCost };

// Names in the order of the enum: "lru", ...
std::span<const std::string_view> EvictionPolicyNames();
std::optional<EvictionPolicy> FindEvictionPolicy(std::string_view name);

// The mark of a request on the pages that it uses.
struct Retention {
  static constexpr std::uint64_t kForever = std::numeric_limits<std::uint64_t>::max();

  std::int32_t priority = 0;          // a lower one is more important
  std::uint64_t lasts_us = kForever;  // from when its lease lets go
};

}  // namespace espalier
