// Schedule invariance on the real model: tokens and log-probabilities of a request are
// bit for bit those of the request alone, whatever runs beside it, however its prompt
// is cut, cached or preempted, on one thread or two, with pages of 16 tokens or of 8.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>

#include "runtime/engine/engine.h"
#include "runtime/engine/outbox.h"
#include "runtime/model/registry.h"
#include "runtime/tokenizer/load.h"
#include "tests/support/paths.h"

namespace espalier {
namespace {

constexpr int kPoolSize = 24;
constexpr int kMaxTokens = 512;
constexpr int kMaxLogits = 64;

struct Answer {  // of all choices, one after the other
  std::vector<TokenId> tokens;
  std::string text;
  std::vector<TokenLogprob> logprobs, prompt_logprobs;
  std::vector<float> embedding;
  bool operator==(const Answer&) const = default;
};

// The model as it runs on num_threads threads.
struct Machine {
  Machine(int num_threads, int page) : pool(num_threads), page_size(page) {}
  ThreadPool pool;
  int page_size;
  std::unique_ptr<Model> model;
};

bool SameBits(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0; }

bool SameBits(const std::vector<TokenLogprob>& a, const std::vector<TokenLogprob>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.token == y.token && SameBits(x.logprob, y.logprob) &&
           std::equal(x.top.begin(), x.top.end(), y.top.begin(), y.top.end(),
                      [](const auto& p, const auto& q) {
                        return p.first == q.first && SameBits(p.second, q.second);
                      });
  });
}

void ExpectSame(const Answer& got, const Answer& want) {
  EXPECT_EQ(got.tokens, want.tokens);
  EXPECT_EQ(got.text, want.text);
  EXPECT_TRUE(SameBits(got.logprobs, want.logprobs));
  EXPECT_TRUE(SameBits(got.prompt_logprobs, want.prompt_logprobs));
  EXPECT_TRUE(std::equal(got.embedding.begin(), got.embedding.end(), want.embedding.begin(),
                         want.embedding.end(), [](float a, float b) { return SameBits(a, b); }));
}

class InvarianceModelTest : public testing::Test {
 protected:
  void SetUp() override {
    ESP_NEEDS_MODEL();
    auto gguf = Gguf::Open(test::DefaultModelPath());
    ASSERT_TRUE(gguf.ok()) << gguf.status().message();
    for (const auto& machine : {&one_, &two_}) {
      ModelOptions options;
      options.limits = {.max_tokens = kMaxTokens, .max_logits = kMaxLogits};
      options.page_size = machine->page_size;
      auto model = LoadModel(*gguf, options, machine->pool);
      ASSERT_TRUE(model.ok()) << model.status().message();
      machine->model = std::move(model).value();
    }
    auto tokenizer = TokenizerFromGguf(**gguf);
    ASSERT_TRUE(tokenizer.ok()) << tokenizer.status().message();
    tokenizer_ = std::move(tokenizer).value();
    for (int i = 0; i < kPoolSize; ++i) requests_.push_back(RandomRequest());
    for (const GenerateRequest& request : requests_) answers_.push_back(Alone(request));
  }

  int Pick(int n) { return static_cast<int>(rng_() % static_cast<unsigned>(n)); }

  // Prompts of 1 to 32 tokens; half of them go on from an earlier one.
  GenerateRequest RandomRequest() {
    GenerateRequest request;
    if (!requests_.empty() && Pick(2) == 0) {
      request.prompt =
          requests_[static_cast<std::size_t>(Pick(static_cast<int>(requests_.size())))].prompt;
      request.prompt.resize(1 + rng_() % request.prompt.size());
    }
    const std::size_t size = std::max<std::size_t>(1 + rng_() % 32, request.prompt.size());
    while (request.prompt.size() < size) request.prompt.push_back(100 + Pick(40000));
    SamplingParams& sampling = request.sampling;
    if (Pick(5) == 0) {
      request.embeds = true;
      sampling.max_new_tokens = 0;
      return request;
    }
    sampling.max_new_tokens = Pick(4) == 0 ? 32 : 1 + Pick(6);
    sampling.ignore_eos = true;
    sampling.temperature = Pick(2) == 0 ? 0.0f : 1.0f;
    sampling.seed = rng_();
    sampling.return_logprob = true;
    sampling.top_logprobs_num = 2;
    if (Pick(6) == 0) sampling.logprob_start_len = Pick(static_cast<int>(size));
    if (Pick(6) == 0) sampling.n = 2;
    if (Pick(3) == 0) Shape(request);
    return request;
  }

  // What changes the logits, or ends the output, of one request.
  void Shape(GenerateRequest& request) {
    SamplingParams& sampling = request.sampling;
    sampling.frequency_penalty = 0.5f * static_cast<float>(Pick(3));
    sampling.repetition_penalty = 1.0f + 0.5f * static_cast<float>(Pick(2));
    sampling.min_p = 0.1f * static_cast<float>(Pick(2));
    if (Pick(2) == 0) {
      sampling.stop = {"e", ". "};
    } else {
      sampling.max_new_tokens = 16;
      request.constraint.kind = ConstraintKind::kRegex;
      request.constraint.text = " [A-Z]: the answer is [a-z]{2,9}( [a-z]+){0,3}\\.";
    }
  }

