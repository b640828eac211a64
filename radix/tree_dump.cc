#include "radix/tree_dump.h"

#include <algorithm>
#include <queue>
#include <tuple>

#include "radix/eviction_queue.h"
#include "radix/prefix_cache.h"
#include "radix/radix_tree.h"

namespace espalier {
namespace {

// The nodes of a dump from the roots down, those used most first.
class Walk {
 public:
  Walk(const TreeDumpLimits& limits, std::uint64_t now_us, TreeDump& dump)
      : limits_(limits), now_us_(now_us), num_to_see_(16LL * limits.max_nodes), dump_(dump) {}

  void AddRoot(const NameSpace& space) {
    See(space, {.name_space = static_cast<int>(dump_.name_spaces.size()) - 1});
  }

  void Run() {
    while (!seen_.empty() && std::ssize(dump_.nodes) < limits_.max_nodes) {
      const Seen next = seen_.top();
      seen_.pop();
      dump_.nodes.push_back(Dumped(next));
      See(*next.node, {.name_space = next.place.name_space,
                       .parent = static_cast<int>(dump_.nodes.size()) - 1,
                       .depth = next.place.depth + 1});
    }
    if (!seen_.empty()) dump_.is_whole = false;
  }

 private:
  struct Place {
    int name_space = 0;
    int parent = -1;
    int depth = 0;
  };
  struct Seen {
    const RadixNode* node;
    Place place;
    std::int64_t number;  // in order of sight
    bool operator<(const Seen& other) const { return Key() < other.Key(); }

   private:
    std::tuple<std::uint32_t, std::int32_t, std::int64_t> Key() const {
      return {node->history.num_uses, node->edge.num_tokens(), -number};
    }
  };

  // A node may have a million children: what is looked at is bounded too, of one parent and
  // in all.
  void See(const RadixNode& parent, const Place& place) {
    if (place.depth >= limits_.max_depth && !parent.is_leaf()) dump_.is_whole = false;
    if (place.depth >= limits_.max_depth) return;
    int num_left = limits_.max_nodes;
    for (const RadixNode& child : parent.children) {
      if (num_left-- == 0 || num_seen_ == num_to_see_) {
        dump_.is_whole = false;
        return;
      }
      seen_.push({.node = &child, .place = place, .number = num_seen_++});
    }
  }

  DumpedNode Dumped(const Seen& seen) const {
    const RadixNode& node = *seen.node;
    const std::size_t num_tokens =
        std::min(node.edge.tokens().size(), static_cast<std::size_t>(limits_.max_tokens));
    const auto tokens = node.edge.tokens().first(num_tokens);
    const std::uint64_t last_use = std::min(node.history.last_use, now_us_);
    return {.name_space = seen.place.name_space,
            .parent = seen.place.parent,
            .begin = node.begin,
            .num_tokens = node.edge.num_tokens(),
            .tokens = {tokens.begin(), tokens.end()},
            .num_pages = node.num_pages(),
            .num_uses = node.history.num_uses,
            .num_leases = node.num_leases,
            .idle_us = node.num_leases > 0 ? 0 : now_us_ - last_use,
            .is_leaf = node.is_leaf()};
  }

  const TreeDumpLimits limits_;
  const std::uint64_t now_us_;
  const std::int64_t num_to_see_;
  std::int64_t num_seen_ = 0;
  std::priority_queue<Seen> seen_;
  TreeDump& dump_;
};

}  // namespace

TreeDump PrefixCache::Dump(const TreeDumpLimits& limits) const {
  TreeDump dump{.page_size = page_size_,
                .num_pages = num_pages_,
                .num_free = num_free(),
                .num_cached = num_cached_,
                .num_private = num_private_,
                .num_evictable = num_evictable_,
                .num_name_spaces = static_cast<int>(tree_->name_spaces().size())};
  Walk walk(limits, queue_->now_us(), dump);
  for (const auto& [extra_key, space] : tree_->name_spaces()) {
    if (std::ssize(dump.name_spaces) == limits.max_nodes) {
      dump.is_whole = false;
      break;
    }
    dump.name_spaces.push_back({.extra_key = extra_key,
                                .num_cached = space->num_cached,
                                .num_evictable = space->num_evictable});
    walk.AddRoot(*space);
  }
  walk.Run();
  return dump;
}

}  // namespace espalier
