#include "runtime/engine/event_router.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/runtime/fake_model.h"

namespace espalier {
namespace {

class EventRouterTest : public testing::Test {
 protected:
  void Add(std::uint64_t id, const std::shared_ptr<Outbox>& outbox, int num_choices = 1) {
    GenerateRequest request;
    request.prompt = {1};
    request.sampling.n = num_choices;
    request.outbox = outbox;
    const RequestBounds bounds{
        .context_length = 100, .kv_cache_tokens = 100, .vocab_size = test::kFakeVocab};
    router_.Add(*CheckRequest(SeqId{id}, std::move(request), bounds).value());
  }
  void Push(std::vector<std::pair<std::uint64_t, FinishReason>> events) {
    std::vector<TokenEvent> all;
    for (const auto& [id, finish] : events) {
      TokenEvent& event = all.emplace_back();
      event.request = SeqId{id};
      event.finish = finish;
    }
    router_.Push(all);
  }
  static std::vector<std::uint64_t> Taken(Outbox& outbox) {
    std::vector<std::uint64_t> ids;
    for (const TokenEvent& event : outbox.TakeAll()) ids.push_back(Index(event.request));
    return ids;
  }

  using Ids = std::vector<std::uint64_t>;
  static constexpr FinishReason kOpen = FinishReason::kNone, kEnd = FinishReason::kStop;
  Outbox common_;
  EventRouter router_{common_};
};

TEST_F(EventRouterTest, EachOutboxGetsItsEventsInOrder) {
  const auto own = std::make_shared<Outbox>();
  Add(1, nullptr);
  Add(2, own);
  Add(3, own);
  Push({{3, kOpen}, {1, kOpen}, {2, kOpen}, {3, kOpen}});
  EXPECT_EQ(Taken(*own), (Ids{3, 2, 3}));
  EXPECT_EQ(Taken(common_), (Ids{1}));
}

TEST_F(EventRouterTest, OutboxIsLetGoWithTheLastEventOfTheLastChoice) {
  const auto own = std::make_shared<Outbox>();
  Add(1, own, 2);
  Push({{1, kOpen}, {1, kEnd}});
  EXPECT_GT(own.use_count(), 1);
  Push({{1, kEnd}});
  EXPECT_EQ(own.use_count(), 1);
  EXPECT_EQ(Taken(*own).size(), 3U);
}

TEST(OutboxTest, WaitGivesAllThatCameAndEndsWithClose) {
  int num_pushes = 0;
  Outbox outbox([&num_pushes] { ++num_pushes; });
  std::thread producer([&outbox] {
    std::vector<TokenEvent> events(3);
    outbox.Push(events);
    outbox.Push({});
  });
  EXPECT_EQ(outbox.Wait().size(), 3U);
  producer.join();
  EXPECT_EQ(num_pushes, 1) << "nothing is no push";
  EXPECT_TRUE(outbox.TakeAll().empty());
  std::thread closer([&outbox] { outbox.Close(); });
  EXPECT_TRUE(outbox.Wait().empty());
  closer.join();
}

}  // namespace
}  // namespace espalier
