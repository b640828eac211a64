// Grammars from raw bytes: compiling must answer with a Status, and a network that comes
// of it must be without dead ends and without calls in a cycle.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "grammar/ebnf/ebnf.h"
#include "kernels/base/check.h"
#include "tests/grammar/grammar_sources.h"

namespace {

using espalier::NodeId;

constexpr std::uint64_t kFuel = 2'000'000;
constexpr std::size_t kMaxNodes = 200;

void CheckNode(espalier::Network& network, NodeId node, espalier::RegexSet& set,
               const espalier::Fuel& fuel) {
  const espalier::Expansion& expansion = network.Expand(node);
  if (fuel.exhausted()) return;
  ESP_CHECK(expansion.can_return || !expansion.edges.empty() || !expansion.calls.empty());
  for (const espalier::Edge& edge : expansion.edges) {
    ESP_CHECK(!set.IsNothing(edge.regex) || fuel.exhausted());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  espalier::Fuel fuel(kFuel);
  espalier::RegexSet set(fuel);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto network = espalier::MakeEbnfNetwork(text, espalier::NoSources(), set, fuel);
  if (!network.ok()) return 0;
  std::vector<NodeId> open = {(*network)->start()};
  std::unordered_set<NodeId> seen(open.begin(), open.end());
  for (std::size_t i = 0; i < open.size() && i < kMaxNodes && !fuel.exhausted(); ++i) {
    CheckNode(**network, open[i], set, fuel);
    (*network)->MinBytes(open[i]);
    const espalier::Expansion& expansion = (*network)->Expand(open[i]);
    const auto reach = [&](NodeId node) {
      if (seen.insert(node).second) open.push_back(node);
    };
    for (const espalier::Edge& edge : expansion.edges) reach(edge.next);
    for (const espalier::Call& call : expansion.calls) {
      reach(call.callee);
      reach(call.next);
    }
  }
  return 0;
}
