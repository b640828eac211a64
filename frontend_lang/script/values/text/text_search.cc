#include "frontend_lang/script/values/text/text_search.h"

#include <cstring>
#include <vector>

namespace espalier::lang {

// memmem is the two-way algorithm in the C libraries we build on.
std::size_t FindText(std::string_view text, std::string_view needle, std::size_t from) {
  if (from > text.size()) return kNotFound;
  if (needle.empty()) return from;
  const void* found = memmem(text.data() + from, text.size() - from, needle.data(), needle.size());
  if (found == nullptr) return kNotFound;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

// Knuth, Morris and Pratt's automaton, run from the end over the reversed needle.
std::size_t FindLastText(std::string_view text, std::string_view needle) {
  const std::size_t m = needle.size();
  if (m > text.size()) return kNotFound;
  if (m == 0) return text.size();
  const auto reversed = [&](std::size_t i) { return needle[m - 1 - i]; };
  std::vector<std::size_t> border(m, 0);
  for (std::size_t i = 1, k = 0; i < m; ++i) {
    while (k > 0 && reversed(i) != reversed(k)) k = border[k - 1];
    if (reversed(i) == reversed(k)) ++k;
    border[i] = k;
  }
  std::size_t matched = 0;
  for (std::size_t at = text.size(); at-- > 0;) {
    while (matched > 0 && text[at] != reversed(matched)) matched = border[matched - 1];
    if (text[at] == reversed(matched)) ++matched;
    if (matched == m) return at;
  }
  return kNotFound;
}

}  // namespace espalier::lang
