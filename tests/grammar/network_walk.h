// The plainest readings of a Network: which texts it takes, and what the shortest costs.
// Oracles for the front ends that make networks; they are slow and have no cleverness.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/network.h"
#include "grammar/regex/regex_set.h"

namespace espalier {

class NetworkWalk {
 public:
  NetworkWalk(Network& network, RegexSet& set, std::string_view text)
      : network_(network), set_(set), text_(text) {}

  bool Accepts() { return Ends(network_.start(), 0).contains(text_.size()); }
  // True if a node was reached again by calls that spelled nothing.
  bool found_cycle() const { return found_cycle_; }

 private:
  using Ends_ = std::set<std::size_t>;

  // Where the rule that `node` is in can return, when it goes on at `begin`.
  Ends_ Ends(NodeId node, std::size_t begin) {
    const std::pair key(node, begin);
    if (const auto it = memo_.find(key); it != memo_.end()) return it->second;
    if (!open_.insert(key).second) {
      found_cycle_ = true;
      return {};
    }
    const Expansion& expansion = network_.Expand(node);
    Ends_ ends;
    if (expansion.can_return) ends.insert(begin);
    for (const Edge& edge : expansion.edges) {
      for (const std::size_t middle : EdgeEnds(edge.regex, begin))
        ends.merge(Ends(edge.next, middle));
    }
    for (const Call& call : expansion.calls) {
      for (const std::size_t middle : Ends(call.callee, begin)) ends.merge(Ends(call.next, middle));
    }
    open_.erase(key);
    return memo_[key] = ends;
  }

  Ends_ EdgeEnds(RegexId regex, std::size_t begin) {
    Ends_ ends;
    for (std::size_t at = begin;; ++at) {
      if (set_.nullable(regex)) ends.insert(at);
      if (at == text_.size()) return ends;
      regex = set_.Derive(regex, static_cast<std::uint8_t>(text_[at]));
      if (regex == RegexSet::kNothing) return ends;
    }
  }

  Network& network_;
  RegexSet& set_;
  const std::string_view text_;
  std::map<std::pair<NodeId, std::size_t>, Ends_> memo_;
  std::set<std::pair<NodeId, std::size_t>> open_;
  bool found_cycle_ = false;
};

// Of every node that can be reached: the bytes of its shortest text, ~0 if it has none.
inline std::map<NodeId, std::uint64_t> ShortestOfAll(Network& network, RegexSet& set) {
  constexpr std::uint64_t kNever = ~std::uint64_t{0};
  const auto add = [](std::uint64_t a, std::uint64_t b) { return a > kNever - b ? kNever : a + b; };
  std::map<NodeId, std::uint64_t> costs;
  std::vector<NodeId> open = {network.start()};
  const auto reach = [&](NodeId node) {
    if (costs.emplace(node, kNever).second) open.push_back(node);
  };
  costs[network.start()] = kNever;
  while (!open.empty()) {
    const Expansion& expansion = network.Expand(open.back());
    open.pop_back();
    for (const Edge& edge : expansion.edges) reach(edge.next);
    for (const Call& call : expansion.calls) {
      reach(call.callee);
      reach(call.next);
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& [node, cost] : costs) {
      const Expansion& expansion = network.Expand(node);
      std::uint64_t best = expansion.can_return ? 0 : kNever;
      for (const Edge& edge : expansion.edges) {
        best = std::min(best, add(set.MinBytes(edge.regex), costs.at(edge.next)));
      }
      for (const Call& call : expansion.calls) {
        best = std::min(best, add(costs.at(call.callee), costs.at(call.next)));
      }
      changed = changed || best < cost;
      cost = std::min(best, cost);
    }
  }
  return costs;
}

}  // namespace espalier
