#include "grammar/regex/pattern_parser.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grammar/regex/pattern_syntax.h"
#include "kernels/base/utf8.h"

namespace espalier {
namespace {

struct OpenGroup {
  std::size_t at;  // of the (
  GroupKind kind = GroupKind::kPlain;
  PatternFlags outer_flags;                 // that hold again behind the )
  std::vector<PatternNodeId> alternatives;  // those before the last |
  std::vector<PatternNodeId> items;         // of the alternative being read
};

// What a quantifier would apply to.
enum class LastItem : std::uint8_t { kNothing, kAtom, kRepeat, kAnchor };

class Parser {
 public:
  Parser(std::u32string_view text, PatternDialect dialect) : reader_(text), mode_{dialect, {}} {
    groups_.push_back(OpenGroup{.at = 0});
  }

  Result<ParsedPattern> Parse() {
    while (!reader_.done()) ESP_RETURN_IF_ERROR(ReadItem());
    if (groups_.size() > 1) return reader_.Wrong(groups_.back().at, "this ( has no )");
    const PatternNodeId root = Close(groups_.back());
    return ParsedPattern{std::move(tree_), root};
  }

 private:
  Status ReadItem() {
    if (mode_.flags.verbose && SkipVerbose()) return Status();
    ESP_ASSIGN_OR_RETURN(const std::optional<Quantifier> quantifier,
                         ReadQuantifier(reader_, mode_));
    if (quantifier) return Quantify(*quantifier);
    const std::size_t at = reader_.at();
    const char32_t c = reader_.Take();
    switch (c) {
      case '(': return OpenOrFlags();
      case ')': return CloseGroup(at);
      case '|':
        groups_.back().alternatives.push_back(tree_.Concat(groups_.back().items));
        groups_.back().items.clear();
        last_ = LastItem::kNothing;
        return Status();
      case '^':
        return Add(NotBehind(mode_.flags.multi_line ? LineChars() : CodePointSet::All()),
                   LastItem::kAnchor);
      case '$': return Add(DollarEnd(), LastItem::kAnchor);
      case '.': return Add(tree_.Chars(mode_.Dot()), LastItem::kAtom);
      case '[': {
        ESP_ASSIGN_OR_RETURN(const CodePointSet set, ReadClass(reader_, mode_));
        return Add(tree_.Chars(set), LastItem::kAtom);
      }
      case '\\': return ReadEscaped();
      default: return AddChar(c);
    }
  }

  Status Add(PatternNodeId node, LastItem last) {
    groups_.back().items.push_back(node);
    last_ = last;
    return Status();
  }

  Status AddChar(char32_t c) {
    return Add(tree_.Chars(mode_.Fold(CodePointSet::Of(c))), LastItem::kAtom);
  }

  bool SkipVerbose() {
    static constexpr std::u32string_view kSpaces = U" \t\n\r\v\f";
    if (kSpaces.find(reader_.Peek()) != std::u32string_view::npos && !reader_.done()) {
      reader_.Take();
      return true;
    }
    if (reader_.Peek() != '#') return false;
    while (!reader_.done() && reader_.Take() != '\n') continue;
    return true;
  }

  Status Quantify(const Quantifier& quantifier) {
    const std::size_t at = reader_.at() - 1;
    switch (last_) {
      case LastItem::kNothing: return reader_.Wrong(at, "nothing stands before the quantifier");
      case LastItem::kRepeat: return reader_.Wrong(at, "a quantifier follows a quantifier");
      case LastItem::kAnchor: return reader_.Wrong(at, "an anchor cannot be repeated");
      case LastItem::kAtom: break;
    }
    PatternNodeId& item = groups_.back().items.back();
    item = tree_.Repeat(item, quantifier.min, quantifier.max);
    last_ = LastItem::kRepeat;
    return Status();
  }

  Status ReadEscaped() {
    ESP_ASSIGN_OR_RETURN(const Escape escape,
                         ReadEscape(reader_, mode_, EscapePlace::kOutsideClass));
    switch (escape.kind) {
      case EscapeKind::kChar: return AddChar(escape.code_point);
      case EscapeKind::kSet: return Add(tree_.Chars(escape.set), LastItem::kAtom);
      case EscapeKind::kWordEdge:
        return Add(tree_.Edge(Expect::kMatch, mode_.Word()), LastItem::kAnchor);
      case EscapeKind::kNotWordEdge:
        return Add(tree_.Edge(Expect::kNoMatch, mode_.Word()), LastItem::kAnchor);
      case EscapeKind::kTextStart: return Add(NotBehind(CodePointSet::All()), LastItem::kAnchor);
      case EscapeKind::kTextEnd: break;
    }
    return Add(NotAhead(CodePointSet::All()), LastItem::kAnchor);
  }

