// The backends that ask a server, against a server whose answers are scripted.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "frontend_lang/http/connect.h"
#include "frontend_lang/http/event_reader.h"
#include "frontend_lang/http/http_client.h"
#include "frontend_lang/http/url.h"
#include "tests/frontend_lang/scripted_server.h"
#include "tests/frontend_lang/served_backend.h"

namespace espalier {
namespace {

using Json = nlohmann::json;

TEST(ServerUrl, IsTakenApart) {
  const Result<ServerUrl> url = ParseServerUrl("https://host.example:8443/base/v1/");
  ASSERT_TRUE(url.ok());
  EXPECT_EQ(url->Text(), "https://host.example:8443/base");
  EXPECT_EQ(ParseServerUrl("127.0.0.1:30000")->Text(), "http://127.0.0.1:30000");
  EXPECT_EQ(ParseServerUrl("http://[::1]:9")->Text(), "http://[::1]:9");
  EXPECT_EQ(ParseServerUrl("https://host")->port, "443");
}

TEST(ServerUrl, NamesWhatIsWrong) {
  for (const char* text : {"", "http://", "ftp://host", "http://host:99999", "http://host:x",
                           "http://[::1", "http://a b", "http://user@host"}) {
    const Result<ServerUrl> url = ParseServerUrl(text);
    EXPECT_FALSE(url.ok()) << text;
    EXPECT_EQ(url.status().code(), Code::kInvalidArgument) << text;
  }
}

TEST(EventReader, GivesTheSameEventsHoweverTheBytesAreCut) {
  const std::string bytes =
      "data: one\n\n: note\ndata:two\r\ndata: more\r\n\r\nevent: x\n\ndata: \n\n";
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    EventReader reader;
    std::vector<std::string> events;
    const auto take = [&events](std::string_view data) { events.emplace_back(data); };
    ASSERT_TRUE(reader.Read(std::string_view(bytes).substr(0, cut), take).ok());
    ASSERT_TRUE(reader.Read(std::string_view(bytes).substr(cut), take).ok());
    EXPECT_EQ(events, (std::vector<std::string>{"one", "two\nmore", ""})) << cut;
  }
}

TEST(HttpClient, AsksAgainWhereAKeptConnectionWasClosed) {
  int count = 0;
  ScriptedServer server([&count](const SeenRequest&) {
    ++count;
    if (count == 2) return std::string();  // hangs up on the second request
    return std::string("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
  });
  HttpClient client(*ParseServerUrl(server.url()), "");
  for (int i = 0; i < 3; ++i) {
    const Result<HttpReply> reply = client.Fetch({"GET", "/x", ""});
    ASSERT_TRUE(reply.ok()) << reply.status().message();
    EXPECT_EQ(reply->body, "ok");
  }
  EXPECT_EQ(count, 4);
}

TEST(HttpClient, NamesAServerThatIsNotThere) {
  std::string url;
  {
    ScriptedServer server([](const SeenRequest&) { return std::string(); });
    url = server.url();
  }
  const Result<std::unique_ptr<Backend>> backend = ConnectToServer(url, {});
  ASSERT_FALSE(backend.ok());
  EXPECT_NE(backend.status().message().find(url + ": cannot connect"), std::string::npos)
      << backend.status().message();
}

TEST(HttpClient, ReportsAnAnswerThatBreaksOff) {
  ScriptedServer server([](const SeenRequest&) {
    return std::string("HTTP/1.1 200 OK\r\nContent-Length: 10\r\nConnection: close\r\n\r\nhalf");
  });
  HttpClient client(*ParseServerUrl(server.url()), "");
  const Result<HttpReply> reply = client.Fetch({"GET", "/", ""});
  ASSERT_FALSE(reply.ok());
  EXPECT_NE(reply.status().message().find("broke off"), std::string::npos);
}

TEST(SglangBackend, StreamsAGenAndSendsOnlyWhatWasGiven) {
  ScriptedServer server(Sglang([](const Json&) {
    const auto event = [](const std::string& text, const std::string& finish) {
      return R"({"text": ")" + text +
             R"(", "meta_info": {"prompt_tokens": 7, "cached_tokens": 3,)" +
             R"( "completion_tokens": 2, "finish_reason": )" + finish + "}}";
    };
    return EventStream(
        {event("Par", "null"), event("Paris", R"({"type": "stop", "matched": "."})"), "[DONE]"});
  }));
  const auto backend = Connect(server, "secret");
  GenCall call;
  call.prompt = "The capital of France is";
  call.options.temperature = 0;
  call.options.stop = {"."};
  backend->Start(call);
  std::string streamed;
  const CallEvent event = LastEventOf(*backend, &streamed);
  ASSERT_TRUE(event.status.ok()) << event.status.message();
  EXPECT_EQ(streamed, "Paris");
  ASSERT_EQ(event.outputs.size(), 1u);
  EXPECT_EQ(event.outputs[0].text, "Paris");
  EXPECT_EQ(event.outputs[0].finish_reason, "stop");
  EXPECT_EQ(event.outputs[0].matched_stop, ".");
  EXPECT_EQ(event.usage.prompt_tokens, 7);
  EXPECT_EQ(event.usage.cached_tokens, 3);
  const SeenRequest sent = server.seen().back();
  EXPECT_EQ(sent.body, Json::parse(R"({"text": "The capital of France is", "stream": true,
      "sampling_params": {"temperature": 0.0, "stop": ["."]}})"));
  EXPECT_NE(sent.head.find("Authorization: Bearer secret\r\n"), std::string::npos);
}

TEST(SglangBackend, SendsSeedsToServersThatTakeThem) {
  ScriptedServer server(Sglang(
      [](const Json&) {
        return EventStream({R"({"text": "x", "meta_info": {}})", "[DONE]"});
      },
      "0.5.5"));
  const auto backend = Connect(server);
  GenCall call;
  call.seed = 0x123456789abcdef0;
  backend->Start(call);
  LastEventOf(*backend);
  EXPECT_EQ(server.seen().back().body["sampling_params"]["sampling_seed"], 0x1abcdef0);
}

TEST(SglangBackend, GivesEachOfNChoices) {
  ScriptedServer server(Sglang([](const Json&) {
    return HttpAnswer(200,
                      R"([{"text": "a", "meta_info": {"prompt_tokens": 5, "completion_tokens": 1}},
                               {"text": "b", "meta_info": {"prompt_tokens": 5, "completion_tokens": 2}}])");
  }));
  const auto backend = Connect(server);
  GenCall call;
  call.options.n = 2;
  backend->Start(call);
  const CallEvent event = LastEventOf(*backend);
  ASSERT_EQ(event.outputs.size(), 2u);
  EXPECT_EQ(event.outputs[1].text, "b");
  EXPECT_EQ(event.usage.prompt_tokens, 5);
  EXPECT_EQ(event.usage.completion_tokens, 3);
}

