#include "runtime/cli/bench/simulated_machine.h"

#include <algorithm>
#include <iterator>

namespace espalier {
namespace {

// float16: 32 layers of 32 heads of 128.
constexpr ModelSize kLlama2With7B{.weight_bytes = 13'476'000'000,
                                  .multiplied = 6'607'000'000,
                                  .kv_bytes_per_token = 524'288,
                                  .attention_width = 131'072};
// The same, with 8 KV heads.
constexpr ModelSize kLlama3With8B{.weight_bytes = 16'060'000'000,
                                  .multiplied = 7'505'000'000,
                                  .kv_bytes_per_token = 131'072,
                                  .attention_width = 131'072};
// Peak bandwidths of the data sheets; half of the dense float16 peaks, as good kernels reach.
constexpr DeviceSpeed kA10G{.bytes_per_s = 600e9, .flops = 35e12, .overhead_s = 2e-3};
constexpr DeviceSpeed kH100{.bytes_per_s = 3350e9, .flops = 495e12, .overhead_s = 1e-3};

constexpr SimulatedMachine kMachines[] = {
    // About what two cores with AVX2 reach with SmolLM2-135M in Q4_1.
    {"cpu",
     "two CPU cores, SmolLM2-135M",
     {.overhead_s = 1e-3,
      .weights_s = 8e-3,
      .token_s = 1.4e-3,
      .kv_token_s = 3e-6,
      .attended_s = 1.2e-6},
     65'536,
     128,
     8192},
    {"a10g", "A10G 24 GB, Llama-2-7B in float16: the paper's", CostOf(kLlama2With7B, kA10G), 16'384,
     2048, 4096},
    {"h100", "H100 80 GB, Llama-3-8B in float16", CostOf(kLlama3With8B, kH100), 409'600, 4096,
     8192},
};

}  // namespace

std::span<const SimulatedMachine> SimulatedMachines() { return kMachines; }

const SimulatedMachine* FindSimulatedMachine(std::string_view name) {
  const auto* found = std::find_if(std::begin(kMachines), std::end(kMachines),
                                   [&](const SimulatedMachine& row) { return row.name == name; });
  return found == std::end(kMachines) ? nullptr : found;
}

}  // namespace espalier
