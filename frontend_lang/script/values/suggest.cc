#include "frontend_lang/script/values/suggest.h"

#include <algorithm>
#include <utility>

namespace espalier::lang {
namespace {

constexpr std::size_t kMoveCost = 2, kCaseCost = 1;
constexpr std::size_t kMostNames = 750, kLongest = 40;

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

std::size_t Replace(char a, char b) {
  if (a == b) return 0;
  return Lower(a) == Lower(b) ? kCaseCost : kMoveCost;
}

std::size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j * kMoveCost;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], (i + 1) * kMoveCost);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + Replace(a[i], b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min(replaced, std::min(row[j], row[j + 1]) + kMoveCost);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string ClosestName(std::string_view wrong, const std::vector<std::string_view>& names) {
  if (names.size() > kMostNames || wrong.size() > kLongest) return "";
  std::string_view best;
  std::size_t best_distance = std::string::npos;
  for (const std::string_view name : names) {
    if (name == wrong || name.size() > kLongest) continue;
    const std::size_t most = (wrong.size() + name.size() + 3) * kMoveCost / 6;
    const std::size_t distance = Distance(wrong, name);
    if (distance > std::min(most, best_distance - 1)) continue;
    best = name;
    best_distance = distance;
  }
  return std::string(best);
}

std::string DidYouMean(std::string_view name) {
  return name.empty() ? "" : ". Did you mean: '" + std::string(name) + "'?";
}

}  // namespace espalier::lang