TEST(SglangBackend, ScoresChoicesAsTheProtocolsOwnClientDoes) {
  ScriptedServer server(Sglang([](const Json& body) {
    if (body.contains("input_ids")) {
      return HttpAnswer(200, R"([{"meta_info": {"input_token_logprobs": [[null, 11, null]]}},
                                 {"meta_info": {"input_token_logprobs": [[null, 12, null], [-3, 13, null]]}}])");
    }
    if (body["text"].is_string())
      return HttpAnswer(200, R"({"text": "", "meta_info": {"prompt_tokens": 9}})");
    return HttpAnswer(200, R"([
      {"meta_info": {"input_token_logprobs": [[-9.5, 10, "is"], [-1, 11, " good"]]}},
      {"meta_info": {"input_token_logprobs": [[-2, 12, "is ba"], [-0.5, 13, "d"]]}}])");
  }));
  const auto backend = Connect(server);
  backend->Start(ScoreCall{"It is", {" good", " bad"}, true});
  const CallEvent event = LastEventOf(*backend);
  ASSERT_TRUE(event.status.ok()) << event.status.message();
  ASSERT_EQ(event.choice_logprobs.size(), 2u);
  ASSERT_EQ(event.choice_logprobs[0].size(), 1u);  // "is" was the prompt's own
  EXPECT_EQ(event.choice_logprobs[0][0].logprob, -1);
  ASSERT_EQ(event.choice_logprobs[1].size(), 2u);  // "is ba" joined
  EXPECT_EQ(event.unconditional_logprobs[1][1].logprob, -3);
  const std::vector<SeenRequest> seen = server.seen();
  EXPECT_EQ(seen[3].body["logprob_start_len"], 7);
  EXPECT_EQ(seen[3].body["text"], Json::parse(R"(["It is good", "It is bad"])"));
  EXPECT_EQ(seen[4].body["input_ids"], Json::parse("[[11], [12, 13]]"));
}

