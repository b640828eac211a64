#include "runtime/model/config.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace espalier {
namespace {

struct IntRange {
  std::int64_t min;
  std::int64_t max;
  std::optional<std::int64_t> fallback;  // none: the key must be there
};

struct FloatRange {
  double min;
  double max;
  std::optional<double> fallback;
};

constexpr std::int64_t kMaxContext = 1 << 22;  // the largest angle of Sin and Cos in kernels/math.h
constexpr std::int64_t kMaxVocabulary = 1 << 24;
constexpr std::int64_t kMaxInt32 = std::numeric_limits<std::int32_t>::max();

// Reads the keys of one architecture.
class ConfigReader {
 public:
  ConfigReader(const Gguf& gguf, std::string_view architecture)
      : gguf_(gguf), prefix_(std::string(architecture) + ".") {}

  Result<std::int32_t> Int(std::string_view key, const IntRange& range) const {
    ESP_ASSIGN_OR_RETURN(const auto stored, gguf_.GetInt(Name(key)));
    if (!stored && !range.fallback) return Missing(key);
    const std::int64_t value = stored.value_or(range.fallback.value_or(0));
    if (stored && (value < range.min || value > range.max)) return OutOfRange(key, range, value);
    return static_cast<std::int32_t>(value);
  }

  // A value that some files give once and others layer by layer.
  Result<std::int32_t> PerLayerInt(std::string_view key, int num_layers,
                                   const IntRange& range) const {
    ESP_ASSIGN_OR_RETURN(const auto stored, gguf_.GetInts(Name(key)));
    if (!stored && !range.fallback) return Missing(key);
    if (!stored) return static_cast<std::int32_t>(*range.fallback);
    if (stored->size() != 1 && std::ssize(*stored) != num_layers) {
      return Status(Code::kDataLoss, Quoted(key) + " has " + std::to_string(stored->size()) +
                                         " values for " + std::to_string(num_layers) + " layers");
    }
    if (std::any_of(stored->begin(), stored->end(),
                    [&](std::int64_t v) { return v != stored->front(); })) {
      return Unsupported(key, "differs from layer to layer");
    }
    const std::int64_t value = stored->front();
    if (value < range.min || value > range.max) return OutOfRange(key, range, value);
    return static_cast<std::int32_t>(value);
  }

  Result<double> Float(std::string_view key, const FloatRange& range) const {
    ESP_ASSIGN_OR_RETURN(const auto stored, gguf_.GetFloat(Name(key)));
    if (!stored && !range.fallback) return Missing(key);
    const double value = stored.value_or(range.fallback.value_or(0));
    if (stored && !(value >= range.min && value <= range.max)) {
      return OutOfRange(key, range, value);
    }
    return value;
  }

  Result<bool> Bool(std::string_view key, bool fallback) const {
    ESP_ASSIGN_OR_RETURN(const auto stored, gguf_.GetBool(Name(key)));
    return stored.value_or(fallback);
  }

  Result<std::string> String(std::string_view key, std::string_view fallback) const {
    ESP_ASSIGN_OR_RETURN(const auto stored, gguf_.GetString(Name(key)));
    return std::string(stored.value_or(fallback));
  }

  Status Unsupported(std::string_view key, const std::string& what) const {
    return Status(Code::kUnsupported, Quoted(key) + " " + what + ", which is not supported");
  }

 private:
  std::string Name(std::string_view key) const { return prefix_ + std::string(key); }
  std::string Quoted(std::string_view key) const { return "metadata key '" + Name(key) + "'"; }
  Status Missing(std::string_view key) const {
    return Status(Code::kDataLoss, Quoted(key) + " is missing");
  }
  template <typename Range, typename T>
  Status OutOfRange(std::string_view key, const Range& range, T value) const {
    return Status(Code::kDataLoss, Quoted(key) + " is " + std::to_string(value) + ", not in " +
                                       std::to_string(range.min) + " .. " +
                                       std::to_string(range.max));
  }

