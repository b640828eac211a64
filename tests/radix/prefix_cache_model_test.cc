// Random operations against NaiveCache.
//
// The "KV memory" here stores, per slot, a hash of the whole prefix up to that slot;
// a PageCopy copies hashes. A sequence is right iff every computed slot that it can
// see through its lease holds the hash of its own prefix. That one check catches use
// after free, wrong sharing, lost copies and bad splits; the oracle catches the rest:
// how much matches, what is evicted, and every count.
//
// ESPALIER_MODEL_STEPS multiplies the number of operations.
#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "radix/prefix_cache.h"
#include "tests/radix/naive_cache.h"
#include "tests/support/paths.h"

namespace espalier {
namespace {

using test::NaiveCache;
using test::NaiveLease;
using test::NaivePage;
using test::Tokens;

struct Shape {
  int num_pages;
  int page_size;
  int num_letters;
  int num_keys;
  int max_live;
  PrefixCacheOptions options;
};

struct Sequence {
  std::string key;
  Tokens tokens;
  int num_computed = 0;  // tokens with KV, as soon as the copy is made
  int num_planned = 0;   // > 0: a pass up to here is in flight
  bool copied = false;   // the match needs no copy any more
  PrefixLease lease;
  NaiveLease naive;
};

class Machine {
 public:
  Machine(const Shape& shape, unsigned seed)
      : shape_(shape),
        random_(seed),
        cache_(shape.num_pages, shape.page_size, shape.options),
        naive_(shape.num_pages, shape.page_size, shape.options),
        kv_(static_cast<std::size_t>(shape.num_pages * shape.page_size)) {}

  ~Machine() {
    for (auto& s : live_) naive_.Release(&s->naive);
  }

  void Step() {
    const int op = Pick(16);
    if (op < 4 && std::ssize(live_) < shape_.max_live) {
      Admit();
    } else if (op == 15 && Pick(40) == 0) {
      cache_.Flush();
      naive_.Flush();
    } else if (op == 14 && Pick(4) == 0) {
      now_us_ += static_cast<std::uint64_t>(Pick(20));
      cache_.SetTime(now_us_);
      naive_.SetTime(now_us_);
    } else if (!live_.empty()) {
      const std::size_t at = static_cast<std::size_t>(Pick(static_cast<int>(live_.size())));
      StepOf(*live_[at], op);
      if (live_[at]->naive.key == "gone") {
        live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(at));
      }
    }
    Check();
  }

  std::int64_t num_matched() const { return num_matched_; }
  std::int64_t num_taken() const { return num_taken_; }

 private:
  int Pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  std::uint64_t& Slot(const Sequence& s, int i) {
    const PageId page = s.lease.pages()[static_cast<std::size_t>(i / shape_.page_size)];
    return kv_[static_cast<std::size_t>(Index(page) * shape_.page_size + i % shape_.page_size)];
  }

  static std::uint64_t HashStep(std::uint64_t h, TokenId token) {
    return (h ^ (static_cast<std::uint64_t>(token) + 1)) * 0x9e3779b97f4a7c15u + 1;
  }
  static std::uint64_t HashStart(const std::string& key) { return std::hash<std::string>()(key); }

  Tokens RandomTokens() {
    Tokens tokens;
    if (!history_.empty() && Pick(3) > 0) {
      tokens = history_[static_cast<std::size_t>(Pick(static_cast<int>(history_.size())))];
      tokens.resize(static_cast<std::size_t>(Pick(static_cast<int>(tokens.size()) + 1)));
    }
    for (int n = Pick(2 * shape_.page_size + 2); n > 0; --n) {
      tokens.push_back(Pick(shape_.num_letters));
    }
    const std::size_t most = static_cast<std::size_t>(shape_.num_pages * shape_.page_size);
    if (tokens.size() > most) tokens.resize(most);
    return tokens;
  }

  Retention RandomRetention() {
    const bool ends = Pick(2) == 0;
    return {.priority = Pick(3) - 1,
            .lasts_us = ends ? static_cast<std::uint64_t>(Pick(50)) : Retention::kForever};
  }

