// ModelConfig: the numbers that describe one model, read from the {architecture}.*
// keys of its file. Every value is checked against a range before anything is sized
// by it.
//
// Architectures of the Llama family differ in a few fields only, so they are rows
// of a table (runtime/model/registry.cc), not code.
//
// Thread safety: plain data and pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/base/status.h"
#include "kernels/kernels.h"
#include "runtime/model/gguf.h"

namespace espalier {

enum class QkvBias : std::uint8_t { kOptional, kRequired };
enum class QkNorm : std::uint8_t { kNone, kPerHead };  // RMSNorm over head_dim, before RoPE

struct Architecture {
  std::string_view name;
  RopePairs rope_pairs;
  QkvBias qkv_bias;
  QkNorm qk_norm;
};

enum class RopeScaling : std::uint8_t { kNone, kLinear, kYarn };

struct RopeConfig {
  RopePairs pairs = RopePairs::kNeighbours;
  std::int32_t rotary_dim = 0;  // even, at most head_dim
  double freq_base = 10000.0;
  RopeScaling scaling = RopeScaling::kNone;
  double factor = 1.0;  // of positions: linear and yarn
  // YaRN only.
  std::int64_t original_context_length = 0;
  double attention_factor = 1.0;
  double beta_fast = 32.0;
  double beta_slow = 1.0;
};

struct ModelConfig {
  Architecture architecture;
  std::string name;  // general.name, or the architecture's
  std::int32_t num_layers = 0;
  std::int32_t hidden_size = 0;
  std::int32_t ffn_size = 0;
  std::int32_t num_heads = 0;
  std::int32_t num_kv_heads = 0;  // divides num_heads
  std::int32_t head_dim = 0;
  std::int32_t vocab_size = 0;
  std::int32_t context_length = 0;
  float rms_eps = 0;
  float attention_scale = 0;
  RopeConfig rope;
};

// kDataLoss names a key that is missing or out of range; kUnsupported one that asks
// for what is not built (experts, layers of different shapes, another RoPE scaling).
// A sliding attention window shortens context_length to the window, where full
// attention is the same function.
Result<ModelConfig> ReadConfig(const Gguf& gguf, const Architecture& architecture);

}  // namespace espalier