  const Gguf& gguf_;
  std::string prefix_;
};

Status ReadSizes(const ConfigReader& keys, ModelConfig& config) {
  ESP_ASSIGN_OR_RETURN(config.num_layers, keys.Int("block_count", {1, 512, {}}));
  ESP_ASSIGN_OR_RETURN(config.hidden_size, keys.Int("embedding_length", {1, 65536, {}}));
  const int layers = config.num_layers;
  ESP_ASSIGN_OR_RETURN(config.ffn_size,
                       keys.PerLayerInt("feed_forward_length", layers, {1, 1 << 20, {}}));
  ESP_ASSIGN_OR_RETURN(config.context_length, keys.Int("context_length", {1, kMaxContext, {}}));
  ESP_ASSIGN_OR_RETURN(const std::int32_t experts, keys.Int("expert_count", {0, 65536, 0}));
  if (experts > 0) return keys.Unsupported("expert_count", "asks for a mixture of experts");
  ESP_ASSIGN_OR_RETURN(const std::int32_t window,
                       keys.Int("attention.sliding_window", {0, kMaxInt32, 0}));
  if (window > 0) config.context_length = std::min(config.context_length, window);
  return Status();
}

Status ReadAttention(const ConfigReader& keys, ModelConfig& config) {
  const int layers = config.num_layers;
  ESP_ASSIGN_OR_RETURN(config.num_heads,
                       keys.PerLayerInt("attention.head_count", layers, {1, 1024, {}}));
  ESP_ASSIGN_OR_RETURN(config.num_kv_heads, keys.PerLayerInt("attention.head_count_kv", layers,
                                                             {1, 1024, config.num_heads}));
  if (config.num_heads % config.num_kv_heads != 0) {
    return Status(Code::kDataLoss, "attention.head_count_kv (" +
                                       std::to_string(config.num_kv_heads) +
                                       ") does not divide attention.head_count (" +
                                       std::to_string(config.num_heads) + ")");
  }
  const int split = config.hidden_size / config.num_heads;
  ESP_ASSIGN_OR_RETURN(config.head_dim, keys.Int("attention.key_length", {1, 1024, split}));
  ESP_ASSIGN_OR_RETURN(const std::int32_t value_length,
                       keys.Int("attention.value_length", {1, 1024, config.head_dim}));
  if (config.head_dim < 1 || config.head_dim > 1024) {
    return Status(Code::kDataLoss, "attention.head_count does not fit embedding_length");
  }
  if (value_length != config.head_dim) {
    return keys.Unsupported("attention.value_length", "differs from attention.key_length");
  }
  ESP_ASSIGN_OR_RETURN(const double eps,
                       keys.Float("attention.layer_norm_rms_epsilon", {0.0, 1.0, {}}));
  config.rms_eps = static_cast<float>(eps);
  ESP_ASSIGN_OR_RETURN(
      const double scale,
      keys.Float("attention.scale", {1e-6, 1e6, 1.0 / std::sqrt(config.head_dim)}));
  config.attention_scale = static_cast<float>(scale);
  return Status();
}

Status ReadYarn(const ConfigReader& keys, const ModelConfig& config, RopeConfig& rope) {
  ESP_ASSIGN_OR_RETURN(
      rope.original_context_length,
      keys.Int("rope.scaling.original_context_length", {1, kMaxContext, config.context_length}));
  ESP_ASSIGN_OR_RETURN(rope.attention_factor,
                       keys.Float("rope.scaling.attn_factor", {1e-3, 1e3, 1.0}));
  ESP_ASSIGN_OR_RETURN(rope.beta_fast,
                       keys.Float("rope.scaling.yarn_beta_fast", {1e-3, 1e6, 32.0}));
  ESP_ASSIGN_OR_RETURN(rope.beta_slow, keys.Float("rope.scaling.yarn_beta_slow", {1e-3, 1e6, 1.0}));
  return Status();
}

Status ReadScaling(const ConfigReader& keys, const ModelConfig& config, RopeConfig& rope) {
  // Files from before scaling types had rope.scale_linear alone.
  ESP_ASSIGN_OR_RETURN(const double old_factor, keys.Float("rope.scale_linear", {0.0, 1e6, 1.0}));
  ESP_ASSIGN_OR_RETURN(const double factor,
                       keys.Float("rope.scaling.factor", {0.0, 1e6, old_factor}));
  if (factor > 0.0 && factor < 1.0) {
    return keys.Unsupported("rope.scaling.factor", "shortens the context");
  }
  rope.factor = factor == 0.0 ? 1.0 : factor;
  ESP_ASSIGN_OR_RETURN(const std::string type, keys.String("rope.scaling.type", "linear"));
  if (type == "none") {
    rope.factor = 1.0;
  } else if (type == "linear") {
    rope.scaling = rope.factor == 1.0 ? RopeScaling::kNone : RopeScaling::kLinear;
  } else if (type == "yarn") {
    rope.scaling = RopeScaling::kYarn;
    return ReadYarn(keys, config, rope);
  } else {
    return keys.Unsupported("rope.scaling.type", "asks for '" + type + "'");
  }
  return Status();
}

Status ReadRope(const ConfigReader& keys, ModelConfig& config) {
  RopeConfig& rope = config.rope;
  rope.pairs = config.architecture.rope_pairs;
  ESP_ASSIGN_OR_RETURN(rope.rotary_dim,
                       keys.Int("rope.dimension_count", {2, config.head_dim, config.head_dim}));
  if (rope.rotary_dim % 2 != 0) {
    return Status(Code::kDataLoss,
                  "rope.dimension_count is odd: " + std::to_string(rope.rotary_dim));
  }
  ESP_ASSIGN_OR_RETURN(rope.freq_base, keys.Float("rope.freq_base", {1.0 + 1e-6, 1e12, 10000.0}));
  return ReadScaling(keys, config, rope);
}

// Keys that change what a model computes, and that no model of these architectures has in
// the files that we know.
Status RefuseUnknownMath(const ConfigReader& keys) {
  struct Key {
    std::string_view name;
    double neutral;
  };
  constexpr Key kKeys[] = {
      {"attn_logit_softcapping", 0},  {"final_logit_softcapping", 0}, {"logit_scale", 1},
      {"embedding_scale", 1},         {"residual_scale", 1},          {"attention.clamp_kqv", 0},
      {"attention.max_alibi_bias", 0}};
  constexpr double kAny = std::numeric_limits<double>::max();
  for (const Key& key : kKeys) {
    ESP_ASSIGN_OR_RETURN(const double value, keys.Float(key.name, {-kAny, kAny, key.neutral}));
    if (value != key.neutral && value != 0) return keys.Unsupported(key.name, "is set");
  }
  ESP_ASSIGN_OR_RETURN(const bool is_causal, keys.Bool("attention.causal", true));
  if (!is_causal) return keys.Unsupported("attention.causal", "is false");
  ESP_ASSIGN_OR_RETURN(const bool is_parallel, keys.Bool("use_parallel_residual", false));
  if (is_parallel) return keys.Unsupported("use_parallel_residual", "is true");
  return Status();
}

// The vocabulary's length must be the embedding's: a token without a row would be
// read from outside the matrix.
Status ReadVocabulary(const Gguf& gguf, ModelConfig& config) {
  const Gguf::Tensor* embedding = gguf.FindTensor("token_embd.weight");
  if (embedding == nullptr) {
    return Status(Code::kDataLoss, "tensor 'token_embd.weight' is missing");
  }
  ESP_ASSIGN_OR_RETURN(const auto tokens, gguf.GetStrings("tokenizer.ggml.tokens"));
  const std::int64_t rows = embedding->view.rows;
  if (tokens && std::ssize(*tokens) != rows) {
    return Status(Code::kDataLoss,
                  "the vocabulary (tokenizer.ggml.tokens) has " + std::to_string(tokens->size()) +
                      " tokens, but 'token_embd.weight' has " + std::to_string(rows) + " rows");
  }
  if (rows > kMaxVocabulary) {
    return Status(Code::kDataLoss, "'token_embd.weight' has too many rows");
  }
  config.vocab_size = static_cast<std::int32_t>(rows);
  return Status();
}

}  // namespace

Result<ModelConfig> ReadConfig(const Gguf& gguf, const Architecture& architecture) {
  ModelConfig config{.architecture = architecture};
  ESP_ASSIGN_OR_RETURN(const auto name, gguf.GetString("general.name"));
  config.name = name.value_or(architecture.name);
  const ConfigReader keys(gguf, architecture.name);
  ESP_RETURN_IF_ERROR(ReadSizes(keys, config));
  ESP_RETURN_IF_ERROR(ReadAttention(keys, config));
  ESP_RETURN_IF_ERROR(ReadRope(keys, config));
  ESP_RETURN_IF_ERROR(RefuseUnknownMath(keys));
  ESP_RETURN_IF_ERROR(ReadVocabulary(gguf, config));
  return config;
}

}  // namespace espalier
