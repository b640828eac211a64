// ByteTrie: a finite set of byte strings as a deterministic automaton.
//
// Flat arrays, breadth first: the children of a node are neighbours, sorted by byte,
// and every child comes after its parent.
//
// Thread safety: immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace espalier {

class ByteTrie {
 public:
  using Node = std::uint32_t;
  static constexpr Node kRoot = 0;

  // REQUIRES: `strings` is sorted, without duplicates and empty strings, below 4 GB.
  explicit ByteTrie(std::span<const std::string_view> strings);

  std::size_t num_nodes() const { return bytes_.size(); }

  // Sets *next and returns true if `byte` may follow `node`. O(log children).
  bool Step(Node node, std::uint8_t byte, Node* next) const;

  bool is_end(Node node) const { return is_end_[node] != 0; }  // a string ends here
  std::size_t num_children(Node node) const { return first_child_[node + 1] - first_child_[node]; }
  // REQUIRES: num_children(node) > 0
  Node first_child(Node node) const { return first_child_[node]; }
  std::uint8_t byte(Node node) const { return bytes_[node]; }  // that leads to it

 private:
  std::vector<std::uint8_t> bytes_;   // [num_nodes]
  std::vector<std::uint8_t> is_end_;  // [num_nodes]
  std::vector<Node> first_child_;     // [num_nodes + 1]
};

}  // namespace espalier
