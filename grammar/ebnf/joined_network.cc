#include "grammar/ebnf/joined_network.h"

#include <utility>

namespace espalier {

JoinedNetwork::JoinedNetwork(std::unique_ptr<RuleNetwork> rules,
                             std::vector<std::unique_ptr<Network>> sections, const Fuel& fuel)
    : rules_(std::move(rules)), sections_(std::move(sections)), fuel_(fuel) {
  Outer(0, rules_->start());
}

NodeId JoinedNetwork::Outer(std::uint32_t network_index, NodeId node) {
  if (network_index == 0 && node >= RuleNetwork::kFirstNetwork) {
    network_index = node - RuleNetwork::kFirstNetwork + 1;
    node = network(network_index).start();
  }
  const std::uint64_t key = std::uint64_t{network_index} << 32 | node;
  const auto [it, is_new] = outer_.emplace(key, static_cast<NodeId>(inner_.size()));
  if (is_new) inner_.push_back({network_index, node});
  return it->second;
}

const Expansion& JoinedNetwork::Expand(NodeId node) {
  if (expansions_.size() <= node) expansions_.resize(inner_.size());
  if (expansions_[node] == nullptr) {
    const Inner inner = inner_[node];
    auto expansion = std::make_unique<Expansion>(network(inner.network).Expand(inner.node));
    if (fuel_.exhausted()) return nothing_;  // not kept: it is made whole once there is fuel
    for (Edge& edge : expansion->edges) edge.next = Outer(inner.network, edge.next);
    for (Call& call : expansion->calls) {
      call.callee = Outer(inner.network, call.callee);
      call.next = Outer(inner.network, call.next);
    }
    expansions_[node] = std::move(expansion);
  }
  return *expansions_[node];
}

NodeId JoinedNetwork::Captured(NodeId next, std::string_view text) {
  const Inner inner = inner_[next];
  const NodeId node = network(inner.network).Captured(inner.node, text);
  return node == kNoNode ? kNoNode : Outer(inner.network, node);
}

bool JoinedNetwork::Supposes(NodeId node) const {
  const Inner inner = inner_[node];
  return network(inner.network).Supposes(inner.node);
}

std::uint64_t JoinedNetwork::MinBytes(NodeId node) {
  const Inner inner = inner_[node];
  return network(inner.network).MinBytes(inner.node);
}

}  // namespace espalier
