// SimulatedMachine: the machines that `bench programs --simulate` knows: what a step costs on
// them, and how much KV they have room for.
//
// Thread safety: immutable.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/model/step_cost.h"

namespace espalier {

struct SimulatedMachine {
  std::string_view name;
  std::string_view summary;
  StepCost cost;
  int kv_cache_tokens;  // what fits beside the weights
  int chunk_tokens;     // of a step, by default
  std::int32_t context_length;
};
std::span<const SimulatedMachine> SimulatedMachines();
const SimulatedMachine* FindSimulatedMachine(std::string_view name);  // null if there is none

}  // namespace espalier
