#include "grammar/regex/pattern_pieces.h"

#include <optional>
#include <string>

namespace espalier {
namespace {

class PieceMaker {
 public:
  PieceMaker(const PatternTree& tree, TextRegex& text) : tree_(tree), text_(text) {}

  std::vector<RegexId> Make() {
    // Children come before their parents.
    for (PatternNodeId id = 0; id < tree_.size(); ++id) {
      pieces_.push_back(tree_.node(id).asserts ? RegexSet::kNothing : Lower(id));
    }
    return std::move(pieces_);
  }

 private:
  RegexId Lower(PatternNodeId id) {
    const PatternNode& node = tree_.node(id);
    switch (node.kind) {
      case PatternKind::kChars: return text_.Char(tree_.chars(id));
      case PatternKind::kConcat: return text_.set().Concat(ChildPieces(id));
      case PatternKind::kOr: return LowerOr(id);
      case PatternKind::kRepeat:
        return text_.set().Repeat(pieces_[tree_.children(id)[0]], node.min, node.max);
      default: return RegexSet::kNothing;  // assertions
    }
  }

  std::vector<RegexId> ChildPieces(PatternNodeId id) const {
    std::vector<RegexId> children;
    for (const PatternNodeId child : tree_.children(id)) children.push_back(pieces_[child]);
    return children;
  }

  // Words are cheaper as one trie than as alternatives.
  RegexId LowerOr(PatternNodeId id) {
    std::vector<RegexId> parts;
    std::vector<std::string> words;
    for (const PatternNodeId child : tree_.children(id)) {
      if (auto word = AsWord(child)) {
        words.push_back(std::move(*word));
      } else {
        parts.push_back(pieces_[child]);
      }
    }
    if (!words.empty()) parts.push_back(text_.Literals(words));
    return text_.set().Or(parts);
  }

  // The text of a node that matches one text only and has no deeper parts.
  std::optional<std::string> AsWord(PatternNodeId id) const {
    std::string word;
    if (tree_.node(id).kind == PatternKind::kChars) {
      if (!AppendSingle(id, word)) return std::nullopt;
      return word;
    }
    if (tree_.node(id).kind != PatternKind::kConcat) return std::nullopt;
    for (const PatternNodeId child : tree_.children(id)) {
      const bool is_char = tree_.node(child).kind == PatternKind::kChars;
      if (!is_char || !AppendSingle(child, word)) return std::nullopt;
    }
    return word;
  }

  bool AppendSingle(PatternNodeId id, std::string& word) const {
    const auto ranges = tree_.chars(id).ranges();
    if (ranges.size() != 1 || ranges[0].first != ranges[0].last) return false;
    const char32_t c = ranges[0].first;
    if (c >= 0xD800 && c <= 0xDFFF) return false;
    word += SpellShortest(c, Spelling::kUtf8);
    return true;
  }

  const PatternTree& tree_;
  TextRegex& text_;
  std::vector<RegexId> pieces_;
};

}  // namespace

std::vector<RegexId> LowerPieces(const PatternTree& tree, TextRegex& text) {
  return PieceMaker(tree, text).Make();
}

}  // namespace espalier
