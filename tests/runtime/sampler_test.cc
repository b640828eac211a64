#include "runtime/engine/sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "kernels/base/random.h"
#include "runtime/engine/softmax.h"

namespace espalier {
namespace {

// One random row. Logits are multiples of 1/4, so ties are everywhere.
struct Case {
  std::vector<float> logits;
  SamplingParams params;
  std::vector<TokenId> prompt, output;
  TokenMask mask{0};
  bool masked = false;
};

Case RandomCase(std::mt19937& rng, std::size_t size) {
  const auto pick = [&](int n) { return static_cast<int>(rng() % static_cast<unsigned>(n)); };
  Case c;
  for (std::size_t i = 0; i < size; ++i) c.logits.push_back(static_cast<float>(pick(60)) / 4 - 7);
  const int vocab = static_cast<int>(size);
  c.params.temperature = pick(5) == 0 ? 0.0f : 0.25f * static_cast<float>(1 + pick(8));
  if (pick(2) == 0) c.params.top_k = 1 + pick(vocab + 2);
  if (pick(2) == 0) c.params.top_p = static_cast<float>(1 + pick(99)) / 100;
  if (pick(3) == 0) c.params.min_p = static_cast<float>(pick(100)) / 100;
  if (pick(3) == 0) c.params.repetition_penalty = 0.5f + static_cast<float>(pick(6)) / 4;
  if (pick(3) == 0) c.params.frequency_penalty = static_cast<float>(pick(9) - 4) / 2;
  if (pick(3) == 0) c.params.presence_penalty = static_cast<float>(pick(9) - 4) / 2;
  if (pick(3) == 0) c.params.logit_bias = {{pick(vocab), 3.5f}, {pick(vocab), -100.0f}};
  for (int i = pick(6); i > 0; --i) c.prompt.push_back(pick(vocab));
  for (int i = pick(6); i > 0; --i) c.output.push_back(pick(vocab));
  c.masked = pick(3) == 0;
  c.mask = TokenMask(size);
  for (int i = 0; i < vocab; ++i) {
    if (pick(2) == 0) c.mask.Allow(i);
  }
  return c;
}

// The adjusted logits as the header defines them, in double.
std::vector<double> Adjusted(const Case& c) {
  std::vector<double> x(c.logits.begin(), c.logits.end());
  std::map<TokenId, int> seen;
  for (const TokenId token : c.prompt) seen[token] += 0;
  for (const TokenId token : c.output) seen[token] += 1;
  for (const auto& [token, count] : seen) {
    double& logit = x[static_cast<std::size_t>(token)];
    const double penalty = c.params.repetition_penalty;
    logit = logit > 0 ? static_cast<double>(static_cast<float>(logit / penalty)) : logit * penalty;
    logit -= double{c.params.frequency_penalty} * count;
    if (count > 0) logit -= c.params.presence_penalty;
  }
  for (const auto& [token, bias] : c.params.logit_bias) x[static_cast<std::size_t>(token)] += bias;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (c.masked && !c.mask.Allows(static_cast<TokenId>(i))) x[i] = -INFINITY;
  }
  return x;
}

// Kept tokens and their probabilities, by a full sort in double. `edge`: how near the
// sums come to a cut, where rounding may decide either way.
struct Kept {
  std::map<TokenId, double> probability;
  double edge = 1;
};

Kept KeepBySorting(const Case& c, const std::vector<double>& x) {
  std::vector<TokenId> order(x.size());
  std::iota(order.begin(), order.end(), 0);
  const auto at = [&](TokenId i) { return x[static_cast<std::size_t>(i)]; };
  std::stable_sort(order.begin(), order.end(), [&](TokenId a, TokenId b) { return at(a) > at(b); });
  std::erase_if(order, [&](TokenId i) { return at(i) == -INFINITY; });
  if (c.params.top_k > 0 && order.size() > static_cast<std::size_t>(c.params.top_k)) {
    order.resize(static_cast<std::size_t>(c.params.top_k));
  }
  std::vector<double> weight;
  for (const TokenId i : order) {
    weight.push_back(std::exp((at(i) - at(order[0])) / double{c.params.temperature}));
  }
  const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
  Kept kept;
  double sum = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const double before = sum / total;
    if (c.params.top_p < 1) {
      kept.edge = std::min(kept.edge, std::abs(before - double{c.params.top_p}));
      if (before >= double{c.params.top_p}) break;
    }
    sum += weight[k];
    kept.edge = std::min(kept.edge, std::abs(weight[k] - double{c.params.min_p}));
    if (weight[k] >= double{c.params.min_p}) kept.probability[order[k]] = weight[k];
  }
  double all = 0;
  for (const auto& [token, w] : kept.probability) all += w;
  for (auto& [token, w] : kept.probability) w /= all;
  return kept;
}

