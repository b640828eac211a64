#include "runtime/engine/sampler.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "kernels/base/random.h"
#include "runtime/engine/softmax.h"

namespace espalier {
namespace {

constexpr float kGreedyBelow = 1e-6f;
constexpr float kForbidden = -std::numeric_limits<float>::infinity();
constexpr std::size_t kBlock = 1024;
// Selection looks first at the tokens within this many temperatures of the largest
// logit (e^-10 of its weight): nearly always enough of them, and few.
constexpr float kNear = 10.0f;

void Forbid(const TokenMask& mask, std::span<float> logits) {
  constexpr std::size_t kBits = 32;
  const std::size_t num_masked = std::min(mask.vocab_size(), logits.size());
  for (std::size_t i = 0; i + kBits <= num_masked; i += kBits) {
    const std::uint32_t word = mask.words()[i / kBits];
    for (std::size_t bit = 0; bit < kBits; ++bit) {
      logits[i + bit] = (word & 1u << bit) != 0 ? logits[i + bit] : kForbidden;
    }
  }
  for (std::size_t i = num_masked / kBits * kBits; i < logits.size(); ++i) {
    const bool allowed = i < num_masked && mask.Allows(static_cast<TokenId>(i));
    logits[i] = allowed ? logits[i] : kForbidden;
  }
}

}  // namespace

Sampler::Sampler(std::size_t vocab_size)
    : logits_(vocab_size),
      weights_(vocab_size),
      block_sums_((vocab_size + kBlock - 1) / kBlock),
      candidates_(vocab_size) {}

Result<TokenId> Sampler::Sample(const SampleInput& input) {
  if (!AreUsable(input.logits)) {
    return Status(Code::kInternal, "the model gave logits that are not numbers");
  }
  Adjust(input);
  const std::optional<Candidate> first = First();
  if (!first && !input.banned.empty()) {
    SampleInput without_ban = input;
    without_ban.banned = {};
    return Sample(without_ban);
  }
  if (!first) return Status(Code::kInvalidArgument, "the grammar allows no further token");

  const SamplingParams& params = *input.params;
  if (params.temperature < kGreedyBelow) return first->id;
  FillWeights(logits_, first->logit, params.temperature, weights_);
  if (params.top_k > 0) {
    KeepTopK(static_cast<std::size_t>(params.top_k), *first, params.temperature);
  }
  if (params.top_p < 1.0f) KeepTopP(params.top_p, *first, params.temperature);
  if (params.min_p > 0.0f) KeepMinP(params.min_p);
  return Draw(input);
}

void Sampler::Adjust(const SampleInput& input) {
  std::copy(input.logits.begin(), input.logits.end(), logits_.begin());
  input.penalties->Apply(logits_);
  for (const auto& [id, bias] : input.params->logit_bias) {
    logits_[static_cast<std::size_t>(id)] += bias;
  }
  if (input.mask != nullptr) Forbid(*input.mask, logits_);
  for (const TokenId id : input.banned) logits_[static_cast<std::size_t>(id)] = kForbidden;
}

// The first token in order; none if all are forbidden.
std::optional<Sampler::Candidate> Sampler::First() const {
  const float largest = LargestOf(logits_);
  if (largest == kForbidden) return std::nullopt;
  const auto first = std::find(logits_.begin(), logits_.end(), largest);
  return Candidate{largest, static_cast<TokenId>(first - logits_.begin())};
}

// The tokens with a logit of at least `lowest`: a prefix of the order, not sorted.
std::span<Sampler::Candidate> Sampler::CollectCandidates(float lowest) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < logits_.size(); ++i) {
    candidates_[size] = {logits_[i], static_cast<TokenId>(i)};
    size += logits_[i] >= lowest ? 1 : 0;
  }
  return std::span(candidates_).first(size);
}

