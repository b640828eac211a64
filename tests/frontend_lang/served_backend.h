// A backend on a scripted server, of either protocol.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "frontend_lang/http/connect.h"
#include "tests/frontend_lang/scripted_server.h"

namespace espalier {

inline CallEvent LastEventOf(Backend& backend, std::string* streamed = nullptr) {
  for (;;) {
    for (CallEvent& event : backend.Wait(std::nullopt)) {
      if (streamed != nullptr) *streamed += event.text;
      if (event.done) return std::move(event);
    }
  }
}

inline std::unique_ptr<Backend> Connect(const ScriptedServer& server, const std::string& key = "") {
  Result<std::unique_ptr<Backend>> backend = ConnectToServer(server.url(), {key, "", {}});
  EXPECT_TRUE(backend.ok()) << backend.status().message();
  return backend.ok() ? std::move(*backend) : nullptr;
}

// A SGLang server that gives `generate` for POST /generate.
inline ScriptedServer::Answer Sglang(std::function<std::string(const nlohmann::json&)> generate,
                                     std::string version = "0.4.9") {
  return [generate, version](const SeenRequest& request) {
    if (request.target == "GET /get_model_info") {
      return HttpAnswer(200, R"({"model_path": "org/Llama-3-8B-Instruct"})");
    }
    if (request.target == "GET /get_server_info") {
      return HttpAnswer(200, nlohmann::json{{"version", version}, {"tp_size", 2}}.dump());
    }
    if (request.target == "POST /generate") return generate(request.body);
    if (request.target == "POST /flush_cache") return HttpAnswer(200, "Cache flushed.");
    return HttpAnswer(404, "");
  };
}

inline ScriptedServer::Answer OpenAi(std::function<std::string(const SeenRequest&)> complete) {
  return [complete](const SeenRequest& request) {
    if (request.target == "GET /v1/models") {
      return HttpAnswer(200, R"({"object": "list", "data": [{"id": "some-model"}]})");
    }
    if (request.target.starts_with("POST /v1/")) return complete(request);
    return HttpAnswer(404, R"({"error": {"message": "no such route"}})");
  };
}

}  // namespace espalier
