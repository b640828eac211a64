#include "runtime/model/weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace espalier {
namespace {

enum class Presence : std::uint8_t { kRequired, kOptional };

// Takes tensors out of a file by name and remembers which.
class TensorReader {
 public:
  TensorReader(const Gguf& gguf, Kernels& kernels)
      : gguf_(gguf), kernels_(kernels), taken_(gguf.tensors().size(), false) {}

  Status View(const std::string& name, std::int64_t rows, std::int64_t columns, TensorView& view) {
    const Gguf::Tensor* tensor = gguf_.FindTensor(name);
    if (tensor == nullptr) return Status(Code::kDataLoss, "tensor '" + name + "' is missing");
    if (tensor->view.rows != rows || tensor->view.columns != columns) {
      return Status(Code::kDataLoss, "tensor '" + name + "' has shape " +
                                         ShapeText(tensor->view.rows, tensor->view.columns) +
                                         ", expected " + ShapeText(rows, columns));
    }
    taken_[static_cast<std::size_t>(tensor - gguf_.tensors().data())] = true;
    view = tensor->view;
    return Status();
  }

  Status Pack(const std::string& name, std::int64_t rows, std::int64_t columns,
              std::unique_ptr<Matrix>& matrix) {
    TensorView view;
    ESP_RETURN_IF_ERROR(View(name, rows, columns, view));
    matrix = kernels_.Pack(view);
    return Status();
  }

  Status Vector(const std::string& name, std::int64_t size, std::vector<float>& vector) {
    TensorView view;
    ESP_RETURN_IF_ERROR(View(name, 1, size, view));
    vector.resize(static_cast<std::size_t>(size));
    const TokenId only_row[] = {0};
    kernels_.Embed(view, only_row, vector.data());
    return Status();
  }

  Status Vector(const std::string& name, std::int64_t size, Presence presence,
                std::vector<float>& vector) {
    if (presence == Presence::kOptional && !Has(name)) return Status();
    return Vector(name, size, vector);
  }

  bool Has(const std::string& name) const { return gguf_.FindTensor(name) != nullptr; }

  Status CheckAllTaken(std::string_view architecture) const {
    const auto left = std::find(taken_.begin(), taken_.end(), false);
    if (left == taken_.end()) return Status();
    const auto& tensor = gguf_.tensors()[static_cast<std::size_t>(left - taken_.begin())];
    return Status(Code::kUnsupported, "tensor '" + std::string(tensor.name) +
                                          "' is no part of a '" + std::string(architecture) +
                                          "' model as known here");
  }

 private:
  static std::string ShapeText(std::int64_t rows, std::int64_t columns) {
    return fmt::format("{{{}, {}}}", rows, columns);
  }