  PatternNodeId NotAhead(const CodePointSet& set) {
    return tree_.Ahead(Expect::kNoMatch, tree_.Chars(set));
  }

  PatternNodeId NotBehind(const CodePointSet& set) {
    return tree_.Behind(Expect::kNoMatch, tree_.Chars(set));
  }

  // The characters within a line, which ^ and $ of (?m) look for.
  CodePointSet LineChars() const {
    PatternMode mode = mode_;
    mode.flags.dot_all = false;
    return mode.Dot();
  }

  PatternNodeId DollarEnd() {
    if (mode_.flags.multi_line) return NotAhead(LineChars());
    if (!mode_.python()) return NotAhead(CodePointSet::All());
    // Python's $ stands before a newline that ends the text, too.
    const PatternNodeId newline = tree_.Chars(CodePointSet::Of('\n'));
    const PatternNodeId any = tree_.Chars(CodePointSet::All());
    const PatternNodeId more = tree_.Concat({{newline, any}});
    return tree_.Ahead(Expect::kNoMatch, tree_.Or({{tree_.Chars(LineChars()), more}}));
  }

  Status OpenOrFlags() {
    const std::size_t at = reader_.at() - 1;
    std::u32string_view comment;
    if (mode_.python() && reader_.Skip(U"?#")) {
      return reader_.TakeUntil(')', comment) ? Status()
                                             : reader_.Wrong(at, "this comment has no )");
    }
    ESP_ASSIGN_OR_RETURN(GroupHead head, ReadGroupHead(reader_, mode_));
    if (head.kind == GroupKind::kFlags) return SetFlags(at, head.flags);
    if (!head.name.empty() && !names_.insert(std::move(head.name)).second) {
      return reader_.Wrong(at, "another group has this name");
    }
    if (groups_.size() > kMaxPatternDepth) {
      return Status(Code::kLimit,
                    "pattern: groups are nested deeper than " + std::to_string(kMaxPatternDepth));
    }
    groups_.push_back(OpenGroup{.at = at, .kind = head.kind, .outer_flags = mode_.flags});
    mode_.flags = head.flags;
    last_ = LastItem::kNothing;
    return Status();
  }

  Status SetFlags(std::size_t at, const PatternFlags& flags) {
    const OpenGroup& group = groups_.back();
    if (groups_.size() > 1 || !group.items.empty() || !group.alternatives.empty()) {
      return reader_.Wrong(at, "flags for the whole pattern must stand at its start");
    }
    mode_.flags = flags;
    return Status();
  }

  PatternNodeId Close(OpenGroup& group) {
    group.alternatives.push_back(tree_.Concat(group.items));
    return tree_.Or(group.alternatives);
  }

  Status CloseGroup(std::size_t at) {
    if (groups_.size() == 1) return reader_.Wrong(at, "this ) has no (");
    OpenGroup group = std::move(groups_.back());
    groups_.pop_back();
    mode_.flags = group.outer_flags;
    const PatternNodeId body = Close(group);
    const bool negated = group.kind == GroupKind::kNotAhead || group.kind == GroupKind::kNotBehind;
    const Expect expect = negated ? Expect::kNoMatch : Expect::kMatch;
    switch (group.kind) {
      case GroupKind::kAhead:
      case GroupKind::kNotAhead: return Add(tree_.Ahead(expect, body), LastItem::kAtom);
      case GroupKind::kBehind:
      case GroupKind::kNotBehind: return Add(tree_.Behind(expect, body), LastItem::kAtom);
      default: return Add(body, LastItem::kAtom);
    }
  }

  PatternReader reader_;
  PatternMode mode_;
  PatternTree tree_;
  std::vector<OpenGroup> groups_;  // the whole pattern, then the open groups
  std::set<std::u32string> names_;
  LastItem last_ = LastItem::kNothing;
};

}  // namespace

Result<ParsedPattern> ParsePattern(std::string_view pattern, PatternDialect dialect) {
  if (ValidUtf8Prefix(pattern) != pattern.size()) {
    return Status(Code::kInvalidArgument, "pattern: it is not valid UTF-8");
  }
  const std::u32string text = DecodeUtf8(pattern);
  if (text.size() > kMaxPatternChars) {
    return Status(Code::kLimit,
                  "pattern: it has more than " + std::to_string(kMaxPatternChars) + " characters");
  }
  return Parser(text, dialect).Parse();
}

}  // namespace espalier
