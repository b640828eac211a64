#include "grammar/schema/schema_cycles.h"

#include <cstddef>
#include <cstdint>

namespace espalier {
namespace {

enum class Mark : std::uint8_t { kNew, kOnWay, kDone };

struct Visit {
  SchemaId id;
  std::size_t next = 0;  // successor to go to
};

// The reference first, then allOf; empty behind the last.
std::optional<SchemaId> Successor(const SchemaNode& node, std::size_t index) {
  if (node.ref && index == 0) return node.ref;
  if (node.ref) --index;
  if (index < node.all_of.size()) return node.all_of[index];
  return {};
}

}  // namespace

// Depth-first search (Cormen et al., chapter 20.3): an edge to a node on the way closes a
// cycle.
std::vector<SchemaId> EndlessReferences(const std::vector<SchemaNode>& nodes) {
  std::vector<SchemaId> found;
  std::vector<Mark> marks(nodes.size(), Mark::kNew);
  std::vector<Visit> way;
  for (SchemaId start = 0; start < nodes.size(); ++start) {
    if (marks[start] == Mark::kNew) way.push_back({.id = start});
    while (!way.empty()) {
      Visit& visit = way.back();
      marks[visit.id] = Mark::kOnWay;
      const std::optional<SchemaId> next = Successor(nodes[visit.id], visit.next++);
      if (!next) {
        marks[visit.id] = Mark::kDone;
        way.pop_back();
      } else if (marks[*next] == Mark::kOnWay) {
        found.push_back(*next);
      } else if (marks[*next] == Mark::kNew) {
        way.push_back({.id = *next});
      }
    }
  }
  return found;
}

}  // namespace espalier
