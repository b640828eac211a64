#include "runtime/cli/environment.h"

#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>

#include "runtime/api/did_you_mean.h"

namespace espalier {
namespace {

constexpr std::string_view kOthers[] = {
    "ESPALIER_BENCH_ISA", "ESPALIER_BENCH_THREADS", "ESPALIER_BINARY", "ESPALIER_BUILD",
    "ESPALIER_CACHE",     "ESPALIER_DATA",          "ESPALIER_DEEP",   "ESPALIER_MODEL_STEPS",
    "ESPALIER_PAIRS",     "ESPALIER_REQUIRE_MODEL", "ESPALIER_SHARED", "ESPALIER_VERBOSE",
    "ESPALIER_WIDE",
};

}  // namespace

std::vector<std::string> StrangeVariables(std::span<const std::string_view> environment,
                                          std::span<const std::string_view> known) {
  std::vector<std::string> lines;
  for (const std::string_view entry : environment) {
    if (!entry.starts_with("ESPALIER_")) continue;
    const std::string_view name = entry.substr(0, entry.find('='));
    if (std::ranges::find(known, name) != known.end()) continue;
    if (std::ranges::find(kOthers, name) != std::end(kOthers)) continue;
    const std::string meant = DidYouMean(name, known);
    lines.push_back(
        fmt::format("the environment's {} is not read: no flag has that name{}", name, meant));
  }
  return lines;
}

std::vector<std::string_view> Environment() {
  std::vector<std::string_view> entries;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    entries.emplace_back(*entry);
  }
  return entries;
}

}  // namespace espalier
