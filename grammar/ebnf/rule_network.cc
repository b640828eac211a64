#include "grammar/ebnf/rule_network.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "grammar/mix.h"
#include "grammar/saturating.h"
#include "kernels/base/check.h"

namespace espalier {

std::size_t RuleNetwork::PlaceHash::operator()(const Place& place) const {
  return Mix(Mix(std::uint64_t{place.position} << 32 | place.count, place.wanted),
             static_cast<std::uint64_t>(place.progress));
}

// One node's edges and calls: everything that is reached from its place without spelling.
class RuleNetwork::Expander {
 public:
  explicit Expander(RuleNetwork& network) : network_(network) {}

  std::unique_ptr<Expansion> Run(const Place& from) {
    Enter(from);
    while (!open_.empty() && network_.fuel_.Spend(1)) {
      const Place place = open_.back();
      open_.pop_back();
      Visit(place);
    }
    MergeEdges();
    return std::make_unique<Expansion>(std::move(expansion_));
  }

 private:
  const RuleGraph& graph() const { return network_.graph_; }

  void Push(const Place& place) {
    if (seen_.insert(place).second) open_.push_back(place);
  }

  // A fresh start of a left-recursive rule is one of all rules of its group.
  void Enter(const Place& place) {
    const SubnetId subnet = graph().owner(place.position);
    if (place.progress == Progress::kBegun || !network_.corners_.recursive(subnet)) {
      return Push(place);
    }
    for (const SubnetId left_end : network_.corners_.Group(subnet)) {
      Push({.position = graph().subnet(left_end).start,
            .wanted = subnet,
            .progress = Progress::kFresh});
    }
  }

  void Visit(const Place& place) {
    const SubnetId owner = graph().owner(place.position);
    const Subnet& subnet = graph().subnet(owner);
    if (subnet.counts()) {
      VisitCounter(place, subnet);
    } else if (place.position == subnet.end) {
      Complete(place, owner);
    }
    for (const Arc& arc : graph().arcs(place.position)) {
      if (network_.fuel_.Spend(1) && network_.costs_.live(arc.target)) Follow(place, arc);
    }
  }

  void VisitCounter(const Place& place, const Subnet& subnet) {
    const std::uint32_t min = network_.costs_.MinRounds(subnet);
    if (place.count >= min) Complete(place, graph().owner(place.position));
    if (place.count == subnet.max) return;
    Place next = place;
    next.progress = Progress::kBegun;
    const bool endless = subnet.max == RegexSet::kUnbounded;
    next.count = endless ? std::min(place.count + 1, min) : place.count + 1;
    AddCall(place, subnet.body, next);
  }

  void Follow(const Place& place, const Arc& arc) {
    Place next = place;
    next.position = arc.target;
    switch (arc.kind) {
      case Arc::Kind::kEmpty: return Push(next);
      case Arc::Kind::kEdge:
        next.progress = Progress::kBegun;
        expansion_.edges.push_back({arc.label, network_.NodeOf(next)});
        return;
      case Arc::Kind::kNetwork:
        next.progress = Progress::kBegun;
        return AddCallOf(kFirstNetwork + arc.label, next);
      case Arc::Kind::kCall:
        if (network_.costs_.nullable(arc.label)) Push(next);
        next.progress = Progress::kBegun;
        AddCall(place, arc.label, next);
    }
  }

  void AddCall(const Place& from, SubnetId callee, const Place& next) {
    if (network_.costs_.NonEmpty(callee) == RuleCosts::kNever) return;
    const bool is_left_end = from.progress == Progress::kFresh && from.wanted != kNoSubnet &&
                             network_.corners_.SameGroup(callee, from.wanted);
    if (is_left_end) return;  // reached from below, by Complete
    if (OnlyReturns(next)) {
      return Enter({.position = graph().subnet(callee).start, .progress = Progress::kFresh});
    }
    AddCallOf(network_.EntryOf(callee), next);
  }

