// Percentiles of measured times, as the benches print them.
//
// Thread safety: pure functions.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <nlohmann/json.hpp>

namespace espalier {

// The smallest of `sorted` that at least `percent` of them do not exceed; 0 of none.
// REQUIRES: `sorted` is sorted; 0 < percent <= 100
inline double Percentile(const std::vector<double>& sorted, double percent) {
  if (sorted.empty()) return 0;
  const double rank = std::ceil(percent / 100 * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

// {"p50", "p90", "p99", "max"}
inline nlohmann::ordered_json PercentilesJson(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {{"p50", Percentile(values, 50)},
          {"p90", Percentile(values, 90)},
          {"p99", Percentile(values, 99)},
          {"max", Percentile(values, 100)}};
}

}  // namespace espalier
