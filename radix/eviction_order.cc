#include "radix/eviction_order.h"

#include <algorithm>
#include <array>

namespace espalier {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"lru", "lfu", "fifo", "priority", "cost"};

// How deep a token stands whose attention costs as much as all else of it: for a model of L
// layers with P parameters in them and H heads of size D that is P / (2 L H D), 3,072 for
// SmolLM2-135M, 6,656 for Llama-3-8B. The order hardly depends on it.
constexpr std::uint64_t kFlatCost = 4096;
constexpr std::uint32_t kMostUses = 1 << 16;  // that count: the worth of a page stays below 2^48

// What a page costs that begins `begin` tokens deep. A partly filled one counts as whole.
std::uint64_t PageCost(std::int32_t begin) { return kFlatCost + static_cast<std::uint64_t>(begin); }

bool IsBetter(const Retention& mark, std::uint64_t until, const PageHistory& history) {
  if (mark.priority != history.priority) return mark.priority < history.priority;
  return until > history.note;
}

void Mark(const NodeUse& use, PageHistory& history) {
  const std::uint64_t left = Retention::kForever - use.now_us;
  const std::uint64_t until = use.now_us + std::min(use.retention.lasts_us, left);
  if (history.note > use.now_us && !IsBetter(use.retention, until, history)) return;
  history.priority = use.retention.priority;
  history.note = until;
}

}  // namespace

std::span<const std::string_view> EvictionPolicyNames() { return kNames; }

std::optional<EvictionPolicy> FindEvictionPolicy(std::string_view name) {
  const auto it = std::ranges::find(kNames, name);
  if (it == kNames.end()) return std::nullopt;
  return static_cast<EvictionPolicy>(it - kNames.begin());
}

std::uint64_t EvictionOrder::Rank(const RadixNode& node) const {
  const PageHistory& history = node.history;
  switch (policy_) {
    case EvictionPolicy::kLru: return 0;
    case EvictionPolicy::kLfu: return history.num_uses;
    case EvictionPolicy::kFifo: return history.note;
    case EvictionPolicy::kPriority:
      return static_cast<std::uint64_t>(std::int64_t{kLowestPriority} - history.priority);
    case EvictionPolicy::kCost: break;
  }
  const std::int32_t last_page = node.begin + (node.num_pages() - 1) * page_size_;
  return history.note + std::min(history.num_uses, kMostUses) * PageCost(last_page);
}

void EvictionOrder::Note(const NodeUse& use, PageHistory& history) const {
  switch (policy_) {
    case EvictionPolicy::kLru:
    case EvictionPolicy::kLfu: return;
    case EvictionPolicy::kFifo:
      if (history.num_uses == 1) history.note = use.at;
      return;
    case EvictionPolicy::kPriority: return Mark(use, history);
    case EvictionPolicy::kCost: history.note = use.worth_paid; return;
  }
}

}  // namespace espalier
