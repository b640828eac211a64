// Structural tags from raw bytes: compiling must answer with a Status, and a network that
// comes of it must be without dead ends.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "grammar/ebnf/ebnf.h"
#include "grammar/tags/structural_tags.h"
#include "kernels/base/check.h"
#include "tests/grammar/grammar_sources.h"

namespace {

using espalier::NodeId;

constexpr std::uint64_t kFuel = 2'000'000;
constexpr std::size_t kMaxNodes = 200;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  espalier::Fuel fuel(kFuel);
  espalier::RegexSet set(fuel);
  const espalier::SchemaSection section = [&](std::string_view, espalier::PropertyOrder) {
    return espalier::MakeEbnfNetwork("root ::= \"{\" root? \"}\"", espalier::NoSources(), set,
                                     fuel);
  };
  const espalier::Vocabulary vocabulary({"a", "", ""}, {}, {{1, "<t>"}, {2, "<u>"}});
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto network = espalier::MakeTagsNetwork(text, {vocabulary, section}, set, fuel);
  if (!network.ok()) return 0;
  std::vector<NodeId> open = {(*network)->start()};
  std::unordered_set<NodeId> seen(open.begin(), open.end());
  for (std::size_t i = 0; i < open.size() && i < kMaxNodes; ++i) {
    const espalier::Expansion& expansion = (*network)->Expand(open[i]);
    if (fuel.exhausted()) return 0;
    ESP_CHECK(expansion.can_return || !expansion.edges.empty() || !expansion.calls.empty());
    (*network)->MinBytes(open[i]);
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
