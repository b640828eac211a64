// CodePointSet: a set of Unicode code points, as sorted ranges.
//
// Thread safety: a value.
#pragma once

#include <compare>
#include <span>
#include <vector>

namespace espalier {

class CodePointSet {
 public:
  struct Range {
    char32_t first, last;  // both included
    friend auto operator<=>(const Range&, const Range&) = default;
  };
  static constexpr char32_t kMax = 0x10FFFF;

  CodePointSet() = default;
  static CodePointSet Of(char32_t code_point) { return Of(code_point, code_point); }
  static CodePointSet Of(char32_t first, char32_t last);
  static CodePointSet All() { return Of(0, kMax); }
  // Ranges in any order, overlapping as they like.
  static CodePointSet FromRanges(std::vector<Range> ranges);

  std::span<const Range> ranges() const { return ranges_; }  // sorted, disjoint, not adjacent
  bool empty() const { return ranges_.empty(); }
  bool Contains(char32_t code_point) const;

  CodePointSet Union(const CodePointSet& other) const;
  CodePointSet Intersect(const CodePointSet& other) const;
  CodePointSet Complement() const;  // within 0 .. kMax
  // With every code point that simple case folding makes equal to a member.
  CodePointSet FoldCase() const;

  friend bool operator==(const CodePointSet&, const CodePointSet&) = default;

 private:
  std::vector<Range> ranges_;
};

}  // namespace espalier
