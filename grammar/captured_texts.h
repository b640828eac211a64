// CapturedTexts: texts that grow a byte at a time, as nodes of a trie, so that a text is an
// integer and appending to it is a table lookup.
//
// Thread safety: none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "grammar/integer_map.h"

namespace espalier {

class CapturedTexts {
 public:
  using Id = std::uint32_t;
  static constexpr Id kNone = 0;     // nothing is being captured; appending changes nothing
  static constexpr Id kUnknown = 1;  // some text that is not known; so is what grows from it
  static constexpr Id kStart = 2;    // the empty text

  Id Append(Id text, std::uint8_t byte) {
    if (text < kStart) return text;
    const std::uint64_t key = std::uint64_t{text} << 8 | byte;
    if (const Id* found = children_.Find(key)) return *found;
    const Id id = static_cast<Id>(nodes_.size());
    nodes_.push_back({text, static_cast<char>(byte)});
    children_.Set(key, id);
    return id;
  }

  // What was appended to `from` to reach `to`. REQUIRES: it was.
  std::string Between(Id from, Id to) const {
    std::string text;
    for (Id id = to; id != from; id = nodes_[id].parent) text.push_back(nodes_[id].byte);
    std::reverse(text.begin(), text.end());
    return text;
  }

  std::size_t size_bytes() const {
    return nodes_.capacity() * sizeof(Node) + children_.size_bytes();
  }

 private:
  struct Node {
    Id parent;
    char byte;
  };
  std::vector<Node> nodes_ = std::vector<Node>(kStart + 1);
  IntegerMap children_;
};

}  // namespace espalier
