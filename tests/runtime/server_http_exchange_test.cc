#include "runtime/server/http_exchange.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

class HttpExchangeTest : public testing::Test {
 protected:
  int num_wakes_ = 0, num_gone_ = 0;
  HttpExchange exchange_{HttpQuestion{.request_id = "r"}, [this] { ++num_wakes_; }};

  void SetUp() override {
    exchange_.OnGone([this] { ++num_gone_; });
  }
};

TEST_F(HttpExchangeTest, AnAnswerHasTheRequestsIdAndIsWhole) {
  exchange_.AddHeader("Vary", "Origin");
  exchange_.Answer({.body = "x", .headers = {{"A", "b"}}});
  ASSERT_TRUE(exchange_.answer());
  const std::vector<std::pair<std::string, std::string>> headers = {
      {"A", "b"}, {"X-Request-Id", "r"}, {"Vary", "Origin"}};
  EXPECT_EQ(exchange_.answer()->headers, headers);
  EXPECT_TRUE(exchange_.ended());
  exchange_.MarkGone();
  EXPECT_EQ(num_gone_, 0);
}

TEST_F(HttpExchangeTest, AClientThatGoesIsToldOfOnceAndNothingMoreIsWritten) {
  exchange_.BeginStream({});
  exchange_.Write("a");
  exchange_.MarkGone();
  exchange_.MarkGone();
  exchange_.Write("b");
  exchange_.EndStream();
  EXPECT_EQ(num_gone_, 1);
  EXPECT_EQ(exchange_.TakeBacklog(), "a");
}

TEST_F(HttpExchangeTest, ASlipOfAnEndpointsCutsTheConnectionOnly) {
  exchange_.Answer({.body = "first"});
  exchange_.Answer({.body = "second"});
  EXPECT_TRUE(exchange_.gone());
  EXPECT_EQ(exchange_.answer()->body, "first");

  HttpExchange unopened({}, [] {});
  unopened.Write("a");
  EXPECT_TRUE(unopened.gone());
}

TEST_F(HttpExchangeTest, WhatIsLatestStandsForWhatHasNotLeft) {
  exchange_.BeginStream({});
  exchange_.WriteLatest(0, "a1 ");
  exchange_.WriteLatest(1, "b1 ");
  exchange_.WriteLatest(0, "a2 ");
  EXPECT_EQ(exchange_.TakeBacklog(), "a2 b1 ");
  exchange_.WriteLatest(0, "a3 ");
  exchange_.Write("end");
  EXPECT_EQ(exchange_.TakeBacklog(), "a3 end");
  EXPECT_EQ(exchange_.num_body_bytes(), 12);
}

TEST_F(HttpExchangeTest, AStreamThatIsReadTooSlowlyEndsWithAnError) {
  exchange_.BeginStream({});
  const std::string piece(HttpExchange::kMaxBacklogBytes, 'x');
  exchange_.Write(piece + piece);  // one piece may be of any size
  EXPECT_EQ(num_gone_, 0);
  exchange_.Write("y");
  EXPECT_EQ(num_gone_, 1);
  EXPECT_TRUE(exchange_.ended());
  EXPECT_FALSE(exchange_.gone());  // it is still told
  exchange_.Write("z");
  EXPECT_NE(exchange_.TakeBacklog().find("slow_client"), std::string::npos);
}

TEST_F(HttpExchangeTest, ItsEndIsToldOnce) {
  int num_ended = 0;
  {
    HttpExchange exchange({}, [] {});
    exchange.OnEnd([&](const HttpExchange& ended) {
      ++num_ended;
      EXPECT_EQ(ended.answer()->status, 404);
    });
    exchange.Answer({.status = 404});
    EXPECT_EQ(num_ended, 0);
  }
  EXPECT_EQ(num_ended, 1);
}

}  // namespace
}  // namespace espalier
