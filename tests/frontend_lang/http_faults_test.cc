// What servers do wrong: nonsense, answers cut short or without end, nesting without end. An
// error of the one call, and no crash.
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "frontend_lang/http/answer_json.h"
#include "frontend_lang/http/http_client.h"
#include "tests/frontend_lang/served_backend.h"

namespace espalier {
namespace {

using Json = nlohmann::json;

std::string Nested(int depth) {
  return std::string(static_cast<std::size_t>(depth), '[') +
         std::string(static_cast<std::size_t>(depth), ']');
}

// What a gen, and a select, give where the server says `answer` to everything.
Status GenStatus(Backend& backend) {
  backend.Start(GenCall{"x", {}, 0, {}});
  return LastEventOf(backend).status;
}
Status ScoreStatus(Backend& backend) {
  backend.Start(ScoreCall{"x", {"a", "b"}, true});
  return LastEventOf(backend).status;
}

TEST(AnswerJson, NestsSoDeepAndNoDeeper) {
  EXPECT_FALSE(ParseAnswer(Nested(kMaxAnswerDepth)).is_discarded());
  EXPECT_TRUE(ParseAnswer(Nested(kMaxAnswerDepth + 1)).is_discarded());
  EXPECT_TRUE(ParseAnswer(Nested(3'000'000)).is_discarded());
  EXPECT_TRUE(ParseAnswer("{\"a").is_discarded());
  EXPECT_TRUE(ParseAnswer("\"\\").is_discarded());
  const std::string brackets(1000, '[');
  EXPECT_EQ(ParseAnswer("{\"a\\\\\\\"\": \"" + brackets + "\"}")["a\\\""], brackets);
}

TEST(HttpFaults, NonsenseIsAnErrorOfItsCall) {
  const std::vector<std::string> answers = {
      "[]",
      "3",
      "null",
      "\"x\"",
      "{",
      R"([{"meta_info": 3}, {"meta_info": {"input_token_logprobs": [3, []]}}])",
      R"({"text": 5, "meta_info": {"prompt_tokens": "many", "finish_reason": []}})",
      R"({"text": "x", "meta_info": {"x": )" + Nested(400'000) + "}}",
  };
  for (const std::string& answer : answers) {
    ScriptedServer server(Sglang([&answer](const Json& body) {
      return body.contains("stream") ? EventStream({answer, "[DONE]"}) : HttpAnswer(200, answer);
    }));
    const auto backend = Connect(server);
    EXPECT_EQ(GenStatus(*backend).code(), Code::kInternal) << answer.substr(0, 100);
    EXPECT_EQ(ScoreStatus(*backend).code(), Code::kInternal) << answer.substr(0, 100);
    GenCall several;
    several.options.n = 2;
    backend->Start(several);
    EXPECT_EQ(LastEventOf(*backend).status.code(), Code::kInternal) << answer.substr(0, 100);
  }
}

TEST(HttpFaults, OpenAiNonsenseIsAnErrorOfItsCall) {
  for (const std::string& answer : {std::string("[]"), std::string("3"), Nested(400'000)}) {
    ScriptedServer server(OpenAi([&answer](const SeenRequest&) {
      return EventStream({answer, "[DONE]"});
    }));
    const auto backend = Connect(server);
    EXPECT_EQ(GenStatus(*backend).code(), Code::kInternal) << answer.substr(0, 100);
  }
}

TEST(HttpFaults, FactsThatNestWithoutEndAreRefused) {
  ScriptedServer server([](const SeenRequest& request) {
    if (request.target == "GET /get_model_info") return HttpAnswer(200, R"({"model_path": "m"})");
    return HttpAnswer(200, R"({"version": )" + Nested(200'000) + "}");
  });
  const auto backend = Connect(server);
  EXPECT_EQ(backend->ServerFacts(std::nullopt).status().code(), Code::kInternal);
}

TEST(HttpFaults, AStreamThatIsCutIsNotTheWholeAnswer) {
  const std::vector<std::vector<std::string>> cut = {
      {}, {R"({"text": "Hel", "meta_info": {"finish_reason": null}})"}};
  for (const auto& events : cut) {
    ScriptedServer server(Sglang([&events](const Json&) { return EventStream(events); }));
    const auto backend = Connect(server);
    const Status status = GenStatus(*backend);
    EXPECT_EQ(status.code(), Code::kDataLoss);
    EXPECT_NE(status.message().find("the answer broke off"), std::string::npos);
  }
  ScriptedServer whole(Sglang([](const Json&) {
    return EventStream({R"({"text": "Hello", "meta_info": {"finish_reason": {"type": "stop"}}})"});
  }));
  EXPECT_TRUE(GenStatus(*Connect(whole)).ok());
}

TEST(HttpFaults, AnOpenAiStreamThatIsCutIsNotTheWholeAnswer) {
  const auto status = [](const std::vector<std::string>& events) {
    ScriptedServer server(OpenAi([&](const SeenRequest&) { return EventStream(events); }));
    return GenStatus(*Connect(server));
  };
  const std::string part = R"({"choices": [{"index": 0, "text": "Hel"}]})";
  const std::string end = R"({"choices": [{"index": 0, "text": "lo", "finish_reason": "stop"}]})";
  EXPECT_EQ(status({}).code(), Code::kDataLoss);
  EXPECT_EQ(status({part}).code(), Code::kDataLoss);
  EXPECT_TRUE(status({part, end}).ok());
  EXPECT_TRUE(status({part, "[DONE]"}).ok());
}

TEST(HttpFaults, AnAnswerWithoutEndIsNotKept) {
  std::vector<std::string> events(
      3000, R"({"choices": [{"index": 0, "text": ")" + std::string(1000, 'x') + R"("}]})");
  events.push_back("[DONE]");
  ScriptedServer server(OpenAi([&](const SeenRequest&) { return EventStream(events); }));
  EXPECT_EQ(GenStatus(*Connect(server)).code(), Code::kLimit);
  ScriptedServer other(Sglang([](const Json&) {
    return EventStream({R"({"text": ")" + std::string(3'000'000, 'x') + R"("})", "[DONE]"});
  }));
  EXPECT_EQ(GenStatus(*Connect(other)).code(), Code::kLimit);
}

// The server below answers one connection after another, and this stream has no end: only
// when the client has closed it can the next question be heard.
TEST(HttpFaults, AFailedCallLeavesItsConnection) {
  ScriptedServer server(Sglang([](const Json&) {
    return std::string("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\ndata: {\n\n\r\n");
  }));
  const auto backend = Connect(server);
  EXPECT_EQ(GenStatus(*backend).code(), Code::kInternal);
  EXPECT_TRUE(backend->FlushCache(std::nullopt).ok());
}

TEST(HttpFaults, MoreChoicesThanThereCanBeAreRefused) {
  ScriptedServer server(OpenAi([](const SeenRequest&) { return HttpAnswer(500, ""); }));
  const auto backend = Connect(server);
  GenCall call;
  call.options.n = 1'000'000'000;
  backend->Start(call);
  EXPECT_EQ(LastEventOf(*backend).status.code(), Code::kInvalidArgument);
}

TEST(HttpFaults, WhatComesBeforeAnAnswerIsNotTheAnswer) {
  ScriptedServer server([](const SeenRequest&) {
    return "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" +
           HttpAnswer(200, "ok");
  });
  HttpClient client(*ParseServerUrl(server.url()), "");
  const Result<HttpReply> reply = client.Fetch({"GET", "/", ""});
  ASSERT_TRUE(reply.ok()) << reply.status().message();
  EXPECT_EQ(reply->status, 200);
  EXPECT_EQ(reply->body, "ok");
}

TEST(HttpFaults, AKeyIsNoHeaderOfItsOwn) {
  const Result<std::unique_ptr<Backend>> backend =
      ConnectToServer("127.0.0.1:1", {"key\r\nX-Other: 1", "", {}});
  EXPECT_EQ(backend.status().code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace espalier
