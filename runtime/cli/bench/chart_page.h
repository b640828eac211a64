// ChartPage: the rows of `bench programs` as one page of charts: a section a workload, a bar a
// variant for programs/s, hit rate (with a mark at the optimum) and first-token latency.
//
// The page holds no script and asks for nothing from elsewhere; it follows the reader's light or
// dark setting, and each bar has its number beside it.
//
// Thread safety: pure functions.
#pragma once

#include <span>
#include <string>

#include <nlohmann/json.hpp>

namespace espalier {

// REQUIRES: `rows` are of BenchRun, those of a workload side by side.
std::string ChartPage(std::span<const nlohmann::ordered_json> rows);

}  // namespace espalier
