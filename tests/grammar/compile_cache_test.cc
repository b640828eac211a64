#include "grammar/compile_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "grammar/compiled_grammar.h"
#include "grammar/matcher.h"

namespace espalier {
namespace {

using Ticket = CompileCache::Ticket;

std::shared_ptr<const Vocabulary> ByteVocabulary() {
  std::vector<std::string> tokens = {"</s>"};
  for (int byte = 0; byte < 256; ++byte) tokens.emplace_back(1, static_cast<char>(byte));
  return std::make_shared<const Vocabulary>(std::move(tokens), std::vector<TokenId>{0});
}

ConstraintSpec Choice(std::string text) {
  ConstraintSpec spec;
  spec.kind = ConstraintKind::kChoice;
  spec.choices = {std::move(text)};
  return spec;
}

// Posted work waits until the test runs it.
class CompileCacheTest : public testing::Test {
 protected:
  void Make(CompileCache::Limits limits) {
    cache_.emplace(
        [this](const ConstraintSpec& spec, const std::atomic<bool>& stop) {
          compiled_.push_back(spec.choices[0]);
          if (meanwhile_) std::exchange(meanwhile_, nullptr)();
          return CompileGrammar(spec, vocabulary_, &stop);
        },
        [this](std::function<void()> work) { work_.push_back(std::move(work)); }, limits);
  }
  void SetUp() override { Make({}); }

  void RunPosted() {
    for (const auto& work : std::exchange(work_, {})) work();
  }
  Ticket Get(const ConstraintSpec& spec) {
    return cache_->Get(spec, [this] { ++num_calls_; });
  }

