// AssertionGraph: a pattern with assertions as a graph whose edges are pieces of text, and
// assertions between them.
//
// Node 0 is where the pattern begins and the last node is where it ends. Edges lead to nodes
// of higher numbers, except within loops: the nodes of a loop that stands in no other loop
// have numbers in a row, and its head is the first of them and the only way in. A repeat
// with bounds is written out, as each of its turns meets the assertions at another place.
//
// Each lookahead is a graph of its own. Each lookbehind is a language: the texts up to a
// place where it holds.
//
// Thread safety: thread-compatible.
#pragma once

#include <cstdint>
#include <vector>

#include "grammar/regex/code_point_set.h"
#include "grammar/regex/pattern_tree.h"
#include "grammar/regex/text_regex.h"
#include "kernels/base/status.h"

namespace espalier {

enum class GraphEdgeKind : std::uint8_t { kPiece, kAhead, kBehind };

struct GraphEdge {
  GraphEdgeKind kind;
  Expect expect = Expect::kMatch;    // of an assertion
  RegexId piece = RegexSet::kEmpty;  // kPiece: the texts between the two nodes
  std::uint32_t index = 0;           // kAhead: which graph; kBehind: which lookbehind
  std::uint32_t to = 0;
};

struct GraphNode {
  std::vector<GraphEdge> edges;
  std::uint32_t loop = 0;   // the outermost loop around this node; 0: none
  std::uint64_t asked = 0;  // bit i: lookbehind i may be asked for from here on
};

struct AssertionGraph {
  std::vector<GraphNode> nodes;
};

struct AssertionProgram {
  std::vector<AssertionGraph> graphs;  // the pattern, then the lookaheads
  std::vector<RegexId> behinds;
};

// A tree with what its assertions need. The references must outlive it.
struct AssertionSource {
  const PatternTree& tree;
  const std::vector<RegexId>& pieces;  // of LowerPieces
  std::vector<CodePointSet> sets;      // of all characters within assertions
  TextRegex& text;
};

enum class PartKind : std::uint8_t { kPattern, kBehind };

// A part of the tree and the texts that may stand around it, up to both ends of the text.
struct PatternPart {
  PartKind kind;
  PatternNodeId root;
  RegexId before, after;
};

// kLimit: the graph becomes too large. kUnsupported: a lookahead within a lookbehind.
Result<AssertionProgram> MakeAssertionProgram(const AssertionSource& source,
                                              const PatternPart& part);

}  // namespace espalier
