// RuleCosts: the bytes of the shortest text from each position of a RuleGraph to the end
// of its rule; what cannot be completed costs kNever.
//
// Knuth, "A generalization of Dijkstra's algorithm", 1977: the cost of a call is that of
// another rule, so costs are fixed in ascending order over all positions together. Of
// each position there are two: with the empty text, and without it, which is what a rule
// costs to whoever calls it only for texts that are not empty.
//
// Thread safety: immutable.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grammar/ebnf/rule_graph.h"
#include "grammar/regex/regex_set.h"

namespace espalier {

class RuleCosts {
 public:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  // `network_costs`: of the shortest text of each network beside the rules.
  RuleCosts(const RuleGraph& graph, RegexSet& set, std::span<const std::uint64_t> network_costs);

  // From `position` with `count` rounds done (0 where nothing is counted).
  std::uint64_t ToEnd(Position position, std::uint32_t count) const;
  bool live(Position position) const { return costs_[2 * position] != kNever; }

  bool nullable(SubnetId subnet) const { return costs_[2 * graph_.subnet(subnet).start] == 0; }
  // Of the shortest text of the rule that is not empty.
  std::uint64_t NonEmpty(SubnetId subnet) const {
    return costs_[2 * graph_.subnet(subnet).start + 1];
  }
  // Rounds that a counting subnet must make: a body that may be empty need not be made.
  std::uint32_t MinRounds(const Subnet& subnet) const {
    return nullable(subnet.body) ? 0 : subnet.min;
  }

 private:
  const RuleGraph& graph_;
  std::vector<std::uint64_t> costs_;  // [positions][with, without the empty text]
};

}  // namespace espalier