Result<TokenId> SampleCase(const Case& c, Sampler& sampler, std::int32_t position) {
  Penalties penalties(c.params);
  penalties.AddPrompt(c.prompt);
  for (const TokenId token : c.output) penalties.AddOutput(token);
  return sampler.Sample({.logits = c.logits,
                         .params = &c.params,
                         .penalties = &penalties,
                         .mask = c.masked ? &c.mask : nullptr,
                         .seed = 5,
                         .choice = 1,
                         .position = position});
}

// The token at the draw's place among the kept ones, in ascending order.
void ExpectDrawn(const Kept& kept, double draw, TokenId token) {
  double sum = 0;
  for (const auto& [id, probability] : kept.probability) {
    const double begin = sum;
    sum += probability;
    if (std::abs(draw - begin) < 1e-6 || std::abs(draw - sum) < 1e-6) return;  // rounding decides
    if (draw < sum) {
      EXPECT_EQ(token, id);
      return;
    }
  }
}

TEST(Sampler, AgreesWithAFullSortInDouble) {
  std::mt19937 rng(7);
  int num_compared = 0;
  for (int trial = 0; trial < 20000 && !HasFailure(); ++trial) {
    const std::size_t size = trial % 50 == 0 ? 3000 : 2 + rng() % 40;
    const Case c = RandomCase(rng, size);
    Sampler sampler(size);
    const Result<TokenId> token = SampleCase(c, sampler, trial);
    const std::vector<double> x = Adjusted(c);
    const auto first = std::max_element(x.begin(), x.end());
    if (*first == -INFINITY) {
      EXPECT_EQ(token.status().code(), Code::kInvalidArgument);
      continue;
    }
    ASSERT_TRUE(token.ok()) << token.status().message();
    if (c.params.temperature == 0) {
      EXPECT_EQ(token.value(), first - x.begin());
      continue;
    }
    const Kept kept = KeepBySorting(c, x);
    if (kept.edge < 1e-5) continue;
    ++num_compared;
    EXPECT_TRUE(kept.probability.contains(token.value())) << "trial " << trial;
    ExpectDrawn(kept, UniformDraw(5, 1, static_cast<std::uint64_t>(trial)), token.value());
  }
  EXPECT_GT(num_compared, 8000);
}

TEST(Sampler, DrawsFollowTheProbabilities) {
  Case c;
  c.logits = {0.0f, 1.0f, 2.0f, -1.0f};
  Sampler sampler(4);
  std::vector<int> counts(4);
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) {
    ++counts[static_cast<std::size_t>(SampleCase(c, sampler, i).value())];
  }
  const double total = 1 + std::exp(1.0) + std::exp(2.0) + std::exp(-1.0);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(counts[i] / double{kDraws}, std::exp(double{c.logits[i]}) / total, 0.015);
  }
}

TEST(Sampler, BannedTokensComeOnlyWhereNothingElseCan) {
  SamplingParams params;
  params.temperature = 0;
  const Penalties penalties(params);
  const std::vector<float> logits = {5, 1, 0};
  const std::vector<TokenId> banned = {0};
  Sampler sampler(3);
  SampleInput input{.logits = logits, .params = &params, .penalties = &penalties, .banned = banned};
  EXPECT_EQ(*sampler.Sample(input), 1);
  TokenMask only_banned(3);
  only_banned.Allow(0);
  input.mask = &only_banned;
  EXPECT_EQ(*sampler.Sample(input), 0);
}

