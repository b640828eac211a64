// Schedule invariance: what a request generates depends on the request alone, not on
// batching, chunking, caching, preemption, arrival or its neighbours. Random set-ups
// against the answer computed alone; the model of fake_model.h makes any wrong page
// show up as a wrong token.
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>
#include <set>

#include "runtime/engine/mask_filler.h"
#include "runtime/engine/row_sampler.h"
#include "runtime/engine/scheduler.h"
#include "tests/runtime/fake_model.h"

namespace espalier {
namespace {

using test::Answer;
using Key = std::pair<SeqId, std::int32_t>;

struct Totals {
  long steps = 0, output = 0, prompt = 0, cached = 0, computed = 0, preempted = 0, cancelled = 0,
       forced = 0, shared = 0;
};

// One random set-up: a cache, a scheduler and requests that arrive as it runs.
class Trial {
 public:
  explicit Trial(unsigned seed)
      : rng_(seed),
        page_size_(Pick(5) == 0 ? 16 : 1 + Pick(5)),
        num_pages_((Pick(3) == 0 ? Pick(20) : 30 + Pick(80)) / page_size_ + 1),
        options_{.max_tokens = 1 + Pick(24),
                 .max_rows = 1 + Pick(8),
                 .max_logits = 1 + Pick(8),
                 .prefix_cache = Pick(4) != 0,
                 .in_batch_sharing = Pick(4) != 0,
                 .policy = static_cast<QueuePolicy>(Pick(6)),
                 .conservativeness = Pick(4) * 0.5,
                 .speller = &speller_,
                 .jump_forward = Pick(3) != 0},
        cache_(num_pages_, page_size_,
               {.eviction = static_cast<EvictionPolicy>(Pick(5)), .quota_pages = Pick(4)}),
        model_(num_pages_, page_size_),
        scheduler_(cache_, options_, *vocabulary_),
        masks_(pool_, test::kFakeVocab),
        sampler_(pool_, test::kFakeVocab, test::kFakeVocab) {}

  void Run(Totals& totals) {
    int to_add = 20;
    while (to_add > 0 || !scheduler_.idle()) {
      while (to_add > 0 && Pick(3) == 0) AddRequest(to_add--);
      if (Pick(20) == 0) CancelOne();
      Step();
      ++totals.steps;
    }
    EXPECT_EQ(got_.size(), want_.size());
    EXPECT_EQ(cache_.num_private(), 0);
    EXPECT_EQ(cache_.num_available(), cache_.num_pages());
    totals.output += scheduler_.counts().output_tokens;
    totals.cached += scheduler_.counts().cached_tokens;
    totals.computed += scheduler_.counts().computed_tokens;
    totals.forced += scheduler_.counts().forced_tokens;
    totals.preempted += scheduler_.counts().num_preemptions;
    totals.cancelled += static_cast<long>(cancelled_.size());
    totals.prompt += num_prompt_;
    totals.shared += shared_;
  }

 private:
  int Pick(int n) { return static_cast<int>(rng_() % static_cast<unsigned>(n)); }

  SamplingParams RandomParams() {
    SamplingParams params;
    params.max_new_tokens = Pick(13);
    params.min_new_tokens = Pick(3) == 0 ? Pick(params.max_new_tokens + 1) : 0;
    params.n = Pick(4) == 0 ? 1 + Pick(4) : 1;
    params.seed = rng_();
    params.temperature = Pick(3) == 0 ? 0.0f : 0.5f + static_cast<float>(Pick(3));
    if (Pick(4) == 0) params.top_p = 0.7f;
    if (Pick(4) == 0) params.top_k = 1 + Pick(4);
    if (Pick(4) == 0) params.repetition_penalty = 1.5f;
    if (Pick(4) == 0) params.frequency_penalty = 0.5f;
    if (Pick(4) == 0) params.ignore_eos = true;
    if (Pick(4) == 0) params.stop_token_ids = {1 + Pick(7)};
    if (Pick(4) == 0) params.logit_bias = {{Pick(8), 2.0f}};
    static const std::vector<std::string> kStops[] = {
        {"aa"}, {"abab", "bc"}, {"aabb"}, {"a", "aa"}, {"bbbb", "cab"}};
    if (Pick(2) == 0) params.stop = kStops[Pick(5)];
    params.return_logprob = Pick(3) == 0;
    if (params.return_logprob) params.top_logprobs_num = Pick(3);
    if (Pick(4) == 0) params.logprob_start_len = Pick(18);
    return params;
  }

