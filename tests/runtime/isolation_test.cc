// What one caller can tell of another's prompt behind a salt: nothing.
//
// Two worlds differ in the victim's prompt alone: in one of them it is what the attacker
// guesses. How many steps the attacker's requests take, how much is computed in each, and what
// the answers say of the cache must be the same in both: that is all that time could show.
#include <gtest/gtest.h>

#include <random>
#include <tuple>
#include <vector>

#include "runtime/engine/engine.h"
#include "runtime/engine/outbox.h"
#include "tests/runtime/fake_model.h"

namespace espalier {
namespace {

using Tokens = std::vector<TokenId>;

struct Setting {
  EvictionPolicy eviction = EvictionPolicy::kLru;
  int quota_tokens = 0;
  int num_tokens = 12;  // of the prompts
  enum class When { kBefore, kBeside } when = When::kBefore;
};

// What an attacker sees of one step: tokens that were run in it, and of an ended request the
// prompt tokens that were found.
using Sight = std::vector<std::tuple<std::int64_t, int>>;

class World {
 public:
  explicit World(const Setting& setting) : setting_(setting) {
    engine_ = Engine::Create({.kv_cache_tokens = kTokens,
                              .page_size = 4,
                              .eviction = setting.eviction,
                              .cache_quota_tokens = setting.quota_tokens},
                             model_, test::FakeVocabulary(), pool_, outbox_)
                  .value();
  }

  Sight Attack(const Tokens& secret, const Tokens& guess) {
    Submit(secret, "victim");
    if (setting_.when == Setting::When::kBefore) {
      while (engine_->Step()) {
      }
      (void)outbox_.TakeAll();
    }
    Sight sight;
    for (const char* const salt : {"attacker", "", "attacker"}) {
      Submit(guess, salt);
      Watch(sight);
    }
    return sight;
  }

 private:
  static constexpr int kTokens = 64;

  void Submit(const Tokens& prompt, const char* salt) {
    GenerateRequest request;
    request.prompt = prompt;
    request.cache_salt = salt;
    request.sampling.max_new_tokens = 4;
    request.sampling.ignore_eos = true;
    ASSERT_TRUE(engine_->Submit(std::move(request)).ok());
  }

  void Watch(Sight& sight) {
    std::int64_t before = engine_->metrics().computed_tokens;
    while (engine_->Step()) {
      int num_cached = -1;
      for (const TokenEvent& event : outbox_.TakeAll()) {
        if (event.finish != FinishReason::kNone) num_cached = event.usage.cached_tokens;
      }
      const std::int64_t now = engine_->metrics().computed_tokens;
      sight.emplace_back(now - std::exchange(before, now), num_cached);
    }
  }

  const Setting setting_;
  ThreadPool pool_{1};
  Outbox outbox_;
  test::FakeModel model_{kTokens / 4, 4, 50};
  std::unique_ptr<Engine> engine_;
};

TEST(Isolation, AGuessOfAnothersSaltedPromptLooksAsAnyOther) {
  std::mt19937 random(1);
  for (unsigned trial = 0; trial < 200; ++trial) {
    const Setting setting{.eviction = static_cast<EvictionPolicy>(trial % 5),
                          .quota_tokens = static_cast<int>(trial % 3) * 8,
                          .num_tokens = 4 + static_cast<int>(trial % 20),
                          .when = trial % 2 == 0 ? Setting::When::kBefore : Setting::When::kBeside};
    Tokens guess, other;
    for (int i = 0; i < setting.num_tokens; ++i) {
      guess.push_back(1 + static_cast<TokenId>(random() % 3));
      other.push_back(4 + static_cast<TokenId>(random() % 3));
    }
    const Sight right = World(setting).Attack(guess, guess);
    const Sight wrong = World(setting).Attack(other, guess);
    ASSERT_FALSE(right.empty());
    ASSERT_EQ(right, wrong) << "trial " << trial;
  }
}

TEST(Isolation, TheTestSeesWhatIsShared) {
  const Tokens prompt = {1, 2, 3, 1, 2, 3, 1, 2, 3};
  const Sight own = World({}).Attack({4, 5, 6, 4, 5, 6, 4, 5, 6}, prompt);
  EXPECT_EQ(std::get<1>(own.back()), 8) << "the attacker's own salt, the second time";
}

}  // namespace
}  // namespace espalier