  const std::shared_ptr<const Vocabulary> vocabulary_ = ByteVocabulary();
  std::vector<std::string> compiled_;
  std::function<void()> meanwhile_;  // called once, while a grammar is being compiled
  std::vector<std::function<void()>> work_;
  int num_calls_ = 0;
  std::optional<CompileCache> cache_;
};

TEST_F(CompileCacheTest, ManyWaitForOneCompile) {
  std::vector<Ticket> tickets;
  for (int i = 0; i < 5; ++i) tickets.push_back(Get(Choice("ab")));
  for (const Ticket& ticket : tickets) EXPECT_FALSE(ticket.ready());
  RunPosted();
  EXPECT_EQ(num_calls_, 5);
  EXPECT_EQ(compiled_, std::vector<std::string>{"ab"});
  for (const Ticket& ticket : tickets) {
    ASSERT_TRUE(ticket.ready());
    EXPECT_EQ(ticket.outcome().value(), tickets[0].outcome().value());
  }
}

TEST_F(CompileCacheTest, WhatIsCachedIsReadyAtOnceAndCallsNobody) {
  const Ticket first = Get(Choice("ab"));
  RunPosted();
  const Ticket second = Get(Choice("ab"));
  EXPECT_TRUE(second.ready());
  EXPECT_TRUE(work_.empty());
  EXPECT_EQ(num_calls_, 1);
}

TEST_F(CompileCacheTest, ErrorsAreKeptToo) {
  const Ticket bad = Get(Choice("\xff"));
  RunPosted();
  EXPECT_EQ(bad.outcome().status().code(), Code::kInvalidArgument);
  const Ticket again = Get(Choice("\xff"));
  ASSERT_TRUE(again.ready());
  EXPECT_EQ(again.outcome().status().message(), bad.outcome().status().message());
  EXPECT_EQ(compiled_.size(), 1u);
}

TEST_F(CompileCacheTest, ConstraintsThatDifferInAnyOptionAreDifferent) {
  ConstraintSpec spec = Choice("a");
  const Ticket plain = Get(spec);
  spec.whitespace = JsonWhitespace::kCompact;
  const Ticket compact = Get(spec);
  spec.order = PropertyOrder::kAny;
  const Ticket any = Get(spec);
  spec.default_draft = "draft-7";
  const Ticket draft = Get(spec);
  RunPosted();
  EXPECT_EQ(compiled_.size(), 4u);
}

TEST_F(CompileCacheTest, CompileThatNobodyWaitsForDoesNotTakePlace) {
  {
    const Ticket one = Get(Choice("a"));
    const Ticket other = Get(Choice("a"));
  }
  EXPECT_EQ(cache_->counts().num_entries, 0u);
  const Ticket kept = Get(Choice("b"));
  { const Ticket gone = Get(Choice("b")); }
  RunPosted();
  EXPECT_EQ(compiled_, std::vector<std::string>{"b"});
  EXPECT_EQ(num_calls_, 1);
}

TEST_F(CompileCacheTest, GivingUpAndAskingAgainCompilesOnce) {
  { const Ticket gone = Get(Choice("a")); }
  const Ticket back = Get(Choice("a"));
  RunPosted();
  EXPECT_TRUE(back.ready());
  EXPECT_EQ(compiled_.size(), 1u);
}

TEST_F(CompileCacheTest, CompileThatNobodyWaitsForAnyMoreIsStopped) {
  std::optional<Ticket> leaves = Get(Choice("a"));
  std::optional<Ticket> back;
  meanwhile_ = [&] {
    leaves.reset();
    back = Get(Choice("a"));
  };
  RunPosted();
  EXPECT_FALSE(back->ready());
  RunPosted();
  ASSERT_TRUE(back->ready());
  EXPECT_TRUE(back->outcome().ok());
  EXPECT_EQ(compiled_.size(), 2u);
}

TEST_F(CompileCacheTest, SomebodyStillWaitsSoTheCompileGoesOn) {
  std::optional<Ticket> leaves = Get(Choice("a"));
  const Ticket stays = Get(Choice("a"));
  meanwhile_ = [&] { leaves.reset(); };
  RunPosted();
  ASSERT_TRUE(stays.ready());
  EXPECT_TRUE(stays.outcome().ok());
}

TEST_F(CompileCacheTest, StoppedCompilesSayThatTheyWereCancelled) {
  const std::atomic<bool> stop = true;
  ConstraintSpec spec;
  for (const auto& [kind, text] : {std::pair(ConstraintKind::kJsonSchema, "{\"type\": \"object\"}"),
                                   std::pair(ConstraintKind::kRegex, "(a|b)*c{5}"),
                                   std::pair(ConstraintKind::kEbnf, "root ::= \"a\"")}) {
    spec.kind = kind;
    spec.text = text;
    EXPECT_EQ(CompileGrammar(spec, vocabulary_, &stop).status().code(), Code::kCancelled) << text;
  }
}

TEST_F(CompileCacheTest, LongestUnaskedGoesFirstAndItsUsersKeepIt) {
  Make({.max_entries = 2});
  const Ticket a = Get(Choice("a"));
  const Ticket b = Get(Choice("b"));
  RunPosted();
  EXPECT_TRUE(Get(Choice("a")).ready());
  const Ticket ab = Get(Choice("ab"));
  RunPosted();
  EXPECT_EQ(cache_->counts().num_entries, 2u);
  EXPECT_TRUE(Get(Choice("a")).ready());
  EXPECT_TRUE(Get(Choice("ab")).ready());
  EXPECT_FALSE(Get(Choice("b")).ready());
  EXPECT_TRUE(b.outcome().ok());
}

TEST_F(CompileCacheTest, BytesAreBounded) {
  const std::size_t most = [this] {
    const Ticket ticket = Get(Choice("aaaaaaaaaaaaaaaaaaaa"));
    RunPosted();
    return 4 * cache_->counts().size_bytes;
  }();
  Make({.max_bytes = most});
  std::vector<Ticket> tickets;
  for (int i = 1; i <= 20; ++i) {
    tickets.push_back(Get(Choice(std::string(static_cast<std::size_t>(i), 'a'))));
    RunPosted();
    EXPECT_LE(cache_->counts().size_bytes, most);
  }
  EXPECT_GT(cache_->counts().num_entries, 1u);
}

TEST_F(CompileCacheTest, TicketsMayOutliveTheCache) {
  const Ticket waits = Get(Choice("a"));
  const Ticket moved = Get(Choice("b"));
  cache_.reset();
  RunPosted();
  EXPECT_TRUE(compiled_.empty());
  EXPECT_FALSE(waits.ready());
}

TEST(CompileCacheThreadsTest, AskedForByManyThreadsWhileOthersCompile) {
  const auto vocabulary = ByteVocabulary();
  std::atomic<int> num_ready = 0;
  const auto compile = [&](const ConstraintSpec& spec, const std::atomic<bool>& stop) {
    return CompileGrammar(spec, vocabulary, &stop);
  };
  CompileCache cache(compile,
                     [&](std::function<void()> work) { std::thread(std::move(work)).detach(); },
                     {.max_entries = 3});
  std::vector<std::thread> askers;
  for (int t = 0; t < 4; ++t) {
    askers.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        const auto called = std::make_shared<std::atomic<bool>>(false);
        const Ticket ticket = cache.Get(
            Choice(std::string(static_cast<std::size_t>(1 + (i + t) % 7), 'a')), [called] {
              *called = true;
              called->notify_one();
            });
        if (!ticket.ready()) called->wait(false);
        if (ticket.outcome().ok()) ++num_ready;
      }
    });
  }
  for (std::thread& asker : askers) asker.join();
  EXPECT_EQ(num_ready, 200);
}

}  // namespace
}  // namespace espalier
