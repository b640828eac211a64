// LeftCorners: which rules stand at the left end of which, and the groups that do so in
// a cycle: the left-recursive ones.
//
// A left-recursive group is walked bottom-up (the left-corner transform; Rosenkrantz and
// Lewis, "Deterministic left corner parsing", 1970): whoever wants rule W of the group
// begins with any text that begins a rule B of it and calls no other; when B is complete,
// it is the left end of some C of the group, which goes on behind its call to B, until a
// complete rule is W. Left ends are found through all that may be empty, so hidden left
// recursion is the same case.
//
// Thread safety: none; distances are computed when first asked for.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "grammar/ebnf/components.h"
#include "grammar/ebnf/rule_costs.h"
#include "grammar/ebnf/rule_graph.h"

namespace espalier {

class LeftCorners {
 public:
  struct Resume {
    Position position;
    std::uint32_t count;  // of rounds done, where the position counts
  };

  LeftCorners(const RuleGraph& graph, const RuleCosts& costs);

  bool recursive(SubnetId subnet) const { return recursive_[subnet]; }
  // The rules that are left-recursive with `subnet`; itself alone if it is not.
  std::span<const SubnetId> Group(SubnetId subnet) const {
    return groups_.members[groups_.of[subnet]];
  }
  bool SameGroup(SubnetId a, SubnetId b) const { return groups_.of[a] == groups_.of[b]; }

  // Where rules of the group go on when `subnet`, which was their left end, is complete.
  std::span<const Resume> Resumes(SubnetId subnet) const { return resumes_[subnet]; }

  // Bytes of the shortest way from `subnet` complete to `wanted` complete.
  // REQUIRES: they are of one recursive group
  std::uint64_t Climb(SubnetId subnet, SubnetId wanted);

 private:
  struct FirstCall {
    SubnetId callee;
    Resume resume;
  };
  std::vector<FirstCall> FirstCalls(SubnetId subnet, std::vector<bool>& seen) const;
  std::unordered_map<SubnetId, std::uint64_t> ClimbsTo(SubnetId wanted) const;

  const RuleGraph& graph_;
  const RuleCosts& costs_;
  Components groups_;
  std::vector<bool> recursive_;                                                       // [subnets]
  std::vector<std::vector<Resume>> resumes_;                                          // [subnets]
  std::unordered_map<SubnetId, std::unordered_map<SubnetId, std::uint64_t>> climbs_;  // [wanted]
};

}  // namespace espalier
