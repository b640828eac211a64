#include "grammar/regex/code_point_set.h"

#include <algorithm>
#include <utility>

#include "grammar/regex/case_folding.h"

namespace espalier {

CodePointSet CodePointSet::Of(char32_t first, char32_t last) {
  CodePointSet set;
  set.ranges_.push_back({first, last});
  return set;
}

CodePointSet CodePointSet::FromRanges(std::vector<Range> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const Range& a, const Range& b) { return a.first < b.first; });
  CodePointSet set;
  for (const Range& range : ranges) {
    if (!set.ranges_.empty() && range.first <= set.ranges_.back().last + 1) {
      set.ranges_.back().last = std::max(set.ranges_.back().last, range.last);
    } else {
      set.ranges_.push_back(range);
    }
  }
  return set;
}

bool CodePointSet::Contains(char32_t code_point) const {
  const auto after =
      std::upper_bound(ranges_.begin(), ranges_.end(), code_point,
                       [](char32_t value, const Range& range) { return value < range.first; });
  return after != ranges_.begin() && code_point <= std::prev(after)->last;
}

CodePointSet CodePointSet::Union(const CodePointSet& other) const {
  std::vector<Range> all = ranges_;
  all.insert(all.end(), other.ranges_.begin(), other.ranges_.end());
  return FromRanges(std::move(all));
}

CodePointSet CodePointSet::Intersect(const CodePointSet& other) const {
  CodePointSet result;
  auto a = ranges_.begin();
  auto b = other.ranges_.begin();
  while (a != ranges_.end() && b != other.ranges_.end()) {
    const char32_t first = std::max(a->first, b->first);
    const char32_t last = std::min(a->last, b->last);
    if (first <= last) result.ranges_.push_back({first, last});
    if (a->last < b->last) {
      ++a;
    } else {
      ++b;
    }
  }
  return result;
}

CodePointSet CodePointSet::Complement() const {
  CodePointSet result;
  char32_t next = 0;  // the first code point that no range has covered yet
  for (const Range& range : ranges_) {
    if (next < range.first) result.ranges_.push_back({next, range.first - 1});
    next = range.last + 1;
  }
  if (next <= kMax) result.ranges_.push_back({next, kMax});
  return result;
}

CodePointSet CodePointSet::FoldCase() const {
  std::vector<Range> all = ranges_;
  for (const Range& range : ranges_) {
    for (const char32_t variant : CaseVariants(range.first, range.last)) {
      all.push_back({variant, variant});
    }
  }
  return FromRanges(std::move(all));
}

}  // namespace espalier
