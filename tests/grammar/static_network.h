// StaticNetwork: a Network from lists, and a recogniser for any Network that is too simple
// to be wrong.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/network.h"
#include "grammar/regex/regex_set.h"

namespace espalier {

class StaticNetwork : public Network {
 public:
  StaticNetwork(RegexSet& set, std::vector<Expansion> nodes) : set_(set), nodes_(std::move(nodes)) {
    FindMinBytes();
    Prune();
  }

  NodeId start() override { return 0; }
  const Expansion& Expand(NodeId node) override { return nodes_[node]; }
  NodeId Captured(NodeId next, std::string_view text) override {
    return captured ? captured(next, text) : next;
  }
  bool Supposes(NodeId node) const override { return supposes && supposes(node); }
  std::uint64_t MinBytes(NodeId node) override { return min_bytes_[node]; }

  std::function<NodeId(NodeId, std::string_view)> captured;
  std::function<bool(NodeId)> supposes;

 private:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max() / 4;

  void FindMinBytes() {
    min_bytes_.assign(nodes_.size(), kNever);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t n = 0; n < nodes_.size(); ++n) {
        std::uint64_t least = nodes_[n].can_return ? 0 : kNever;
        for (const Edge& edge : nodes_[n].edges) {
          least =
              std::min(least, std::min(set_.MinBytes(edge.regex), kNever) + min_bytes_[edge.next]);
        }
        for (const Call& call : nodes_[n].calls) {
          least = std::min(least, min_bytes_[call.callee] + min_bytes_[call.next]);
        }
        if (least >= min_bytes_[n]) continue;
        min_bytes_[n] = least;
        changed = true;
      }
    }
  }

  // Invariant 1 of Network: what can never be completed is not offered.
  void Prune() {
    for (Expansion& node : nodes_) {
      std::erase_if(node.edges, [this](const Edge& edge) {
        return set_.IsNothing(edge.regex) || min_bytes_[edge.next] >= kNever;
      });
      std::erase_if(node.calls, [this](const Call& call) {
        return min_bytes_[call.callee] >= kNever || min_bytes_[call.next] >= kNever;
      });
    }
  }

  RegexSet& set_;
  std::vector<Expansion> nodes_;
  std::vector<std::uint64_t> min_bytes_;
};

// Whether a network without captures accepts a text: for each (node, position), the
// positions where the rule may return, as the least fixpoint of the definition.
class NaiveRecogniser {
 public:
  NaiveRecogniser(Network& network, RegexSet& set) : network_(network), set_(set) {}

  bool Accepts(std::string_view text) {
    text_ = text;
    ends_.clear();
    do {
      changed_ = false;
      done_.clear();
      Ends(network_.start(), 0);
    } while (changed_);
    return ends_[{network_.start(), 0}].contains(text.size());
  }

 private:
  using Key = std::pair<NodeId, std::size_t>;

  const std::set<std::size_t>& Ends(NodeId node, std::size_t from) {
    const Key key = {node, from};
    if (!done_.insert(key).second) return ends_[key];
    std::set<std::size_t> ends = ends_[key];
    const Expansion& expansion = network_.Expand(node);
    if (expansion.can_return) ends.insert(from);
    for (const Edge& edge : expansion.edges) {
      for (std::size_t to = from; to <= text_.size(); ++to) {
        if (set_.Matches(edge.regex, text_.substr(from, to - from)))
          ends.merge(Copy(edge.next, to));
      }
    }
    for (const Call& call : expansion.calls) {
      for (const std::size_t to : Copy(call.callee, from)) ends.merge(Copy(call.next, to));
    }
    changed_ = changed_ || ends.size() != ends_[key].size();
    return ends_[key] = std::move(ends);
  }
  std::set<std::size_t> Copy(NodeId node, std::size_t from) { return Ends(node, from); }

  Network& network_;
  RegexSet& set_;
  std::string_view text_;
  std::map<Key, std::set<std::size_t>> ends_;
  std::set<Key> done_;  // in this round
  bool changed_ = false;
};

}  // namespace espalier
