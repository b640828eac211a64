// The small parts of a pattern: escapes, classes, quantifiers, and what opens a group. Each
// function takes one part from the reader, as the dialect writes it.
//
// kEcma follows ECMA-262 with the `u` flag, and where `u` forbids what browsers accept
// without it and what real schemas contain, its Annex B: \- and other escaped punctuation,
// [\w-.], a { or ] that stands for itself, a lookahead that is repeated. What `u` refuses and
// Python, Java and .NET all read in one way is read so: \A, \Z, a leading (?i), (?P<n>...). Other
// letters that have no meaning behind a backslash are refused in both dialects.
//
// Thread safety: none of these keeps anything.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "grammar/regex/code_point_set.h"
#include "grammar/regex/pattern.h"
#include "grammar/regex/pattern_reader.h"
#include "grammar/regex/unicode_property.h"
#include "kernels/base/status.h"

namespace espalier {

struct PatternFlags {
  bool ignore_case = false;  // (?i)
  bool dot_all = false;      // (?s)
  bool multi_line = false;   // (?m)
  bool verbose = false;      // (?x), Python
  bool ascii = false;        // (?a), Python

  friend bool operator==(const PatternFlags&, const PatternFlags&) = default;
};

// How the parts are to be read at one place.
struct PatternMode {
  PatternDialect dialect;
  PatternFlags flags;

  bool python() const { return dialect == PatternDialect::kPython; }
  ClassStyle class_style() const {
    if (!python()) return ClassStyle::kEcma;
    return flags.ascii ? ClassStyle::kAscii : ClassStyle::kUnicode;
  }
  // The set with what the flags make equal to its members.
  CodePointSet Fold(const CodePointSet& set) const;
  CodePointSet Word() const;
  CodePointSet Dot() const;
};

enum class EscapeKind : std::uint8_t { kChar, kSet, kWordEdge, kNotWordEdge, kTextStart, kTextEnd };

struct Escape {
  EscapeKind kind = EscapeKind::kChar;
  char32_t code_point = 0;  // kChar; not folded
  CodePointSet set;         // kSet
};

enum class EscapePlace : std::uint8_t { kOutsideClass, kInsideClass };

// REQUIRES for the next two: the reader stands behind the backslash, or behind the [.
Result<Escape> ReadEscape(PatternReader& reader, const PatternMode& mode, EscapePlace place);
Result<CodePointSet> ReadClass(PatternReader& reader, const PatternMode& mode);

struct Quantifier {
  std::uint32_t min, max;  // max: RegexSet::kUnbounded for none
};

// Nothing, and nothing taken, if what comes next is no quantifier. Takes the ? of a lazy one.
Result<std::optional<Quantifier>> ReadQuantifier(PatternReader& reader, const PatternMode& mode);

enum class GroupKind : std::uint8_t { kPlain, kAhead, kNotAhead, kBehind, kNotBehind, kFlags };

struct GroupHead {
  GroupKind kind = GroupKind::kPlain;  // kFlags: no group, the flags hold from here on
  PatternFlags flags;                  // that hold inside
  std::u32string name;                 // empty: none
};

// REQUIRES: the reader stands behind the (. A kFlags head is taken with its ).
Result<GroupHead> ReadGroupHead(PatternReader& reader, const PatternMode& mode);

}  // namespace espalier
