#include "grammar/regex/case_folding.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace espalier {
namespace {

// Cased letters end well before this.
constexpr char32_t kEnd = 0x20000;
constexpr char32_t kDottedI = 0x130, kDotlessI = 0x131;

struct CaseTable {
  std::map<char32_t, std::size_t> class_of;    // only code points that have variants
  std::vector<std::vector<char32_t>> classes;  // the code points of each class

  void Join(char32_t a, char32_t b) {
    const auto [a_at, a_new] = class_of.try_emplace(a, classes.size());
    if (a_new) classes.push_back({a});
    const auto [b_at, b_new] = class_of.try_emplace(b, a_at->second);
    if (b_new) classes[a_at->second].push_back(b);
    const std::size_t from = b_at->second, to = a_at->second;
    if (from == to) return;
    for (const char32_t member : classes[from]) {
      class_of[member] = to;
      classes[to].push_back(member);
    }
    classes[from].clear();
  }
};

CaseTable MakeCaseTable() {
  CaseTable table;
  for (char32_t c = 0; c < kEnd; ++c) {
    if (c == kDottedI || c == kDotlessI) continue;
    const auto code_point = static_cast<utf8proc_int32_t>(c);
    for (const utf8proc_int32_t other : {utf8proc_tolower(code_point), utf8proc_toupper(code_point),
                                         utf8proc_totitle(code_point)}) {
      if (other != code_point) table.Join(c, static_cast<char32_t>(other));
    }
  }
  return table;
}

}  // namespace

std::vector<char32_t> CaseVariants(char32_t first, char32_t last) {
  static const CaseTable table = MakeCaseTable();
  std::vector<char32_t> variants;
  for (auto at = table.class_of.lower_bound(first); at != table.class_of.end() && at->first <= last;
       ++at) {
    const std::vector<char32_t>& members = table.classes[at->second];
    variants.insert(variants.end(), members.begin(), members.end());
  }
  return variants;
}

}  // namespace espalier