  void Admit() {
    auto s = std::make_unique<Sequence>();
    s->key = std::string(static_cast<std::size_t>(Pick(shape_.num_keys)), 'k');
    s->tokens = RandomTokens();
    s->naive.key = s->key;
    const int expected = naive_.Match(s->key, s->tokens);
    ASSERT_EQ(cache_.Match(s->tokens, s->key), expected);
    s->lease = cache_.Acquire(s->tokens, s->key);
    s->naive.retention = RandomRetention();
    s->lease.set_retention(s->naive.retention);
    naive_.Acquire(&s->naive, s->tokens);
    ASSERT_EQ(s->lease.num_matched(), expected);
    s->num_computed = expected;
    s->copied = expected % shape_.page_size == 0;
    num_matched_ += expected;
    live_.push_back(std::move(s));
  }

  void StepOf(Sequence& s, int op) {
    if (s.num_planned > 0 && op >= 4) return op < 15 ? Run(s) : Drop(s);
    if (op < 9) return Plan(s);
    if (op < 12) return s.copied ? Publish(s) : Plan(s);
    return op < 15 ? Finish(s) : Drop(s);
  }

  void Plan(Sequence& s) {
    const int most = shape_.num_pages * shape_.page_size;
    const int from = std::max(s.num_computed, s.num_planned);  // a plan may grow
    if (from == std::ssize(s.tokens)) s.tokens.push_back(Pick(shape_.num_letters));
    const int end = from + 1 + Pick(static_cast<int>(s.tokens.size()) - from);
    const int num_before = static_cast<int>(s.lease.pages().size());
    const int num_missing = (end + shape_.page_size - 1) / shape_.page_size - num_before;
    const bool fits = cache_.Extend(s.lease, end);
    ASSERT_EQ(fits, naive_.Extend(&s.naive, num_missing)) << end;
    ASSERT_TRUE(fits || live_.size() > 1 || end > most || s.num_planned > 0)
        << "the first Extend of a lease alone may have all";
    if (!fits) return Pick(2) == 0 && s.num_planned == 0 ? Finish(s) : Drop(s);
    if (!s.copied && !s.naive.source.has_value()) ++num_taken_;
    s.num_planned = end;
  }

  void Run(Sequence& s) {
    const auto copy = s.lease.pending_copy();
    ASSERT_EQ(copy.has_value(), s.naive.source.has_value());
    if (copy.has_value()) {
      ASSERT_EQ(copy->from, *s.naive.source);
      ASSERT_EQ(copy->num_slots, s.lease.num_matched() % shape_.page_size);
      const auto from = kv_.begin() + Index(copy->from) * shape_.page_size;
      std::copy(from, from + copy->num_slots, kv_.begin() + Index(copy->to) * shape_.page_size);
    }
    std::uint64_t h = HashStart(s.key);
    for (int i = 0; i < s.num_planned; ++i) {
      h = HashStep(h, s.tokens[static_cast<std::size_t>(i)]);
      if (i >= s.num_computed) Slot(s, i) = h;
    }
    s.lease.CopyDone();
    naive_.CopyDone(&s.naive);
    s.copied = true;
    s.num_computed = std::exchange(s.num_planned, 0);
  }

  Tokens Computed(const Sequence& s, int num_tokens) const {
    return Tokens(s.tokens.begin(), s.tokens.begin() + num_tokens);
  }

  void Publish(Sequence& s) {
    const std::vector<PageId> ids(s.lease.pages().begin(), s.lease.pages().end());
    cache_.Publish(s.lease, Computed(s, s.num_computed));
    naive_.Share(&s.naive, Computed(s, s.num_computed / shape_.page_size * shape_.page_size), ids);
  }

  void Finish(Sequence& s) {
    const std::vector<PageId> ids(s.lease.pages().begin(), s.lease.pages().end());
    cache_.Finish(s.lease, Computed(s, s.num_computed));
    if (s.copied) naive_.Share(&s.naive, Computed(s, s.num_computed), ids);
    Forget(s);
  }

  void Drop(Sequence& s) {
    s.lease = PrefixLease();
    Forget(s);
  }

  void Forget(Sequence& s) {
    naive_.Release(&s.naive);
    s.naive.key = "gone";
    if (history_.size() < 8) history_.emplace_back();
    history_[static_cast<std::size_t>(Pick(static_cast<int>(history_.size())))] = s.tokens;
  }