void Sampler::KeepTopK(std::size_t k, const Candidate& first, float temperature) {
  if (k >= logits_.size()) return;
  std::span<Candidate> candidates = CollectCandidates(first.logit - kNear * temperature);
  if (candidates.size() < k) candidates = CollectCandidates(kForbidden);
  const auto last = candidates.begin() + static_cast<std::ptrdiff_t>(k - 1);
  std::nth_element(candidates.begin(), last, candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.Before(b); });
  DropAfter(*last);
}

// Keeps the shortest prefix of the order that holds `p` of the weight: halves the range
// that holds its end, each time with the sum of the better half. O(vocab_size).
void Sampler::KeepTopP(float p, const Candidate& first, float temperature) {
  const auto weight = [this](std::uint64_t sum, const Candidate& candidate) {
    return sum + weights_[static_cast<std::size_t>(candidate.id)];
  };
  const std::uint64_t total = SumOfWeights(0, weights_.size());
  const auto target =
      std::min(total, static_cast<std::uint64_t>(double{p} * static_cast<double>(total)));
  std::span<Candidate> candidates = CollectCandidates(first.logit - kNear * temperature);
  const std::uint64_t near =
      std::accumulate(candidates.begin(), candidates.end(), std::uint64_t{0}, weight);
  if (near < target) candidates = CollectCandidates(kForbidden);

  std::uint64_t before = 0;  // the weight of [0, begin)
  auto begin = candidates.begin();
  auto end = candidates.end();  // [0, end) holds enough
  while (end - begin > 1) {
    const auto middle = begin + (end - begin) / 2;
    std::nth_element(begin, middle, end,
                     [](const Candidate& a, const Candidate& b) { return a.Before(b); });
    const std::uint64_t sum = std::accumulate(begin, middle, before, weight);
    if (sum >= target) {
      end = middle;
    } else {
      begin = middle;
      before = sum;
    }
  }
  DropAfter(*begin);
}

void Sampler::KeepMinP(float p) {
  const auto lowest = static_cast<std::uint64_t>(double{p} * double{kWeightOne});
  for (std::uint64_t& weight : weights_) weight = weight < lowest ? 0 : weight;
}

void Sampler::DropAfter(const Candidate& last) {
  const auto num_first = static_cast<std::size_t>(last.id) + 1;  // where a tie is kept
  for (std::size_t i = 0; i < num_first; ++i) {
    weights_[i] = logits_[i] >= last.logit ? weights_[i] : 0;
  }
  for (std::size_t i = num_first; i < logits_.size(); ++i) {
    weights_[i] = logits_[i] > last.logit ? weights_[i] : 0;
  }
}

std::uint64_t Sampler::SumOfWeights(std::size_t begin, std::size_t end) const {
  return std::accumulate(weights_.begin() + static_cast<std::ptrdiff_t>(begin),
                         weights_.begin() + static_cast<std::ptrdiff_t>(end), std::uint64_t{0});
}

TokenId Sampler::Draw(const SampleInput& input) {
  std::uint64_t total = 0;
  for (std::size_t block = 0; block < block_sums_.size(); ++block) {
    const std::size_t begin = block * kBlock;
    block_sums_[block] = SumOfWeights(begin, std::min(begin + kBlock, weights_.size()));
    total += block_sums_[block];
  }
  const double draw = UniformDraw(input.seed, static_cast<std::uint32_t>(input.choice),
                                  static_cast<std::uint64_t>(input.position));
  // draw is a multiple of 2^-53, so this is floor(draw * total), exactly.
  const auto draw_bits = static_cast<std::uint64_t>(draw * 0x1p53);
  __extension__ using Wide = unsigned __int128;
  auto left = static_cast<std::uint64_t>((Wide{draw_bits} * total) >> 53);

  std::size_t block = 0;
  while (left >= block_sums_[block]) left -= block_sums_[block++];
  std::size_t i = block * kBlock;
  while (left >= weights_[i]) left -= weights_[i++];
  return static_cast<TokenId>(i);
}

}  // namespace espalier
