// RuleNetwork: the Network of a grammar's rules.
//
// A node is a position of the RuleGraph, with two things beside it: how many rounds of a
// repeat are done, and, inside a left-recursive group, which rule of it is wanted
// (left_corners.h). Nodes are made as they are reached. All calls are for texts that are
// not empty; what may be empty is also skipped, when a node is expanded.
//
// A call at the very end of a rule is replaced by what it calls, so right recursion, the
// common way to write a list, does not deepen the stack of a walk.
//
// Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grammar/ebnf/left_corners.h"
#include "grammar/ebnf/rule_costs.h"
#include "grammar/ebnf/rule_graph.h"
#include "grammar/fuel.h"
#include "grammar/network.h"

namespace espalier {

class RuleNetwork : public Network {
 public:
  static constexpr NodeId kFirstNetwork = NodeId{1} << 31;

  // A call of network i beside the rules has the callee kFirstNetwork + i: whoever has the
  // networks puts them there (grammar/tags). `network_costs` has the bytes of the shortest
  // text of each. If !has_text(), no text is in the language, and no other call may follow.
  RuleNetwork(RuleGraph graph, RegexSet& set, Fuel& fuel,
              std::span<const std::uint64_t> network_costs = {});
  RuleNetwork(const RuleNetwork&) = delete;
  RuleNetwork& operator=(const RuleNetwork&) = delete;

  NodeId start() override { return 0; }
  const Expansion& Expand(NodeId node) override;
  NodeId Captured(NodeId next, std::string_view text) override;
  bool Supposes(NodeId /*node*/) const override { return false; }
  std::uint64_t MinBytes(NodeId node) override;

  bool has_text() const { return costs_.live(graph_.subnet(graph_.root()).start); }

 private:
  // What has been spelled of a rule: of a fresh one nothing, so that it cannot return.
  enum class Progress : std::uint32_t { kFresh, kBegun };

  struct Place {
    Position position = 0;
    std::uint32_t count = 0;
    SubnetId wanted = kNoSubnet;  // kNoSubnet outside of left-recursive groups
    Progress progress = Progress::kBegun;
    friend bool operator==(const Place&, const Place&) = default;
  };
  struct PlaceHash {
    std::size_t operator()(const Place& place) const;
  };
  class Expander;

  NodeId NodeOf(const Place& place);
  NodeId EntryOf(SubnetId subnet);

  const RuleGraph graph_;
  RegexSet& set_;
  Fuel& fuel_;
  const RuleCosts costs_;
  LeftCorners corners_;
  std::vector<Place> places_;  // [nodes]; of an entry: the fresh start of its rule
  std::vector<std::unique_ptr<const Expansion>> expansions_;  // [nodes], null until made
  std::unordered_map<Place, NodeId, PlaceHash> nodes_;
  const Expansion nothing_;  // of every node, while there is no fuel
};

}  // namespace espalier
