// `inspect model --plan`: its flags, and the plan as JSON.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "kernels/base/status.h"
#include "runtime/model/config.h"
#include "runtime/model/gguf.h"

namespace CLI {
class App;
}  // namespace CLI

namespace espalier {

// A number above 0 with a unit: 900G is 9e11; K, M, G, T and P are powers of 1,000, and with an i
// (24Gi) of 1,024. Empty if it is none.
std::optional<double> ParseAmount(std::string_view text);

struct PlanFlags {
  bool plan = false;
  std::string memory, bandwidth, flops;  // amounts; flops may be empty
  std::int64_t context = 0;              // 0: the model's
  int page_size = 16;
};

void AddPlanFlags(CLI::App& app, PlanFlags& flags);

// The members of the plan, in order. kInvalidArgument if --memory or --bandwidth is missing;
// fails as PlanMemory does.
Result<nlohmann::ordered_json> PlanJson(const PlanFlags& flags, const Gguf& gguf,
                                        const ModelConfig& config);

}  // namespace espalier
