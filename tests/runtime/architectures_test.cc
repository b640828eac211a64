// The architectures against log-probabilities of an independent model in NumPy
// float64. The fixtures come from tests/conformance/architectures.py, which checks
// many more cases than are kept here.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>

#include "runtime/cli/next_tokens.h"
#include "runtime/model/registry.h"
#include "tests/support/paths.h"

namespace espalier {
namespace {

struct Fixture {
  std::shared_ptr<const Gguf> gguf;
  std::vector<TokenId> ids;
  std::vector<std::vector<double>> logprobs;  // [ids.size()][vocab_size]
};

Fixture Load(const std::string& name) {
  const std::string path = test::RepositoryPath("tests/golden/architectures/" + name);
  std::ifstream file(path + ".json");
  const auto json = nlohmann::json::parse(file);
  return {.gguf = Gguf::Open(path + ".gguf").value(),
          .ids = json["ids"].get<std::vector<TokenId>>(),
          .logprobs = json["logprobs"].get<std::vector<std::vector<double>>>()};
}

// One row of all tokens in pages 0, 1, ...
Batch WholeSequence(const std::vector<TokenId>& ids, int page_size) {
  const auto size = static_cast<std::int32_t>(ids.size());
  Batch batch;
  batch.seq = {SeqId{0}};
  batch.tokens = ids;
  batch.position.resize(ids.size());
  std::iota(batch.position.begin(), batch.position.end(), 0);
  batch.slots = batch.logits_tokens = batch.position;
  for (std::int32_t t = 1; t <= size; ++t) batch.slot_start.push_back(t);
  for (std::int32_t p = 0; p * page_size < size; ++p) batch.pages.push_back(PageId{p});
  batch.start.push_back(size);
  batch.page_start.push_back(static_cast<std::int32_t>(batch.pages.size()));
  batch.logits_start.push_back(size);
  return batch;
}

// The largest difference of a log-probability from the fixture's.
double LargestError(const Fixture& fixture, const ModelOptions& options) {
  ThreadPool threads(1);
  const auto model = LoadModel(fixture.gguf, options, threads).value();
  KvPool kv = KvPool::Create(model->kv_shape(), 8).value();
  const auto width = static_cast<std::size_t>(model->vocab_size());
  std::vector<float> logits(fixture.ids.size() * width);
  model->Forward(WholeSequence(fixture.ids, options.page_size), kv, {logits});
  double worst = 0;
  NextTokens next;
  for (std::size_t row = 0; row < fixture.ids.size(); ++row) {
    next.Set(std::span(logits).subspan(row * width, width));
    for (std::size_t t = 0; t < width; ++t) {
      const double error = next.logprob(static_cast<TokenId>(t)) - fixture.logprobs[row][t];
      worst = std::max(worst, std::abs(error));
    }
  }
  return worst;
}

class ArchitecturesTest : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Fixtures, ArchitecturesTest,
                         ::testing::Values("llama_f16_untied", "llama_rope_factors", "qwen2",
                                           "qwen3"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(ArchitecturesTest, ExactRunEqualsTheOracle) {
  const ModelOptions exact{.precision = Precision::kExact, .kv_dtype = DType::kF32};
  EXPECT_LT(LargestError(Load(GetParam()), exact), 2e-4);
}

TEST_P(ArchitecturesTest, QuantizedRunIsNearTheOracle) {
  EXPECT_LT(LargestError(Load(GetParam()), {}), 0.25);
}

}  // namespace
}  // namespace espalier
