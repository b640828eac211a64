// What a pattern's tree matches, by trying everything: the definition of each node, too
// simple to be wrong and too slow for anything but tests.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "grammar/regex/pattern.h"
#include "grammar/regex/pattern_tree.h"

namespace espalier {

class PatternOracle {
 public:
  PatternOracle(const PatternTree& tree, std::u32string text)
      : tree_(tree), text_(std::move(text)) {}

  bool Matches(PatternNodeId root, PatternDialect dialect) const {
    if (dialect == PatternDialect::kPython) return Ends(root, 0).contains(text_.size());
    for (std::size_t i = 0; i <= text_.size(); ++i) {
      if (!Ends(root, i).empty()) return true;
    }
    return false;
  }

 private:
  using Places = std::set<std::size_t>;

  // Where a match that begins at `at` may end.
  Places Ends(PatternNodeId id, std::size_t at) const {
    const PatternNode& node = tree_.node(id);
    switch (node.kind) {
      case PatternKind::kChars:
        return at < text_.size() && tree_.chars(id).Contains(text_[at]) ? Places{at + 1} : Places{};
      case PatternKind::kConcat: return ConcatEnds(id, at);
      case PatternKind::kOr: {
        Places ends;
        for (const PatternNodeId child : tree_.children(id)) ends.merge(Ends(child, at));
        return ends;
      }
      case PatternKind::kRepeat: return RepeatEnds(id, at);
      case PatternKind::kAhead: return Assert(node, !Ends(tree_.children(id)[0], at).empty(), at);
      case PatternKind::kBehind: return Assert(node, IsBehind(tree_.children(id)[0], at), at);
    }
    return {};
  }

  static Places Assert(const PatternNode& node, bool found, std::size_t at) {
    return found == (node.expect == Expect::kMatch) ? Places{at} : Places{};
  }

  bool IsBehind(PatternNodeId id, std::size_t at) const {
    for (std::size_t begin = 0; begin <= at; ++begin) {
      if (Ends(id, begin).contains(at)) return true;
    }
    return false;
  }

  Places EndsOfAll(PatternNodeId id, const Places& begins) const {
    Places ends;
    for (const std::size_t begin : begins) ends.merge(Ends(id, begin));
    return ends;
  }

  Places ConcatEnds(PatternNodeId id, std::size_t at) const {
    Places ends = {at};
    for (const PatternNodeId child : tree_.children(id)) ends = EndsOfAll(child, ends);
    return ends;
  }

  Places RepeatEnds(PatternNodeId id, std::size_t at) const {
    const PatternNode& node = tree_.node(id);
    const PatternNodeId body = tree_.children(id)[0];
    Places turn = {at};
    for (std::uint32_t i = 0; i < node.min; ++i) turn = EndsOfAll(body, turn);
    Places ends = turn;
    for (std::uint32_t i = node.min; i < node.max; ++i) {
      turn = EndsOfAll(body, turn);
      const std::size_t before = ends.size();
      ends.insert(turn.begin(), turn.end());
      if (ends.size() == before) break;
    }
    return ends;
  }

  const PatternTree& tree_;
  const std::u32string text_;
};

}  // namespace espalier
