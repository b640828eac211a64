#include <vector>

#include "grammar/regex/pattern_syntax.h"

namespace espalier {
namespace {

// What a class is made of: one code point, or a set that cannot end a range.
struct ClassAtom {
  bool is_set = false;
  char32_t code_point = 0;
  CodePointSet set;
};

Result<ClassAtom> ReadAtom(PatternReader& reader, const PatternMode& mode) {
  const char32_t c = reader.Take();
  if (c != '\\') return ClassAtom{false, c, {}};
  ESP_ASSIGN_OR_RETURN(Escape escape, ReadEscape(reader, mode, EscapePlace::kInsideClass));
  if (escape.kind == EscapeKind::kChar) return ClassAtom{false, escape.code_point, {}};
  return ClassAtom{true, 0, std::move(escape.set)};
}

class ClassReader {
 public:
  ClassReader(PatternReader& reader, const PatternMode& mode)
      : reader_(reader), mode_(mode), start_(reader.at() - 1) {}

  Result<CodePointSet> Read() {
    const bool negated = reader_.Skip(U"^");
    // Python has no empty class: a ] that stands first is a member.
    bool end_allowed = !mode_.python();
    while (!end_allowed || reader_.Peek() != ']') {
      end_allowed = true;
      if (reader_.done()) return reader_.Wrong(start_, "this [ has no ]");
      ESP_RETURN_IF_ERROR(ReadMember());
    }
    reader_.Take();
    if (has_bracket_ && reader_.Peek() == ']' && !mode_.python()) {
      return reader_.Wrong(start_,
                           "a class in a class ([a[b]], && and -- of the flag v); escape "
                           "the [ and ] that stand for themselves");
    }
    CodePointSet set = mode_.Fold(CodePointSet::FromRanges(std::move(ranges_)))
                           .Union(CodePointSet::FromRanges(std::move(set_ranges_)));
    return negated ? set.Complement() : set;
  }

 private:
  Status ReadMember() {
    const std::size_t at = reader_.at();
    has_bracket_ = has_bracket_ || reader_.Peek() == '[';
    ESP_ASSIGN_OR_RETURN(const ClassAtom first, ReadAtom(reader_, mode_));
    const bool is_range = reader_.Peek() == '-' && reader_.left() > 1 && reader_.Peek(1) != ']';
    if (!is_range) {
      Add(first);
      return Status();
    }
    reader_.Take();
    ESP_ASSIGN_OR_RETURN(const ClassAtom last, ReadAtom(reader_, mode_));
    if (first.is_set || last.is_set) {
      if (mode_.python()) return reader_.Wrong(at, "a range ends at a set of characters");
      Add(first);
      ranges_.push_back({'-', '-'});
      Add(last);
      return Status();
    }
    if (first.code_point > last.code_point) return reader_.Wrong(at, "the range is out of order");
    ranges_.push_back({first.code_point, last.code_point});
    return Status();
  }

  void Add(const ClassAtom& atom) {
    if (atom.is_set) {
      set_ranges_.insert(set_ranges_.end(), atom.set.ranges().begin(), atom.set.ranges().end());
    } else {
      ranges_.push_back({atom.code_point, atom.code_point});
    }
  }

  PatternReader& reader_;
  const PatternMode& mode_;
  const std::size_t start_;                               // of the [
  bool has_bracket_ = false;                              // a [ that is a member
  std::vector<CodePointSet::Range> ranges_, set_ranges_;  // \d and its like fold nothing
};

}  // namespace

CodePointSet PatternMode::Fold(const CodePointSet& set) const {
  if (!flags.ignore_case) return set;
  if (!flags.ascii) return set.FoldCase();
  const CodePointSet ascii = CodePointSet::Of(0, 0x7F);
  return set.Union(set.Intersect(ascii).FoldCase().Intersect(ascii));
}

CodePointSet PatternMode::Word() const {
  const CodePointSet word = WordChars(class_style());
  return python() ? word : Fold(word);
}

CodePointSet PatternMode::Dot() const {
  if (flags.dot_all) return CodePointSet::All();
  const CodePointSet newline = CodePointSet::Of('\n');
  if (python()) return newline.Complement();
  return newline.Union(CodePointSet::Of('\r')).Union(CodePointSet::Of(0x2028, 0x2029)).Complement();
}

Result<CodePointSet> ReadClass(PatternReader& reader, const PatternMode& mode) {
  return ClassReader(reader, mode).Read();
}

}  // namespace espalier
