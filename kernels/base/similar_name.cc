#include "kernels/base/similar_name.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace espalier {

// One row of the table at a time (Wagner and Fischer 1974).
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row[b.size()];
}

std::string_view MostSimilar(std::string_view name, std::span<const std::string_view> known) {
  constexpr std::size_t kLongestCompared = 64;
  std::string_view best;
  if (name.size() > kLongestCompared) return best;
  std::size_t best_distance = name.size() < 4 ? 2 : 3;  // one more than is still near
  for (const std::string_view other : known) {
    if (other.size() > kLongestCompared) continue;
    const std::size_t distance = EditDistance(name, other);
    if (distance >= best_distance) continue;
    best_distance = distance;
    best = other;
  }
  return best;
}

}  // namespace espalier