TEST(SglangBackend, WhatARoundSharesIsComputedFirst) {
  ScriptedServer server(Sglang([](const Json& body) {
    return body.contains("stream") ? EventStream({R"({"text": "x", "meta_info": {}})", "[DONE]"})
                                   : HttpAnswer(500, "no such luck");  // and no matter
  }));
  const auto backend = Connect(server);
  const std::string constant(100, 'c');
  for (const char* row : {"1", "2", "3"}) backend->Start(GenCall{constant + row, {}, 0, {}});
  backend->Cancel(backend->Start(GenCall{constant + "4", {}, 0, {}}));
  std::vector<Code> outcomes;
  while (outcomes.size() < 4) {
    for (const CallEvent& event : backend->Wait({})) {
      if (event.done) outcomes.push_back(event.status.code());
    }
  }
  EXPECT_EQ(outcomes, (std::vector<Code>{Code::kCancelled, Code::kOk, Code::kOk, Code::kOk}));
  std::vector<std::string> texts;
  for (const SeenRequest& request : server.seen()) {
    if (request.target == "POST /generate") texts.push_back(request.body["text"]);
  }
  EXPECT_EQ(texts[0], constant);
  std::sort(texts.begin(), texts.end());  // the others in any order
  EXPECT_EQ(texts,
            (std::vector<std::string>{constant, constant + "1", constant + "2", constant + "3"}));
}

TEST(SglangBackend, ARefusalEndsTheCallWithTheServersWords) {
  ScriptedServer server(Sglang([](const Json& body) {
    if (body["text"] == "late") return EventStream({R"({"error": {"message": "out of memory"}})"});
    return HttpAnswer(400, R"({"error": {"message": "the prompt is too long"}})");
  }));
  const auto backend = Connect(server);
  backend->Start(GenCall{"x", {}, 0, {}});
  CallEvent event = LastEventOf(*backend);
  EXPECT_EQ(event.status.code(), Code::kInvalidArgument);
  EXPECT_NE(event.status.message().find("HTTP 400: the prompt is too long"), std::string::npos);
  backend->Start(GenCall{"late", {}, 0, {}});
  event = LastEventOf(*backend);
  EXPECT_NE(event.status.message().find("out of memory"), std::string::npos);
}

TEST(SglangBackend, AnswersWhatAProgramAsksOfTheServer) {
  ScriptedServer server(Sglang([](const Json&) { return HttpAnswer(200, "{}"); }));
  const auto backend = Connect(server);
  EXPECT_EQ(backend->Chat(std::nullopt)->chat_format, "llama-3-instruct");
  EXPECT_TRUE(backend->FlushCache(std::nullopt).ok());
  const auto facts = backend->ServerFacts(std::nullopt);
  ASSERT_TRUE(facts.ok());
  EXPECT_EQ((*facts)[0].first, "tp_size");
  EXPECT_EQ((*facts)[0].second, "2");
}

TEST(OpenAiBackend, CompletesAPlainPrompt) {
  ScriptedServer server(OpenAi([](const SeenRequest&) {
    return EventStream({R"({"choices": [{"index": 0, "text": "Pa"}]})",
                        R"({"choices": [{"index": 0, "text": "ris", "finish_reason": "stop"}]})",
                        R"({"choices": [], "usage": {"prompt_tokens": 4, "completion_tokens": 2}})",
                        "[DONE]"});
  }));
  const auto backend = Connect(server);
  GenCall call;
  call.prompt = "Capital:";
  call.options.max_tokens = 5;
  backend->Start(call);
  std::string streamed;
  const CallEvent event = LastEventOf(*backend, &streamed);
  ASSERT_TRUE(event.status.ok()) << event.status.message();
  EXPECT_EQ(streamed, "Paris");
  EXPECT_EQ(event.outputs[0].text, "Paris");
  EXPECT_EQ(event.usage.completion_tokens, 2);
  const SeenRequest sent = server.seen().back();
  EXPECT_EQ(sent.target, "POST /v1/completions");
  EXPECT_EQ(sent.body["model"], "some-model");
  EXPECT_EQ(sent.body["max_tokens"], 5);
}

