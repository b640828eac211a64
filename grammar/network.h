// Network: a grammar as a recursive transition network (Woods, "Transition network
// grammars for natural language analysis", 1970, section 2), made as far as it is walked.
//
// A node says what may come next: an edge spells some text of a regular language and goes
// on at another node; a call walks the network of a rule, and goes on when that returns.
// Front ends implement this: a rule of EBNF has its nodes from the start, while the nodes
// of a JSON object are (schema, keys seen so far, ...) and appear when they are reached.
//
// Invariants:
// 1. No dead ends: each edge and each call can be completed, and so can what follows.
// 2. No left recursion: calls made without spelling anything form no cycle.
// 3. An expansion never changes, and lives as long as the network.
//
// Thread safety: none: expanding may make nodes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "grammar/regex/regex_set.h"

namespace espalier {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = ~NodeId{0};

// Whether the text that an edge or a call spelled decides where the walk goes on.
enum class Capture : std::uint8_t { kNo, kYes };

struct Edge {
  RegexId regex;
  NodeId next;
  Capture capture = Capture::kNo;
};

struct Call {
  NodeId callee;
  NodeId next;
  Capture capture = Capture::kNo;
};

struct Expansion {
  bool can_return = false;  // the rule may be complete here
  std::vector<Edge> edges;
  std::vector<Call> calls;
};

class Network {
 public:
  virtual ~Network() = default;

  virtual NodeId start() = 0;
  virtual const Expansion& Expand(NodeId node) = 0;

  // Where the walk goes on behind a captured edge or call to `next` that spelled `text`;
  // kNoNode if it may not. The language of `next` itself contains that of Captured(next,
  // text) for every text.
  virtual NodeId Captured(NodeId next, std::string_view text) = 0;

  // A walk that does not know the text goes on at `next` itself. True of the nodes on its
  // way from which on more may be offered to it than to one that knows. They are reached by
  // edges and returns, never called.
  virtual bool Supposes(NodeId node) const = 0;

  // Bytes of the shortest way from `node` to where its rule returns.
  virtual std::uint64_t MinBytes(NodeId node) = 0;
};

}  // namespace espalier
