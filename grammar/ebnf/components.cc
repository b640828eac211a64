#include "grammar/ebnf/components.h"

#include <algorithm>
#include <cstddef>

namespace espalier {
namespace {

constexpr std::uint32_t kUnseen = ~std::uint32_t{0};

class TarjanSearch {
 public:
  explicit TarjanSearch(const Adjacency& graph)
      : graph_(graph), order_(graph.size(), kUnseen), low_(graph.size(), 0) {
    found_.of.assign(graph.size(), kUnseen);
  }

  Components Run() {
    for (std::uint32_t node = 0; node < graph_.size(); ++node) {
      if (order_[node] == kUnseen) Search(node);
    }
    return std::move(found_);
  }

 private:
  struct Frame {
    std::uint32_t node;
    std::size_t next_arc = 0;
  };

  void Search(std::uint32_t root) {
    Enter(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      if (frame.next_arc == graph_[frame.node].size()) {
        Leave();
        continue;
      }
      const std::uint32_t from = frame.node;
      const std::uint32_t to = graph_[from][frame.next_arc++];
      if (order_[to] == kUnseen) {
        Enter(to);
      } else if (found_.of[to] == kUnseen) {
        low_[from] = std::min(low_[from], order_[to]);
      }
    }
  }

  void Enter(std::uint32_t node) {
    order_[node] = low_[node] = num_seen_++;
    open_.push_back(node);
    frames_.push_back({node});
  }

  void Leave() {
    const std::uint32_t node = frames_.back().node;
    frames_.pop_back();
    if (!frames_.empty()) {
      low_[frames_.back().node] = std::min(low_[frames_.back().node], low_[node]);
    }
    if (low_[node] != order_[node]) return;
    const auto first = std::find(open_.rbegin(), open_.rend(), node).base() - 1;
    for (auto it = first; it != open_.end(); ++it) {
      found_.of[*it] = static_cast<std::uint32_t>(found_.members.size());
    }
    found_.members.emplace_back(first, open_.end());
    open_.erase(first, open_.end());
  }

  const Adjacency& graph_;
  Components found_;
  std::vector<std::uint32_t> order_, low_;
  std::vector<std::uint32_t> open_;  // seen, in no component so far
  std::vector<Frame> frames_;
  std::uint32_t num_seen_ = 0;
};

}  // namespace

Components StrongComponents(const Adjacency& graph) { return TarjanSearch(graph).Run(); }

}  // namespace espalier
