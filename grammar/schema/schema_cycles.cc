#include "grammar/schema/schema_cycles.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace espalier {
namespace {

enum class Mark : std::uint8_t { kNew, kOnWay, kDone };

struct Visit {
  SchemaId id;
  std::vector<SchemaId> in_place;
  std::size_t next = 0;  // of in_place
};

// The schemas that are applied to the value to which the node is.
std::vector<SchemaId> InPlace(const SchemaNode& node) {
  std::vector<SchemaId> ids;
  const auto add = [&ids](std::optional<SchemaId> id) {
    if (id) ids.push_back(*id);
  };
  add(node.ref);
  if (node.dynamic_ref) add(node.dynamic_ref->target);
  for (const auto* list : {&node.all_of, &node.any_of, &node.one_of}) {
    ids.insert(ids.end(), list->begin(), list->end());
  }
  for (const auto& id : {node.not_of, node.if_of}) add(id);
  if (node.if_of) {
    for (const auto& id : {node.then_of, node.else_of}) add(id);
  }
  for (const auto& [name, id] : node.dependent_schemas) add(id);
  return ids;
}

}  // namespace

// Depth-first search (Cormen et al., chapter 20.3): an edge to a node on the way closes a
// cycle.
std::vector<SchemaId> EndlessReferences(const std::vector<SchemaNode>& nodes) {
  std::vector<SchemaId> found;
  std::vector<Mark> marks(nodes.size(), Mark::kNew);
  std::vector<Visit> way;
  const auto enter = [&](SchemaId id) {
    marks[id] = Mark::kOnWay;
    way.push_back({.id = id, .in_place = InPlace(nodes[id])});
  };
  for (SchemaId start = 0; start < nodes.size(); ++start) {
    if (marks[start] == Mark::kNew) enter(start);
    while (!way.empty()) {
      Visit& visit = way.back();
      if (visit.next == visit.in_place.size()) {
        marks[visit.id] = Mark::kDone;
        way.pop_back();
        continue;
      }
      const SchemaId next = visit.in_place[visit.next++];
      if (marks[next] == Mark::kOnWay) found.push_back(next);
      if (marks[next] == Mark::kNew) enter(next);
    }
  }
  return found;
}

}  // namespace espalier
