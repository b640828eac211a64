// JoinedNetwork: a RuleNetwork joined with the networks that its rules call.
//
// A node is (network, node of it), numbered as it is reached.
//
// Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grammar/ebnf/rule_network.h"
#include "grammar/fuel.h"
#include "grammar/network.h"

namespace espalier {

class JoinedNetwork : public Network {
 public:
  // `rules` calls sections[i] as RuleNetwork::kFirstNetwork + i.
  JoinedNetwork(std::unique_ptr<RuleNetwork> rules, std::vector<std::unique_ptr<Network>> sections,
                const Fuel& fuel);

  NodeId start() override { return 0; }
  const Expansion& Expand(NodeId node) override;
  NodeId Captured(NodeId next, std::string_view text) override;
  bool Supposes(NodeId node) const override;
  std::uint64_t MinBytes(NodeId node) override;

 private:
  struct Inner {
    std::uint32_t network;  // 0: the rules; i + 1: sections[i]
    NodeId node;
  };

  Network& network(std::uint32_t index) {
    return index == 0 ? static_cast<Network&>(*rules_) : *sections_[index - 1];
  }
  const Network& network(std::uint32_t index) const {
    return index == 0 ? static_cast<const Network&>(*rules_) : *sections_[index - 1];
  }
  NodeId Outer(std::uint32_t network, NodeId node);

  const std::unique_ptr<RuleNetwork> rules_;
  const std::vector<std::unique_ptr<Network>> sections_;
  std::vector<Inner> inner_;                                  // [nodes]
  std::vector<std::unique_ptr<const Expansion>> expansions_;  // [nodes], null until made
  std::unordered_map<std::uint64_t, NodeId> outer_;           // by network and node
  const Fuel& fuel_;
  const Expansion nothing_;  // of every node, while there is no fuel
};

}  // namespace espalier
