// RuleGraph: the rules of a grammar as transition networks, without what is regular: a
// maximal regular part of a rule is one arc.
//
// Each rule that is not regular is a subnet: positions, and arcs between them. Texts on
// edges are never empty: an edge whose regex could be is split into an empty arc and the
// rest, so that it stays visible what a walk may skip. A repeat that counts a body which
// is not regular is a subnet of its own, with one position, and the count beside it.
//
// Thread safety: immutable.
#pragma once

#include <cstdint>
#include <vector>

#include "grammar/ebnf/rule_regexes.h"
#include "grammar/ebnf/rule_set.h"
#include "grammar/regex/regex_set.h"

namespace espalier {

using Position = std::uint32_t;
using SubnetId = std::uint32_t;
inline constexpr SubnetId kNoSubnet = ~SubnetId{0};

struct Arc {
  enum class Kind : std::uint8_t { kEmpty, kEdge, kCall, kNetwork };
  Kind kind;
  std::uint32_t label;  // kEdge: RegexId; kCall: SubnetId; kNetwork: as in Expr
  Position target;
};

struct Subnet {
  Position start = 0;
  Position end = 0;  // where the rule is complete; no arcs leave it

  // A repeat: `body` between min and max times; start and end are the same position.
  SubnetId body = kNoSubnet;
  std::uint32_t min = 0, max = 0;
  bool counts() const { return body != kNoSubnet; }
};

class RuleGraph {
 public:
  // Of what `start` refers to.
  RuleGraph(const RuleSet& rules, RuleId start, RuleRegexes& regexes, RegexSet& set);

  SubnetId root() const { return 0; }
  std::size_t num_subnets() const { return subnets_.size(); }
  const Subnet& subnet(SubnetId id) const { return subnets_[id]; }
  std::size_t num_positions() const { return arcs_.size(); }
  const std::vector<Arc>& arcs(Position position) const { return arcs_[position]; }
  SubnetId owner(Position position) const { return owners_[position]; }

 private:
  friend class RuleGraphBuilder;
  std::vector<Subnet> subnets_;
  std::vector<std::vector<Arc>> arcs_;  // [positions]
  std::vector<SubnetId> owners_;        // [positions]
};

}  // namespace espalier
