#include "runtime/cli/bench/simulated_model.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace espalier {
namespace {

bool IsLower(char c) { return 'a' <= c && c <= 'z'; }

std::vector<TokenId> Words(const Vocabulary& vocabulary) {
  constexpr std::size_t kMost = 4096, kFew = 64;
  std::vector<TokenId> spaced, letters;
  for (TokenId token = 0; static_cast<std::size_t>(token) < vocabulary.size(); ++token) {
    const std::string_view bytes = vocabulary.bytes(token);
    if (bytes.size() == 1 && IsLower(bytes[0])) letters.push_back(token);
    const bool is_word =
        bytes.size() > 2 && bytes[0] == ' ' && std::all_of(bytes.begin() + 1, bytes.end(), IsLower);
    if (is_word && spaced.size() < kMost) spaced.push_back(token);
  }
  if (spaced.size() >= kFew) return spaced;
  return letters.empty() ? std::vector<TokenId>{0} : letters;
}

std::uint64_t Mix(std::uint64_t hash) {
  hash *= 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 29);
}

}  // namespace

SimulatedModel::SimulatedModel(const Vocabulary& vocabulary, std::int32_t context_length,
                               int page_size, const StepCost& cost,
                               std::function<void(double seconds)> spend)
    : vocab_size_(static_cast<std::int32_t>(vocabulary.size())),
      context_length_(context_length),
      shape_{.num_layers = 1, .num_kv_heads = 1, .head_dim = 1, .page_size = page_size},
      cost_(cost),
      spend_(std::move(spend)),
      words_(Words(vocabulary)) {}

void SimulatedModel::Forward(const Batch& batch, KvPool& /*kv*/, const ModelOutput& output) {
  spend_(cost_.Seconds(WorkOf(batch)));
  const auto width = static_cast<std::size_t>(vocab_size_);
  for (std::size_t i = 0; i < batch.num_logits(); ++i) {
    const auto token = static_cast<std::size_t>(batch.logits_tokens[i]);
    FillLogits(batch.tokens[token], batch.position[token], output.logits.subspan(i * width, width));
  }
  std::fill(output.hidden.begin(), output.hidden.end(), 1.0f);
}

void SimulatedModel::FillLogits(TokenId token, std::int32_t position,
                                std::span<float> logits) const {
  constexpr int kLiked = 16;
  constexpr float kMost = 40, kStep = 0.25;
  std::fill(logits.begin(), logits.end(), 0.0f);
  std::uint64_t hash =
      Mix(static_cast<std::uint64_t>(token) << 32 | static_cast<std::uint32_t>(position));
  for (int i = 0; i < kLiked; ++i) {
    hash = Mix(hash + 1);
    const TokenId word = words_[(hash >> 16) % words_.size()];
    logits[static_cast<std::size_t>(word)] = kMost - kStep * static_cast<float>(i);
  }
}

}  // namespace espalier
