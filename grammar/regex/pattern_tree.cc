#include "grammar/regex/pattern_tree.h"

namespace espalier {

PatternNodeId PatternTree::Add(PatternNode node, std::span<const PatternNodeId> children) {
  node.first_child = static_cast<std::uint32_t>(children_.size());
  node.num_children = static_cast<std::uint32_t>(children.size());
  for (const PatternNodeId child : children) node.asserts |= nodes_[child].asserts;
  children_.insert(children_.end(), children.begin(), children.end());
  nodes_.push_back(node);
  return static_cast<PatternNodeId>(nodes_.size() - 1);
}

PatternNodeId PatternTree::Chars(const CodePointSet& set) {
  const std::vector<CodePointSet::Range> key(set.ranges().begin(), set.ranges().end());
  const auto [at, is_new] = set_index_.emplace(key, static_cast<std::uint32_t>(sets_.size()));
  if (is_new) sets_.push_back(set);
  return Add({.kind = PatternKind::kChars, .set = at->second}, {});
}

PatternNodeId PatternTree::Concat(std::span<const PatternNodeId> parts) {
  if (parts.size() == 1) return parts.front();
  return Add({.kind = PatternKind::kConcat}, parts);
}

PatternNodeId PatternTree::Or(std::span<const PatternNodeId> parts) {
  if (parts.size() == 1) return parts.front();
  std::vector<PatternNodeId> rest;
  std::vector<CodePointSet::Range> chars;  // of the alternatives of one code point
  for (const PatternNodeId part : parts) {
    if (nodes_[part].kind == PatternKind::kChars) {
      const auto ranges = this->chars(part).ranges();
      chars.insert(chars.end(), ranges.begin(), ranges.end());
    } else {
      rest.push_back(part);
    }
  }
  if (rest.size() < parts.size()) rest.push_back(Chars(CodePointSet::FromRanges(chars)));
  return rest.size() == 1 ? rest.front() : Add({.kind = PatternKind::kOr}, rest);
}

PatternNodeId PatternTree::Repeat(PatternNodeId node, std::uint32_t min, std::uint32_t max) {
  return Add({.kind = PatternKind::kRepeat, .min = min, .max = max}, {{node}});
}

PatternNodeId PatternTree::Ahead(Expect expect, PatternNodeId node) {
  return Add({.kind = PatternKind::kAhead, .expect = expect, .asserts = true}, {{node}});
}

PatternNodeId PatternTree::Behind(Expect expect, PatternNodeId node) {
  return Add({.kind = PatternKind::kBehind, .expect = expect, .asserts = true}, {{node}});
}

PatternNodeId PatternTree::Edge(Expect expect, const CodePointSet& set) {
  const PatternNodeId chars = Chars(set);
  const auto sides = [&](Expect behind, Expect ahead) {
    return Concat({{Behind(behind, chars), Ahead(ahead, chars)}});
  };
  if (expect == Expect::kMatch) {
    return Or({{sides(Expect::kMatch, Expect::kNoMatch), sides(Expect::kNoMatch, Expect::kMatch)}});
  }
  return Or({{sides(Expect::kMatch, Expect::kMatch), sides(Expect::kNoMatch, Expect::kNoMatch)}});
}

}  // namespace espalier