  // Few tokens, and often the beginning of an earlier prompt: much is shared.
  std::vector<TokenId> RandomPrompt() {
    std::vector<TokenId> prompt;
    if (!prompts_.empty() && Pick(2) == 0) {
      prompt = prompts_[static_cast<std::size_t>(Pick(static_cast<int>(prompts_.size())))];
      prompt.resize(1 + static_cast<std::size_t>(Pick(static_cast<int>(prompt.size()))));
    }
    const std::size_t longest = Pick(4) == 0 ? 60 : 16;
    for (int i = 0, n = 1 + Pick(8); i < n; ++i) prompt.push_back(1 + Pick(2));
    while (Pick(8) != 0) prompt.push_back(1 + Pick(2));
    if (prompt.size() > longest) prompt.resize(longest);
    prompts_.push_back(prompt);
    return prompt;
  }

  GenerateRequest RandomTree() {
    GenerateRequest request;
    request.sampling.max_new_tokens = 0;
    const std::vector<TokenId> root = RandomPrompt();
    for (int i = 0, n = 1 + Pick(6); i < n; ++i) {
      std::vector<TokenId> tokens = Pick(6) == 0 ? RandomPrompt() : root;
      for (int k = 0, more = Pick(5); k < more; ++k) tokens.push_back(1 + Pick(2));
      const int start = Pick(2) == 0 ? Pick(static_cast<int>(tokens.size()))
                                     : static_cast<int>(tokens.size()) - 1;
      request.paths.push_back({std::move(tokens), start});
    }
    return request;
  }

  GenerateRequest RandomGenerate() {
    GenerateRequest request;
    request.prompt = RandomPrompt();
    request.sampling = RandomParams();
    static const std::shared_ptr<const CompiledGrammar> kGrammars[] = {
        Choices({"ab", "abba", "c", "aababb"}), Choices({"abcabcbbacab"}),
        Choices({"aabacabbcc", "aabacabbaab", "bbcabba", "bbcabbabbbbbb"})};
    if (Pick(3) == 0) request.grammar = kGrammars[Pick(3)];
    return request;
  }

  GenerateRequest RandomEmbed() {
    GenerateRequest request;
    request.prompt = RandomPrompt();
    request.sampling.max_new_tokens = 0;
    request.embeds = true;
    return request;
  }

  void AddRequest(int number) {
    const int kind = Pick(6);
    GenerateRequest request = kind == 0   ? RandomTree()
                              : kind == 1 ? RandomEmbed()
                                          : RandomGenerate();
    if (Pick(6) == 0) request.cache_salt = "salt";
    request.priority = Pick(3);
    if (Pick(6) == 0) request.caller = "caller";
    if (Pick(2) == 0) request.retention_s = Pick(3) * 1e-5;
    const SeqId id{static_cast<std::uint64_t>(number)};
    auto queued = CheckRequest(id, request,
                               {.context_length = 1000,
                                .kv_cache_tokens = num_pages_ * page_size_,
                                .vocab_size = test::kFakeVocab});
    if (!queued.ok()) {
      EXPECT_EQ(queued.status().code(), Code::kLimit);
      return;
    }
    for (int choice = 0; choice < (*queued)->num_choices(); ++choice) {
      want_[{id, choice}] = test::AnswerAlone(
          request, choice, options_.jump_forward ? test::Forcing::kOn : test::Forcing::kOff);
      num_prompt_ += static_cast<long>((*queued)->prompt(choice).size());
    }
    std::vector<TokenEvent> events;
    scheduler_.Add(*queued, events);
    Take(events);
  }

  void CancelOne() {
    const SeqId id{static_cast<std::uint64_t>(1 + Pick(20))};
    std::vector<TokenEvent> events;
    scheduler_.Cancel(id, events);
    for (const TokenEvent& event : events) {
      EXPECT_EQ(event.finish, FinishReason::kCancelled);
      EXPECT_EQ(event.request, id);
      EXPECT_TRUE(cancelled_.insert({id, event.choice}).second) << "cancelled twice";
    }
    Take(events);
  }

