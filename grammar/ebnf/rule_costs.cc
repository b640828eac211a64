#include "grammar/ebnf/rule_costs.h"

#include <functional>
#include <initializer_list>
#include <queue>
#include <utility>

#include "grammar/saturating.h"

namespace espalier {
namespace {

constexpr std::uint64_t kNever = RuleCosts::kNever;
constexpr std::uint32_t kNone = ~std::uint32_t{0};

struct Term {
  std::uint32_t variable;
  std::uint64_t factor;
};

// Variables whose values are the least that satisfy: result <= constant + sum of
// factor * variable, for each bound. A factor of kNever asks for a variable that is 0.
class LeastCosts {
 public:
  explicit LeastCosts(std::size_t num_variables)
      : values_(num_variables, kNever), first_use_(num_variables, kNone) {}

  void AddBound(std::uint32_t result, std::uint64_t constant, std::initializer_list<Term> terms) {
    const auto bound = static_cast<std::uint32_t>(bounds_.size());
    bounds_.push_back({result, constant, static_cast<std::uint32_t>(terms.size())});
    for (const Term& term : terms) {
      uses_.push_back({bound, term.factor, first_use_[term.variable]});
      first_use_[term.variable] = static_cast<std::uint32_t>(uses_.size() - 1);
    }
    if (terms.size() == 0) queue_.emplace(constant, result);
  }

  std::vector<std::uint64_t> Solve() {
    while (!queue_.empty()) {
      const auto [value, variable] = queue_.top();
      queue_.pop();
      if (values_[variable] != kNever) continue;
      values_[variable] = value;
      for (std::uint32_t use = first_use_[variable]; use != kNone; use = uses_[use].next) {
        Satisfy(uses_[use], value);
      }
    }
    return std::move(values_);
  }

 private:
  struct Bound {
    std::uint32_t result;
    std::uint64_t sum;
    std::uint32_t num_open;  // terms whose values are not known
  };
  struct Use {
    std::uint32_t bound;
    std::uint64_t factor;
    std::uint32_t next;  // use of the same variable
  };

  void Satisfy(const Use& use, std::uint64_t value) {
    Bound& bound = bounds_[use.bound];
    bound.sum = SaturatingAdd(bound.sum, SaturatingMultiply(value, use.factor));
    if (--bound.num_open == 0 && bound.sum != kNever) queue_.emplace(bound.sum, bound.result);
  }

  using Entry = std::pair<std::uint64_t, std::uint32_t>;
  std::vector<std::uint64_t> values_;
  std::vector<std::uint32_t> first_use_;
  std::vector<Bound> bounds_;
  std::vector<Use> uses_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

std::uint32_t Any(Position position) { return 2 * position; }
std::uint32_t NonEmpty(Position position) { return 2 * position + 1; }

void AddText(Position from, Position target, std::uint64_t num_bytes, LeastCosts& costs) {
  if (num_bytes == kNever) return;
  costs.AddBound(Any(from), num_bytes, {{Any(target), 1}});
  costs.AddBound(NonEmpty(from), num_bytes, {{Any(target), 1}});
}

void AddCall(Position from, Position target, Position callee, LeastCosts& costs) {
  costs.AddBound(Any(from), 0, {{Any(callee), 1}, {Any(target), 1}});
  costs.AddBound(NonEmpty(from), 0, {{NonEmpty(callee), 1}, {Any(target), 1}});
  costs.AddBound(NonEmpty(from), 0, {{Any(callee), kNever}, {NonEmpty(target), 1}});
}

void AddArc(const RuleGraph& graph, Position from, const Arc& arc, std::uint64_t num_bytes,
            LeastCosts& costs) {
  switch (arc.kind) {
    case Arc::Kind::kEmpty:
      costs.AddBound(Any(from), 0, {{Any(arc.target), 1}});
      costs.AddBound(NonEmpty(from), 0, {{NonEmpty(arc.target), 1}});
      break;
    case Arc::Kind::kCall: AddCall(from, arc.target, graph.subnet(arc.label).start, costs); break;
    case Arc::Kind::kEdge:
    case Arc::Kind::kNetwork: AddText(from, arc.target, num_bytes, costs);
  }
}

void AddCounter(const RuleGraph& graph, const Subnet& subnet, LeastCosts& costs) {
  const Position body = graph.subnet(subnet.body).start;
  const std::uint32_t rounds = subnet.min == 0 ? 1 : subnet.min;
  if (subnet.min == 0) costs.AddBound(Any(subnet.start), 0, {});
  costs.AddBound(Any(subnet.start), 0, {{Any(body), rounds}});
  costs.AddBound(NonEmpty(subnet.start), 0, {{NonEmpty(body), rounds}});
  costs.AddBound(NonEmpty(subnet.start), 0, {{Any(body), kNever}, {NonEmpty(body), 1}});
}

}  // namespace

RuleCosts::RuleCosts(const RuleGraph& graph, RegexSet& set,
                     std::span<const std::uint64_t> network_costs)
    : graph_(graph) {
  LeastCosts costs(2 * graph.num_positions());
  for (SubnetId id = 0; id < graph.num_subnets(); ++id) {
    const Subnet& subnet = graph.subnet(id);
    if (subnet.counts()) {
      AddCounter(graph, subnet, costs);
    } else {
      costs.AddBound(Any(subnet.end), 0, {});
    }
  }
  for (Position position = 0; position < graph.num_positions(); ++position) {
    for (const Arc& arc : graph.arcs(position)) {
      std::uint64_t num_bytes = 0;
      if (arc.kind == Arc::Kind::kEdge) num_bytes = set.MinBytes(arc.label);
      if (arc.kind == Arc::Kind::kNetwork) num_bytes = network_costs[arc.label];
      AddArc(graph, position, arc, num_bytes, costs);
    }
  }
  costs_ = costs.Solve();
}

std::uint64_t RuleCosts::ToEnd(Position position, std::uint32_t count) const {
  const Subnet& subnet = graph_.subnet(graph_.owner(position));
  if (!subnet.counts()) return costs_[2 * position];
  const std::uint32_t rounds = MinRounds(subnet);
  return count >= rounds ? 0 : SaturatingMultiply(rounds - count, NonEmpty(subnet.body));
}

}  // namespace espalier