  void CheckSequence(const Sequence& s) {
    ASSERT_EQ(s.lease.num_shared() * shape_.page_size, std::ssize(s.naive.shared));
    ASSERT_EQ(std::ssize(s.lease.pages()), s.lease.num_shared() + s.naive.num_private);
    for (int i = 0; i < s.lease.num_shared(); ++i) {
      const NaivePage* page = naive_.Find(s.key, Computed(s, (i + 1) * shape_.page_size));
      ASSERT_TRUE(page != nullptr && page->id == s.lease.pages()[static_cast<std::size_t>(i)]);
    }
    const int num_valid = s.copied ? s.num_computed : s.lease.num_shared() * shape_.page_size;
    std::uint64_t h = HashStart(s.key);
    for (int i = 0; i < num_valid; ++i) {
      h = HashStep(h, s.tokens[static_cast<std::size_t>(i)]);
      ASSERT_EQ(Slot(s, i), h) << "slot " << i << " holds another prefix";
    }
  }

  void Check() {
    cache_.CheckInvariants();
    ASSERT_EQ(cache_.num_cached(), naive_.num_cached());
    ASSERT_EQ(cache_.num_private(), naive_.num_private());
    ASSERT_EQ(cache_.num_free(), naive_.num_free());
    ASSERT_EQ(cache_.num_available(), naive_.num_available());
    for (const NaivePage& page : naive_.pages()) {
      ASSERT_EQ(cache_.Match(page.prefix, page.key), std::ssize(page.prefix)) << "a page is lost";
    }
    for (const auto& s : live_) CheckSequence(*s);
  }

  const Shape shape_;
  std::mt19937 random_;
  PrefixCache cache_;
  NaiveCache naive_;
  std::vector<std::uint64_t> kv_;  // [num_pages, page_size]
  std::vector<std::unique_ptr<Sequence>> live_;
  std::vector<Tokens> history_;
  std::uint64_t now_us_ = 0;
  std::int64_t num_matched_ = 0;
  std::int64_t num_taken_ = 0;
};

int Scale() {
  const std::string text = test::Env("ESPALIER_MODEL_STEPS");
  return text.empty() ? 1 : std::max(1, std::atoi(text.c_str()));
}

class PrefixCacheModel : public testing::TestWithParam<std::tuple<EvictionPolicy, int>> {};

TEST_P(PrefixCacheModel, AgreesWithTheNaiveCacheAtEveryStep) {
  const auto [policy, page_size] = GetParam();
  std::int64_t num_matched = 0, num_taken = 0;
  const int num_runs = 50 * Scale();
  for (int run = 0; run < num_runs; ++run) {
    const Shape shape = {.num_pages = 1 + run % 17,
                         .page_size = page_size,
                         .num_letters = 1 + run % 3,
                         .num_keys = 1 + run % 4,
                         .max_live = 1 + run % 6,
                         .options = {.eviction = policy, .quota_pages = run % 5}};
    Machine machine(shape, static_cast<unsigned>(run * 100 + page_size));
    for (int step = 0; step < 2000; ++step) {
      machine.Step();
      ASSERT_FALSE(testing::Test::HasFatalFailure()) << "run " << run << " step " << step;
    }
    num_matched += machine.num_matched();
    num_taken += machine.num_taken();
  }
  EXPECT_GT(num_matched, num_runs * 100);
  if (page_size > 1) {
    EXPECT_GT(num_taken, 0);
  }
}

std::string ModelName(const testing::TestParamInfo<std::tuple<EvictionPolicy, int>>& info) {
  const auto [policy, page_size] = info.param;
  return std::string(EvictionPolicyNames()[static_cast<std::size_t>(policy)]) + "_" +
         std::to_string(page_size);
}

INSTANTIATE_TEST_SUITE_P(
    PoliciesAndPageSizes, PrefixCacheModel,
    testing::Combine(testing::Values(EvictionPolicy::kLru, EvictionPolicy::kLfu,
                                     EvictionPolicy::kFifo, EvictionPolicy::kPriority,
                                     EvictionPolicy::kCost),
                     testing::Values(1, 2, 3, 4, 5, 16)),
    ModelName);

}  // namespace
}  // namespace espalier