  void Step() {
    cache_.SetTime(now_us_ += static_cast<std::uint64_t>(Pick(5)));
    const StepPlan& plan = scheduler_.Plan();
    EXPECT_EQ(plan.rows.empty(), scheduler_.idle());
    if (plan.rows.empty()) return;
    EXPECT_LE(plan.batch.num_tokens(), static_cast<std::size_t>(options_.max_tokens));
    EXPECT_LE(plan.batch.num_rows(), static_cast<std::size_t>(options_.max_rows));
    EXPECT_LE(plan.batch.num_logits(), static_cast<std::size_t>(options_.max_logits));
    for (const PlannedRow& row : plan.rows) shared_ += row.num_shared;
    std::vector<float> logits(plan.batch.num_logits() * test::kFakeVocab);
    std::vector<float> hidden(plan.batch.hidden_tokens.size() * test::kFakeHidden);
    model_.Compute(plan.batch, {logits, hidden});
    AddHidden(plan, hidden);
    std::vector<TokenEvent> events;
    masks_.Start(plan);
    scheduler_.Commit(sampler_.Run(plan, logits, masks_.Finish()), events);
    cache_.CheckInvariants();
    Take(events);
  }

  void Take(const std::vector<TokenEvent>& events) {
    for (const TokenEvent& event : events) {
      const Key key{event.request, event.choice};
      ASSERT_TRUE(want_.contains(key));
      Answer& answer = got_[key];
      test::Append(event, answer);
      if (event.finish == FinishReason::kNone) continue;
      EXPECT_EQ(event.usage.completion_tokens, static_cast<std::int32_t>(answer.tokens.size()));
      EXPECT_LE(event.usage.cached_tokens, event.usage.prompt_tokens);
      EXPECT_TRUE(options_.prefix_cache || event.usage.cached_tokens == 0);
      if (cancelled_.contains(key)) {
        ExpectPrefix(answer, want_[key]);
      } else {
        EXPECT_TRUE(answer == want_[key]);
      }
    }
  }

  static void ExpectPrefix(const Answer& part, const Answer& whole) {
    ASSERT_LE(part.tokens.size(), whole.tokens.size());
    EXPECT_TRUE(std::equal(part.tokens.begin(), part.tokens.end(), whole.tokens.begin()));
    EXPECT_LE(part.prompt_logprobs.size(), whole.prompt_logprobs.size());
  }

  static std::shared_ptr<const CompiledGrammar> Choices(std::vector<std::string> choices) {
    ConstraintSpec spec;
    spec.kind = ConstraintKind::kChoice;
    spec.choices = std::move(choices);
    return CompileGrammar(spec, Tokenizer()->vocabulary()).value();
  }
  static const std::shared_ptr<const test::FakeTokenizer>& Tokenizer() {
    static const auto tokenizer = std::make_shared<const test::FakeTokenizer>();
    return tokenizer;
  }

  std::mt19937 rng_;
  const int page_size_, num_pages_;
  const Speller speller_{Tokenizer()};
  const std::shared_ptr<const Vocabulary> vocabulary_ = Tokenizer()->vocabulary();
  const SchedulerOptions options_;
  PrefixCache cache_;
  test::FakeModel model_;
  Scheduler scheduler_;
  ThreadPool pool_{1};
  MaskFiller masks_;
  RowSampler sampler_;
  std::uint64_t now_us_ = 0;
  std::vector<std::vector<TokenId>> prompts_;
  std::map<Key, Answer> want_, got_;
  std::set<Key> cancelled_;
  long num_prompt_ = 0, shared_ = 0;
};

TEST(SchedulerInvariance, RandomSchedulesGiveTheAnswersOfEachRequestAlone) {
  Totals totals;
  for (unsigned seed = 0; seed < 3000 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Trial(seed).Run(totals);
  }
  // The set-ups reach what they are for.
  EXPECT_GT(totals.cached, totals.prompt / 20);
  EXPECT_GT(totals.preempted, 300);
  EXPECT_GT(totals.cancelled, 500);
  EXPECT_GT(totals.forced, 1000);
  EXPECT_GT(totals.shared, 10000);
  std::printf(
      "%ld steps, %ld tokens out; %ld prompt tokens, %ld cached, %ld run; %ld shared; "
      "%ld preempted\n",
      totals.steps, totals.output, totals.prompt, totals.cached, totals.computed, totals.shared,
      totals.preempted);
}

}  // namespace
}  // namespace espalier
