#include "grammar/regex/pattern.h"

#include <vector>

#include "grammar/regex/assertion_solver.h"
#include "grammar/regex/pattern_parser.h"
#include "grammar/regex/pattern_pieces.h"

namespace espalier {
namespace {

// The sets of all characters within assertions.
std::vector<CodePointSet> AssertedSets(const PatternTree& tree) {
  std::vector<bool> inside(tree.size(), false), taken(tree.size(), false);
  std::vector<CodePointSet> sets;
  for (PatternNodeId id = static_cast<PatternNodeId>(tree.size()); id-- > 0;) {
    const PatternNode& node = tree.node(id);
    const bool asserts = node.kind == PatternKind::kAhead || node.kind == PatternKind::kBehind;
    if (inside[id] || asserts) {
      for (const PatternNodeId child : tree.children(id)) inside[child] = true;
    }
    if (node.kind != PatternKind::kChars || !inside[id] || taken[node.set]) continue;
    taken[node.set] = true;
    sets.push_back(tree.chars(id));
  }
  return sets;
}

}  // namespace

Result<RegexId> CompilePattern(std::string_view pattern, PatternDialect dialect, TextRegex& text) {
  ESP_ASSIGN_OR_RETURN(const ParsedPattern parsed, ParsePattern(pattern, dialect));
  const std::vector<RegexId> pieces = LowerPieces(parsed.tree, text);
  const RegexId around = dialect == PatternDialect::kEcma ? text.AnyText() : RegexSet::kEmpty;
  const AssertionSource source = {
      .tree = parsed.tree, .pieces = pieces, .sets = AssertedSets(parsed.tree), .text = text};
  return LowerPart(
      source, {.kind = PartKind::kPattern, .root = parsed.root, .before = around, .after = around});
}

}  // namespace espalier