TEST(Sampler, UnusableLogitsAreAnError) {
  Case c;
  Sampler sampler(2);
  for (const float bad : {NAN, INFINITY}) {
    c.logits = {bad, 1.0f};
    EXPECT_EQ(SampleCase(c, sampler, 0).status().code(), Code::kInternal);
  }
  c.logits = {-INFINITY, -INFINITY};
  EXPECT_EQ(SampleCase(c, sampler, 0).status().code(), Code::kInternal);
  c.logits = {-INFINITY, 1.0f};
  EXPECT_EQ(*SampleCase(c, sampler, 0), 1);
}

TEST(Sampler, ExtremeOptionsAreHarmless) {
  Case c;
  c.logits = {3e38f, -3e38f, 1.0f, 0.0f};
  c.prompt = {0, 1, 2, 3};
  Sampler sampler(4);
  for (const float temperature : {1e-6f, 1.0f, 3e38f}) {
    for (const float penalty : {1e-45f, 1e-30f, 2.0f}) {
      c.params.temperature = temperature;
      c.params.repetition_penalty = penalty;
      c.params.top_p = 1e-45f;
      c.params.top_k = 2147483647;
      EXPECT_TRUE(SampleCase(c, sampler, 3).ok());
    }
  }
}

TEST(Softmax, LogprobsAreLogSoftmaxOfTheRawLogits) {
  std::mt19937 rng(3);
  for (int trial = 0; trial < 300; ++trial) {
    const Case c = RandomCase(rng, 1 + rng() % 300);
    const auto token = static_cast<TokenId>(rng() % c.logits.size());
    const TokenLogprob got = LogSoftmax(c.logits, token, 5);
    double sum = 0;
    for (const float logit : c.logits) sum += std::exp(double{logit});
    const auto logprob = [&](TokenId id) {
      return double{c.logits[static_cast<std::size_t>(id)]} - std::log(sum);
    };
    EXPECT_NEAR(got.logprob, logprob(token), 2e-6);
    std::vector<TokenId> order(c.logits.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](TokenId a, TokenId b) { return logprob(a) > logprob(b); });
    ASSERT_EQ(got.top.size(), std::min<std::size_t>(5, order.size()));
    for (std::size_t i = 0; i < got.top.size(); ++i) {
      EXPECT_EQ(got.top[i].first, order[i]);
      EXPECT_NEAR(got.top[i].second, logprob(order[i]), 2e-6);
    }
  }
}

TEST(Softmax, WeightsAreFloorsOfTheExponential) {
  std::mt19937 rng(4);
  std::vector<float> logits(1500);  // more than a block, and not whole ones
  for (float& logit : logits) logit = -static_cast<float>(rng() % (1u << 20)) / (1 << 14);
  logits[3] = 0;
  logits[700] = -INFINITY;
  logits[1400] = std::numeric_limits<float>::lowest();
  std::vector<std::uint64_t> weights(logits.size());
  for (const float temperature : {0.3f, 1.0f, 7.0f}) {
    FillWeights(logits, 0, temperature, weights);
    for (std::size_t i = 0; i < logits.size(); ++i) {
      const float exponential = ExpNonPositive(logits[i] / temperature);
      EXPECT_EQ(weights[i], static_cast<std::uint64_t>(double{exponential} * 0x1p40)) << i;
    }
  }
}

TEST(Softmax, LargestOfAnySize) {
  std::mt19937 rng(5);
  EXPECT_EQ(LargestOf({}), -INFINITY);
  for (std::size_t size = 1; size < 100; ++size) {
    std::vector<float> logits(size);
    for (float& logit : logits) logit = static_cast<float>(rng() % 1000) - 2000;
    EXPECT_EQ(LargestOf(logits), *std::max_element(logits.begin(), logits.end()));
  }
}

TEST(Softmax, ExpIsWithinThreeUlp) {
  for (int i = 0; i <= 87 * 4096; ++i) {
    const float x = -static_cast<float>(i) / 4096;
    const double exact = std::exp(double{x});
    EXPECT_NEAR(ExpNonPositive(x), exact, exact * 3.6e-7) << x;
  }
  EXPECT_EQ(ExpNonPositive(0.0f), 1.0f);
  EXPECT_EQ(ExpNonPositive(-INFINITY), ExpNonPositive(-87.0f));
}

}  // namespace
}  // namespace espalier
