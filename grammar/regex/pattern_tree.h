// PatternTree: what a pattern says, before it becomes a language.
//
// Flags, classes and escapes are resolved to sets of code points. Every assertion is a
// lookahead or a lookbehind: ^ says that no character stands before, $ that none follows,
// \b that a word character stands on one side only.
//
// Invariant: the children of a node have smaller numbers than the node.
//
// Thread safety: thread-compatible.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "grammar/regex/code_point_set.h"

namespace espalier {

using PatternNodeId = std::uint32_t;

enum class PatternKind : std::uint8_t { kChars, kConcat, kOr, kRepeat, kAhead, kBehind };

// Whether what an assertion looks for must be there or must not.
enum class Expect : std::uint8_t { kMatch, kNoMatch };

struct PatternNode {
  PatternKind kind;
  Expect expect = Expect::kMatch;  // kAhead, kBehind
  bool asserts = false;            // this node is an assertion or holds one
  std::uint32_t set = 0;           // kChars: which of the sets
  std::uint32_t min = 0, max = 0;  // kRepeat; max may be RegexSet::kUnbounded
  std::uint32_t first_child = 0, num_children = 0;
};

class PatternTree {
 public:
  PatternNodeId Chars(const CodePointSet& set);
  PatternNodeId Concat(std::span<const PatternNodeId> parts);
  PatternNodeId Or(std::span<const PatternNodeId> parts);
  PatternNodeId Repeat(PatternNodeId node, std::uint32_t min, std::uint32_t max);
  PatternNodeId Ahead(Expect expect, PatternNodeId node);
  PatternNodeId Behind(Expect expect, PatternNodeId node);

  // The assertion at a place where a character of `set` stands on one side, and none on the
  // other; or, with kNoMatch, where the two sides agree.
  PatternNodeId Edge(Expect expect, const CodePointSet& set);

  std::size_t size() const { return nodes_.size(); }
  const PatternNode& node(PatternNodeId id) const { return nodes_[id]; }
  std::span<const PatternNodeId> children(PatternNodeId id) const {
    return std::span(children_).subspan(nodes_[id].first_child, nodes_[id].num_children);
  }
  // REQUIRES: kChars
  const CodePointSet& chars(PatternNodeId id) const { return sets_[nodes_[id].set]; }

 private:
  PatternNodeId Add(PatternNode node, std::span<const PatternNodeId> children);

  std::vector<PatternNode> nodes_;
  std::vector<PatternNodeId> children_;
  std::vector<CodePointSet> sets_;
  std::map<std::vector<CodePointSet::Range>, std::uint32_t> set_index_;
};

}  // namespace espalier
