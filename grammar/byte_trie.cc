#include "grammar/byte_trie.h"

#include <algorithm>

namespace espalier {

ByteTrie::ByteTrie(std::span<const std::string_view> strings) {
  struct Range {  // the strings that run through a node
    std::size_t begin, end;
    std::size_t depth;
  };
  std::vector<Range> ranges = {{0, strings.size(), 0}};
  bytes_.push_back(0);
  for (std::size_t node = 0; node < ranges.size(); ++node) {
    auto [at, end, depth] = ranges[node];
    const bool ends_here = at < end && strings[at].size() == depth;
    is_end_.push_back(ends_here ? 1 : 0);
    if (ends_here) ++at;
    first_child_.push_back(static_cast<Node>(ranges.size()));
    while (at < end) {
      const char byte = strings[at][depth];
      std::size_t next = at;
      while (next < end && strings[next][depth] == byte) ++next;
      bytes_.push_back(static_cast<std::uint8_t>(byte));
      ranges.push_back({at, next, depth + 1});
      at = next;
    }
  }
  first_child_.push_back(static_cast<Node>(ranges.size()));
}

bool ByteTrie::Step(Node node, std::uint8_t byte, Node* next) const {
  const auto begin = bytes_.begin() + first_child_[node];
  const auto end = bytes_.begin() + first_child_[node + 1];
  const auto it = std::lower_bound(begin, end, byte);
  if (it == end || *it != byte) return false;
  *next = static_cast<Node>(it - bytes_.begin());
  return true;
}

}  // namespace espalier
