// ServerBackend: what the backends that ask a server share: calls, their news, and how
// a server's refusal becomes a Status.
//
// Thread safety: none; one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <nlohmann/json.hpp>

#include "frontend_lang/backend.h"
#include "frontend_lang/http/http_client.h"

namespace espalier {

class ServerBackend : public Backend {
 public:
  void Cancel(CallId call) override;
  std::vector<CallEvent> Wait() override;

 protected:
  using Json = nlohmann::json;

  explicit ServerBackend(std::unique_ptr<HttpClient> client) : client_(std::move(client)) {}

  HttpClient& client() { return *client_; }
  CallId NewCall() { return CallId{next_call_++}; }

  // A POST of `body` for this call; `on_json` gets the answer of a 200, parsed. Any other
  // outcome ends the call with its Status.
  void Post(CallId call, std::string_view path, const Json& body,
            std::function<void(const Json&)> on_json);
  // The same for an answer that is an event stream: `on_event` gets the JSON of each event
  // but the last, "[DONE]"; `on_end` is called after a stream without fault.
  void Stream(CallId call, std::string_view path, const Json& body,
              std::function<void(const Json&)> on_event, std::function<void()> on_end);

  void Tell(CallEvent event);  // what the next Wait gives; a done one ends the call
  void Fail(CallId call, Status status);
  bool IsOpen(CallId call) const { return open_.contains(Key(call)); }

  // A GET or POST outside any call. Blocks.
  Result<HttpReply> Fetch(std::string_view method, std::string_view path);
  Result<Json> FetchJson(std::string_view path);

 private:
  static std::uint64_t Key(CallId call) { return static_cast<std::uint64_t>(call); }
  Status StatusOf(const HttpReply& reply) const;
  Status NotUnderstood() const;

  std::unique_ptr<HttpClient> client_;
  std::uint64_t next_call_ = 1;
  std::unordered_map<std::uint64_t, ExchangeId> open_;  // calls, with their newest exchange
  std::vector<CallEvent> news_;
};

// The member of an object, or null where it is absent or `json` is no object.
const nlohmann::json& JsonAt(const nlohmann::json& json, std::string_view name);
std::int64_t JsonInt(const nlohmann::json& json, std::string_view name);    // or 0
std::string JsonString(const nlohmann::json& json, std::string_view name);  // or ""

}  // namespace espalier
