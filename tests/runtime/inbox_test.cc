// The room of the queue, and that nothing is taken that nobody will look at.
#include "runtime/engine/inbox.h"

#include <gtest/gtest.h>

#include <thread>
#include <utility>

#include "tests/runtime/fake_model.h"

namespace espalier {
namespace {

class InboxTest : public testing::Test {
 protected:
  std::shared_ptr<const QueuedRequest> Request(int num_choices) {
    GenerateRequest request;
    request.prompt = {1};
    request.sampling.n = num_choices;
    const RequestBounds bounds{
        .context_length = 100, .kv_cache_tokens = 100, .vocab_size = test::kFakeVocab};
    return CheckRequest(SeqId{++num_requests_}, std::move(request), bounds).value();
  }
  Status Submit(int num_choices) {
    if (const Status reserved = inbox_.Reserve(); !reserved.ok()) return reserved;
    inbox_.ReserveMore(num_choices - 1);
    return inbox_.Submit({Request(num_choices)});
  }

  Inbox inbox_{4};
  std::uint64_t num_requests_ = 0;
};

TEST_F(InboxTest, PlacesAreCountedFromTheReservationOn) {
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(inbox_.Reserve().ok());
  EXPECT_EQ(inbox_.Reserve().code(), Code::kOverloaded);
  inbox_.Release();
  EXPECT_TRUE(inbox_.Reserve().ok());
  EXPECT_EQ(inbox_.Reserve().code(), Code::kOverloaded);
}

TEST_F(InboxTest, ChoicesWaitUntilTheEngineSaysThatTheyDoNot) {
  EXPECT_TRUE(Submit(2).ok());
  EXPECT_TRUE(Submit(5).ok());  // the choices of one request stay together
  EXPECT_EQ(Submit(1).code(), Code::kOverloaded);
  EXPECT_EQ(inbox_.TakeAll(0).requests.size(), 2U);
  EXPECT_EQ(Submit(1).code(), Code::kOverloaded) << "they wait in the engine now";
  inbox_.TakeAll(3);
  EXPECT_TRUE(Submit(1).ok());
  EXPECT_EQ(Submit(1).code(), Code::kOverloaded);
}

TEST_F(InboxTest, NothingIsTakenBehindTheEnd) {
  ASSERT_TRUE(inbox_.Reserve().ok());
  inbox_.Close();
  EXPECT_EQ(inbox_.Submit({Request(1)}).code(), Code::kCancelled);
  EXPECT_TRUE(inbox_.TakeAll(0).requests.empty());
  EXPECT_EQ(inbox_.Reserve().code(), Code::kCancelled);
  EXPECT_EQ(inbox_.Inspect([](const PrefixCache&) {}).code(), Code::kCancelled);
  EXPECT_TRUE(inbox_.TakeAll(0).looks.empty());
}

TEST_F(InboxTest, WaitEndsWithEachKindOfMessage) {
  const auto wakes = [this](auto send) {
    std::thread sender(send);
    inbox_.Wait();
    sender.join();
    return inbox_.TakeAll(0);
  };
  EXPECT_EQ(wakes([this] { EXPECT_TRUE(Submit(1).ok()); }).requests.size(), 1U);
  EXPECT_EQ(wakes([this] { inbox_.Cancel(SeqId{7}); }).cancels, std::vector{SeqId{7}});
  EXPECT_EQ(wakes([this] { inbox_.GrammarReady(SeqId{8}); }).compiled, std::vector{SeqId{8}});
  EXPECT_TRUE(wakes([this] { inbox_.FlushCache(); }).flush_cache);
  wakes([this] { inbox_.Close(); });
  EXPECT_TRUE(inbox_.closed());
}

}  // namespace
}  // namespace espalier