  const Gguf& gguf_;
  Kernels& kernels_;
  std::vector<bool> taken_;  // by index in tensors()
};

Status LoadAttention(const ModelConfig& config, const std::string& prefix, TensorReader& tensors,
                     LayerWeights& layer) {
  const std::int64_t hidden = config.hidden_size;
  const std::int64_t q_rows = std::int64_t{config.num_heads} * config.head_dim;
  const std::int64_t kv_rows = std::int64_t{config.num_kv_heads} * config.head_dim;
  ESP_RETURN_IF_ERROR(tensors.Vector(prefix + "attn_norm.weight", hidden, layer.attention_norm));
  ESP_RETURN_IF_ERROR(tensors.Pack(prefix + "attn_q.weight", q_rows, hidden, layer.q));
  ESP_RETURN_IF_ERROR(tensors.Pack(prefix + "attn_k.weight", kv_rows, hidden, layer.k));
  ESP_RETURN_IF_ERROR(tensors.Pack(prefix + "attn_v.weight", kv_rows, hidden, layer.v));
  ESP_RETURN_IF_ERROR(tensors.Pack(prefix + "attn_output.weight", hidden, q_rows, layer.output));
  const Presence bias = config.architecture.qkv_bias == QkvBias::kRequired ? Presence::kRequired
                                                                           : Presence::kOptional;
  ESP_RETURN_IF_ERROR(tensors.Vector(prefix + "attn_q.bias", q_rows, bias, layer.q_bias));
  ESP_RETURN_IF_ERROR(tensors.Vector(prefix + "attn_k.bias", kv_rows, bias, layer.k_bias));
  ESP_RETURN_IF_ERROR(tensors.Vector(prefix + "attn_v.bias", kv_rows, bias, layer.v_bias));
  if (config.architecture.qk_norm == QkNorm::kNone) return Status();
  ESP_RETURN_IF_ERROR(tensors.Vector(prefix + "attn_q_norm.weight", config.head_dim, layer.q_norm));
  return tensors.Vector(prefix + "attn_k_norm.weight", config.head_dim, layer.k_norm);
}

Status LoadFeedForward(const ModelConfig& config, const std::string& prefix, TensorReader& tensors,
                       LayerWeights& layer) {
  const std::int64_t hidden = config.hidden_size;
  const std::int64_t ffn = config.ffn_size;
  ESP_RETURN_IF_ERROR(tensors.Vector(prefix + "ffn_norm.weight", hidden, layer.ffn_norm));
  ESP_RETURN_IF_ERROR(tensors.Pack(prefix + "ffn_gate.weight", ffn, hidden, layer.gate));
  ESP_RETURN_IF_ERROR(tensors.Pack(prefix + "ffn_up.weight", ffn, hidden, layer.up));
  return tensors.Pack(prefix + "ffn_down.weight", hidden, ffn, layer.down);
}

Status LoadRopeFactors(const ModelConfig& config, TensorReader& tensors,
                       std::vector<float>& factors) {
  const std::string name = "rope_freqs.weight";
  ESP_RETURN_IF_ERROR(
      tensors.Vector(name, config.rope.rotary_dim / 2, Presence::kOptional, factors));
  const bool positive =
      std::all_of(factors.begin(), factors.end(), [](float f) { return f >= 1.0f && f <= 1e6f; });
  if (positive) return Status();
  return Status(Code::kDataLoss, "tensor '" + name + "' has a factor that is not in 1 .. 1e6");
}

}  // namespace

std::int64_t Weights::size_bytes() const {
  std::int64_t total = head->size_bytes();
  for (const LayerWeights& layer : layers) {
    for (const auto* matrix :
         {&layer.q, &layer.k, &layer.v, &layer.output, &layer.gate, &layer.up, &layer.down}) {
      total += (*matrix)->size_bytes();
    }
  }
  return total;
}

Result<Weights> LoadWeights(const Gguf& gguf, const ModelConfig& config, Kernels& kernels) {
  TensorReader tensors(gguf, kernels);
  Weights weights;
  const std::int64_t vocabulary = config.vocab_size;
  const std::int64_t hidden = config.hidden_size;
  ESP_RETURN_IF_ERROR(tensors.View("token_embd.weight", vocabulary, hidden, weights.embedding));
  for (int i = 0; i < config.num_layers; ++i) {
    const std::string prefix = fmt::format("blk.{}.", i);
    LayerWeights& layer = weights.layers.emplace_back();
    ESP_RETURN_IF_ERROR(LoadAttention(config, prefix, tensors, layer));
    ESP_RETURN_IF_ERROR(LoadFeedForward(config, prefix, tensors, layer));
    // What was copied need not stay mapped: two copies of all weights at once are many.
    if (layer.down->size_bytes() > 0) gguf.DropPages();
  }
  ESP_RETURN_IF_ERROR(tensors.Vector("output_norm.weight", hidden, weights.output_norm));
  const std::string head = tensors.Has("output.weight") ? "output.weight" : "token_embd.weight";
  ESP_RETURN_IF_ERROR(tensors.Pack(head, vocabulary, hidden, weights.head));
  ESP_RETURN_IF_ERROR(LoadRopeFactors(config, tensors, weights.rope_factors));
  ESP_RETURN_IF_ERROR(tensors.CheckAllTaken(config.architecture.name));
  return weights;
}

}  // namespace espalier
