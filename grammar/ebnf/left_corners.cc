#include "grammar/ebnf/left_corners.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "grammar/saturating.h"

namespace espalier {

LeftCorners::LeftCorners(const RuleGraph& graph, const RuleCosts& costs)
    : graph_(graph),
      costs_(costs),
      recursive_(graph.num_subnets(), false),
      resumes_(graph.num_subnets()) {
  std::vector<std::vector<FirstCall>> first_calls;  // [subnets]
  Adjacency adjacency(graph.num_subnets());
  std::vector<bool> seen(graph.num_positions(), false);
  for (SubnetId caller = 0; caller < graph.num_subnets(); ++caller) {
    first_calls.push_back(FirstCalls(caller, seen));
    for (const FirstCall& call : first_calls.back()) adjacency[caller].push_back(call.callee);
  }
  groups_ = StrongComponents(adjacency);
  for (SubnetId caller = 0; caller < graph.num_subnets(); ++caller) {
    for (const FirstCall& call : first_calls[caller]) {
      if (!SameGroup(caller, call.callee)) continue;
      recursive_[caller] = recursive_[call.callee] = true;
      resumes_[call.callee].push_back(call.resume);
    }
  }
}

// The calls that a rule can make before it has spelled anything.
std::vector<LeftCorners::FirstCall> LeftCorners::FirstCalls(SubnetId id,
                                                            std::vector<bool>& seen) const {
  const Subnet& subnet = graph_.subnet(id);
  std::vector<FirstCall> calls;
  const auto add = [&](SubnetId callee, Resume resume) {
    if (costs_.NonEmpty(callee) != RuleCosts::kNever && costs_.live(resume.position)) {
      calls.push_back({callee, resume});
    }
  };
  if (subnet.counts()) {
    add(subnet.body, {subnet.start, 1});
    return calls;
  }
  std::vector<Position> open = {subnet.start};
  seen[subnet.start] = true;
  while (!open.empty()) {
    const Position position = open.back();
    open.pop_back();
    for (const Arc& arc : graph_.arcs(position)) {
      const bool is_call = arc.kind == Arc::Kind::kCall;
      if (is_call) add(arc.label, {arc.target, 0});
      const bool may_skip =
          arc.kind == Arc::Kind::kEmpty || (is_call && costs_.nullable(arc.label));
      if (!may_skip || seen[arc.target]) continue;
      seen[arc.target] = true;
      open.push_back(arc.target);
    }
  }
  return calls;
}

std::uint64_t LeftCorners::Climb(SubnetId subnet, SubnetId wanted) {
  const auto [it, is_new] = climbs_.try_emplace(wanted);
  if (is_new) it->second = ClimbsTo(wanted);
  return it->second.at(subnet);
}

// Dijkstra, from `wanted` down: a rule whose left end is B costs B what follows its call.
std::unordered_map<SubnetId, std::uint64_t> LeftCorners::ClimbsTo(SubnetId wanted) const {
  std::unordered_map<SubnetId, std::vector<std::pair<SubnetId, std::uint64_t>>> left_ends;
  for (const SubnetId callee : Group(wanted)) {
    for (const Resume& resume : Resumes(callee)) {
      const std::uint64_t rest = costs_.ToEnd(resume.position, resume.count);
      left_ends[graph_.owner(resume.position)].emplace_back(callee, rest);
    }
  }
  using Entry = std::pair<std::uint64_t, SubnetId>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  std::unordered_map<SubnetId, std::uint64_t> costs;
  queue.emplace(0, wanted);
  while (!queue.empty()) {
    const auto [cost, subnet] = queue.top();
    queue.pop();
    if (!costs.emplace(subnet, cost).second) continue;
    for (const auto& [callee, rest] : left_ends[subnet]) {
      queue.emplace(SaturatingAdd(cost, rest), callee);
    }
  }
  return costs;
}

}  // namespace espalier
