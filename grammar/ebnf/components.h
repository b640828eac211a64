// Strongly connected components (Tarjan, "Depth-first search and linear graph
// algorithms", 1972), without recursion: graphs here are as deep as a grammar is long.
//
// Thread safety: functions of values.
#pragma once

#include <cstdint>
#include <vector>

namespace espalier {

using Adjacency = std::vector<std::vector<std::uint32_t>>;  // [nodes], the heads of its arcs

struct Components {
  std::vector<std::uint32_t> of;                    // [nodes]
  std::vector<std::vector<std::uint32_t>> members;  // a component comes behind those it leads to
};

Components StrongComponents(const Adjacency& graph);

}  // namespace espalier