TEST(OpenAiBackend, SendsAPromptInRolesAsMessages) {
  ScriptedServer server(OpenAi([](const SeenRequest&) {
    return EventStream(
        {R"({"choices": [{"index": 0, "delta": {"role": "assistant"}}]})",
         R"({"choices": [{"index": 0, "delta": {"content": "{}"}, "finish_reason": "stop"}]})"});
  }));
  const auto backend = Connect(server);
  GenCall call;
  call.messages = {{"user", "Hi"}, {"assistant", ""}};
  call.options.json_schema = R"({"type": "object"})";
  backend->Start(call);
  const CallEvent event = LastEventOf(*backend);
  EXPECT_EQ(event.outputs[0].text, "{}");
  const SeenRequest sent = server.seen().back();
  EXPECT_EQ(sent.target, "POST /v1/chat/completions");
  EXPECT_EQ(sent.body["messages"], Json::parse(R"([{"role": "user", "content": "Hi"}])"));
  EXPECT_EQ(sent.body["response_format"]["json_schema"]["schema"]["type"], "object");
}

TEST(OpenAiBackend, RefusesByNameWhatTheProtocolCannotSay) {
  ScriptedServer server(OpenAi([](const SeenRequest&) { return HttpAnswer(500, ""); }));
  const auto backend = Connect(server);
  const auto refused = [&backend](GenCall call) {
    backend->Start(std::move(call));
    const CallEvent event = LastEventOf(*backend);
    EXPECT_EQ(event.status.code(), Code::kUnsupported);
    return event.status.message();
  };
  GenCall call;
  call.options.regex = "a+";
  EXPECT_NE(refused(call).find("no regex"), std::string::npos);
  call = GenCall();
  call.options.top_k = 5;
  EXPECT_NE(refused(call).find("no top_k"), std::string::npos);
  call = GenCall();
  call.messages = {{"user", "Hi"}, {"assistant", "I"}};
  EXPECT_NE(refused(call).find("whole assistant messages"), std::string::npos);
  EXPECT_EQ(server.seen().size(), 2u);  // the two of Connect
}

TEST(OpenAiBackend, ScoresChoicesFromAnEcho) {
  ScriptedServer server(OpenAi([](const SeenRequest&) {
    return HttpAnswer(200, R"({"choices": [
      {"index": 1, "logprobs": {"tokens": ["It", " is", " bad", "!"], "token_logprobs": [null, -1, -4, -9]}},
      {"index": 0, "logprobs": {"tokens": ["It", " is", " go", "od", "?"],
                                "token_logprobs": [null, -1, -2, -0.5, -9]}}]})");
  }));
  const auto backend = Connect(server);
  backend->Start(ScoreCall{"It is", {" good", " bad"}, false});
  const CallEvent event = LastEventOf(*backend);
  ASSERT_TRUE(event.status.ok()) << event.status.message();
  ASSERT_EQ(event.choice_logprobs[0].size(), 2u);
  EXPECT_EQ(event.choice_logprobs[0][1].logprob, -0.5);
  ASSERT_EQ(event.choice_logprobs[1].size(), 1u);
  EXPECT_EQ(event.choice_logprobs[1][0].logprob, -4);
}

TEST(ServerBackend, ACancelledCallStillHasItsLastEvent) {
  ScriptedServer server(Sglang([](const Json&) {
    return EventStream({R"({"text": "x"})", "[DONE]"});
  }));
  const auto backend = Connect(server);
  const CallId call = backend->Start(GenCall{"x", {}, 0, {}});
  backend->Cancel(call);
  EXPECT_EQ(LastEventOf(*backend).status.code(), Code::kCancelled);
  backend->Start(GenCall{"x", {}, 0, {}});
  EXPECT_TRUE(LastEventOf(*backend).status.ok());
}

TEST(ConnectToServer, RefusesAServerOfNeitherProtocol) {
  ScriptedServer server([](const SeenRequest&) { return HttpAnswer(404, "<html>"); });
  const auto backend = ConnectToServer(server.url(), {});
  EXPECT_EQ(backend.status().code(), Code::kUnsupported);
}

}  // namespace
}  // namespace espalier