  Answer Alone(const GenerateRequest& request) {
    EngineOptions options;
    options.prefix_cache = false;
    options.chunk_tokens = kMaxTokens;
    options.max_logits = kMaxLogits;
    return Run(one_, options, {&request})[0];
  }

  // What each request comes to when they arrive as the engine runs.
  std::vector<Answer> Run(Machine& machine, EngineOptions options,
                          const std::vector<const GenerateRequest*>& requests) {
    options.page_size = machine.page_size;
    options.tokenizer = tokenizer_;
    Outbox outbox;
    auto engine =
        Engine::Create(options, *machine.model, tokenizer_->vocabulary(), machine.pool, outbox)
            .value();
    std::map<std::pair<SeqId, int>, Answer> answers;  // of each choice
    std::vector<SeqId> ids;
    int num_open = 0;
    while (ids.size() < requests.size() || num_open > 0) {
      while (ids.size() < requests.size() && (requests.size() > 8 || Pick(2) == 0)) {
        num_open += requests[ids.size()]->sampling.n;
        ids.push_back(*engine->Submit(*requests[ids.size()]));
      }
      engine->Step();
      for (const TokenEvent& event : outbox.TakeAll()) {
        Append(event, answers[{event.request, event.choice}]);
        if (event.finish != FinishReason::kNone) --num_open;
      }
    }
    num_preemptions_ += engine->metrics().num_preemptions;
    num_cached_ += engine->metrics().cached_tokens;
    num_forced_ += engine->metrics().forced_tokens;
    std::vector<Answer> in_order;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      Answer& all = in_order.emplace_back();
      for (int k = 0; k < requests[i]->sampling.n; ++k) Append(answers[{ids[i], k}], all);
    }
    return in_order;
  }

  // `from` is an event, or an answer.
  template <typename From>
  static void Append(const From& from, Answer& to) {
    to.text += from.text;
    to.tokens.insert(to.tokens.end(), from.tokens.begin(), from.tokens.end());
    to.logprobs.insert(to.logprobs.end(), from.logprobs.begin(), from.logprobs.end());
    to.prompt_logprobs.insert(to.prompt_logprobs.end(), from.prompt_logprobs.begin(),
                              from.prompt_logprobs.end());
    if (!from.embedding.empty()) to.embedding = from.embedding;
  }

  void RunSchedule(int num_requests, const EngineOptions& options) {
    std::vector<std::size_t> drawn;
    std::vector<const GenerateRequest*> requests;
    for (int i = 0; i < num_requests; ++i) {
      drawn.push_back(rng_() % kPoolSize);
      requests.push_back(&requests_[drawn.back()]);
    }
    const std::vector<Answer> got = Run(Pick(2) == 0 ? one_ : two_, options, requests);
    for (std::size_t i = 0; i < drawn.size(); ++i) ExpectSame(got[i], answers_[drawn[i]]);
  }

  std::mt19937 rng_{20};
  Machine one_{1, 16}, two_{2, 8};
  std::shared_ptr<const Tokenizer> tokenizer_;
  std::vector<GenerateRequest> requests_;
  std::vector<Answer> answers_;  // of each request alone
  std::int64_t num_preemptions_ = 0, num_cached_ = 0, num_forced_ = 0;
};

// ESPALIER_WIDE=1: ten times as many schedules.
TEST_F(InvarianceModelTest, RandomSchedulesGiveTheSameBits) {
  const int num_schedules = test::Env("ESPALIER_WIDE") == "1" ? 2000 : 200;
  const int chunks[] = {1, 7, 16, 50, kMaxTokens};
  for (int i = 0; i < num_schedules && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    EngineOptions options;
    options.prefix_cache = Pick(3) != 0;
    options.chunk_tokens = chunks[i % 10 == 0 ? 0 : 1 + Pick(4)];
    options.max_running = 1 + Pick(8);
    options.max_logits = 1 + Pick(12);
    options.kv_cache_tokens = Pick(2) == 0 ? 64 + Pick(24) : 4096;  // 64: the longest request
    options.policy = static_cast<QueuePolicy>(Pick(6));
    RunSchedule(2 + Pick(7), options);
  }
  EXPECT_GT(num_preemptions_, 5);
  EXPECT_GT(num_cached_, 200);
  EXPECT_GT(num_forced_, 10);
}

TEST_F(InvarianceModelTest, BatchOf64GivesTheSameBits) {
  EngineOptions options;
  options.max_running = 64;
  options.chunk_tokens = kMaxTokens;
  RunSchedule(64, options);
}

}  // namespace
}  // namespace espalier