  void AddCallOf(NodeId callee, const Place& next) {
    const Call call = {callee, network_.NodeOf(next)};
    const std::uint64_t key = std::uint64_t{call.callee} << 32 | call.next;
    if (calls_.insert(key).second) expansion_.calls.push_back(call);
  }

  bool OnlyReturns(const Place& place) const {
    if (place.wanted != kNoSubnet) return false;
    const Subnet& subnet = graph().subnet(graph().owner(place.position));
    return place.position == subnet.end && (!subnet.counts() || place.count == subnet.max);
  }

  void Complete(const Place& place, SubnetId subnet) {
    if (place.progress == Progress::kFresh) return;
    if (place.wanted == kNoSubnet || place.wanted == subnet) expansion_.can_return = true;
    if (place.wanted == kNoSubnet) return;
    for (const LeftCorners::Resume& resume : network_.corners_.Resumes(subnet)) {
      Push({.position = resume.position, .count = resume.count, .wanted = place.wanted});
    }
  }

  // Edges to one node become one.
  void MergeEdges() {
    std::vector<Edge>& edges = expansion_.edges;
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
      return std::tie(a.next, a.regex) < std::tie(b.next, b.regex);
    });
    std::vector<Edge> merged;
    std::vector<RegexId> regexes;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      regexes.push_back(edges[i].regex);
      if (i + 1 < edges.size() && edges[i + 1].next == edges[i].next) continue;
      merged.push_back({network_.set_.Or(regexes), edges[i].next});
      regexes.clear();
    }
    edges = std::move(merged);
  }

  RuleNetwork& network_;
  Expansion expansion_;
  std::vector<Place> open_;
  std::unordered_set<Place, PlaceHash> seen_;
  std::unordered_set<std::uint64_t> calls_;
};

RuleNetwork::RuleNetwork(RuleGraph graph, RegexSet& set, Fuel& fuel,
                         std::span<const std::uint64_t> network_costs)
    : graph_(std::move(graph)),
      set_(set),
      fuel_(fuel),
      costs_(graph_, set, network_costs),
      corners_(graph_, costs_) {
  // The start may return at once where its rule may be empty, so it is not EntryOf(root).
  places_.push_back({.position = graph_.subnet(graph_.root()).start, .progress = Progress::kFresh});
}

NodeId RuleNetwork::NodeOf(const Place& place) {
  const auto [it, is_new] = nodes_.emplace(place, static_cast<NodeId>(places_.size()));
  if (is_new) places_.push_back(place);
  return it->second;
}

NodeId RuleNetwork::EntryOf(SubnetId subnet) {
  return NodeOf({.position = graph_.subnet(subnet).start, .progress = Progress::kFresh});
}

const Expansion& RuleNetwork::Expand(NodeId node) {
  if (expansions_.size() < places_.size()) expansions_.resize(places_.size());
  if (expansions_[node] == nullptr) {
    const Place place = places_[node];
    std::unique_ptr<Expansion> made = Expander(*this).Run(place);
    if (fuel_.exhausted()) return nothing_;  // not kept: it is made whole once there is fuel
    if (node == start()) made->can_return = costs_.nullable(graph_.root());
    expansions_[node] = std::move(made);
  }
  return *expansions_[node];
}

NodeId RuleNetwork::Captured(NodeId next, std::string_view) { return next; }

std::uint64_t RuleNetwork::MinBytes(NodeId node) {
  const Place& place = places_[node];
  const SubnetId owner = graph_.owner(place.position);
  if (node == start() && costs_.nullable(owner)) return 0;
  if (place.progress == Progress::kFresh) return costs_.NonEmpty(owner);
  const std::uint64_t rest = costs_.ToEnd(place.position, place.count);
  if (place.wanted == kNoSubnet) return rest;
  return SaturatingAdd(rest, corners_.Climb(owner, place.wanted));
}

}  // namespace espalier
