#include "runtime/model/registry.h"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "runtime/model/config.h"
#include "runtime/model/transformer.h"
#include "runtime/model/weights.h"

namespace espalier {
namespace {

// The converter permutes the rows of llama's q and k, so its pairs are neighbours.
constexpr std::array kArchitectures = {
    Architecture{"llama", RopePairs::kNeighbours, QkvBias::kOptional, QkNorm::kNone},
    Architecture{"qwen2", RopePairs::kHalves, QkvBias::kRequired, QkNorm::kNone},
    Architecture{"qwen3", RopePairs::kHalves, QkvBias::kOptional, QkNorm::kPerHead},
};

Result<Architecture> FindArchitecture(const Gguf& gguf) {
  ESP_ASSIGN_OR_RETURN(const auto name, gguf.GetString("general.architecture"));
  if (!name) return Status(Code::kDataLoss, "metadata key 'general.architecture' is missing");
  std::string known;
  for (const Architecture& architecture : kArchitectures) {
    if (architecture.name == *name) return architecture;
    known += (known.empty() ? "" : ", ") + std::string(architecture.name);
  }
  return Status(Code::kUnsupported,
                "architecture '" + std::string(*name) + "' is not supported; these are: " + known);
}

}  // namespace

Result<ModelConfig> ReadConfig(const Gguf& gguf) {
  ESP_ASSIGN_OR_RETURN(const Architecture architecture, FindArchitecture(gguf));
  return ReadConfig(gguf, architecture);
}

Result<std::unique_ptr<Model>> LoadModel(std::shared_ptr<const Gguf> gguf,
                                         const ModelOptions& options, ThreadPool& pool) {
  ESP_ASSIGN_OR_RETURN(ModelConfig config, ReadConfig(*gguf));
  const KernelsOptions kernels_options{
      .device = options.device, .isa = options.isa, .precision = options.precision};
  ESP_ASSIGN_OR_RETURN(std::unique_ptr<Kernels> kernels, MakeKernels(kernels_options, pool));
  ESP_ASSIGN_OR_RETURN(Weights weights, LoadWeights(*gguf, config, *kernels));
  if (weights.size_bytes() > 0) gguf->DropPages();
  const KvShape kv_shape{.num_layers = config.num_layers,
                         .num_kv_heads = config.num_kv_heads,
                         .head_dim = config.head_dim,
                         .page_size = options.page_size,
                         .dtype = options.kv_dtype};
  TransformerParts parts{.gguf = std::move(gguf),
                         .config = std::move(config),
                         .kernels = std::move(kernels),
                         .weights = std::move(weights),
                         .kv_shape = kv_shape,
                         .limits = options.limits};
  try {
    return std::unique_ptr<Model>(std::make_unique<Transformer>(std::move(parts)));
  } catch (const std::bad_alloc&) {
    return Status(Code::kLimit,
                  "there is not enough memory for " + std::to_string(options.limits.max_tokens) +
                      " tokens a step; take a smaller --chunk-tokens or --max-running");
  }
}

}  // namespace espalier
