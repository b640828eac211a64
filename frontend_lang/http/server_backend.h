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
#include "frontend_lang/http/answer_json.h"
#include "frontend_lang/http/http_client.h"
#include "frontend_lang/http/streamed_answer.h"

namespace espalier {

class ServerBackend : public Backend {
 public:
  void Cancel(CallId call) override;
  std::vector<CallEvent> Wait(Deadline deadline) override;

 protected:
  using Json = nlohmann::json;

  explicit ServerBackend(std::unique_ptr<HttpClient> client) : client_(std::move(client)) {}

  HttpClient& client() { return *client_; }
  CallId NewCall() { return CallId{next_call_++}; }

  // A POST of `body` for this call; `on_json` gets the answer of a 200, parsed. Any other
  // outcome ends the call with its Status.
  void Post(CallId call, std::string_view path, const Json& body,
            std::function<void(const Json&)> on_json);
  // The same for an answer that is an event stream, which `answer` gathers. kDataLoss where
  // the stream ends before the answer is whole.
  void Stream(CallId call, std::string_view path, const Json& body,
              std::unique_ptr<StreamedAnswer> answer);

  // What the next Wait gives. A done one ends the call, and its exchange where that is open.
  void Tell(CallEvent event);
  void Fail(CallId call, Status status);
  Status NotUnderstood() const;
  bool IsOpen(CallId call) const { return open_.contains(Key(call)); }

  // A GET or POST outside any call. Blocks.
  Result<HttpReply> Fetch(std::string_view method, std::string_view path, Deadline deadline);
  Result<Json> FetchJson(std::string_view path, Deadline deadline);

 private:
  static std::uint64_t Key(CallId call) { return static_cast<std::uint64_t>(call); }
  struct Reading;

  void TakeEvent(CallId call, Reading& reading, std::string_view text);
  void EndStream(CallId call, Reading& reading, const Result<HttpReply>& reply);
  Status StatusOf(const HttpReply& reply) const;

  std::unique_ptr<HttpClient> client_;
  std::uint64_t next_call_ = 1;
  std::unordered_map<std::uint64_t, ExchangeId> open_;  // calls, with their newest exchange
  std::vector<CallEvent> news_;
};

}  // namespace espalier
