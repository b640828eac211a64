#include "runtime/api/did_you_mean.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/similar_name.h"

namespace espalier {

std::string DidYouMean(std::string_view name, std::span<const std::string_view> known) {
  constexpr std::size_t kShortestBeginning = 3;
  const auto longer = std::find_if(known.begin(), known.end(), [name](std::string_view other) {
    return other.starts_with(name);
  });
  const bool begins = name.size() >= kShortestBeginning && longer != known.end();
  const std::string_view best = begins ? *longer : MostSimilar(name, known);
  return best.empty() ? "" : fmt::format("; did you mean '{}'?", best);
}

}  // namespace espalier
