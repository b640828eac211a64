// HttpExchange: one HTTP request, and the way its answer goes back.
//
//   1. An endpoint calls Answer once; or BeginStream once, Write as it has something, and
//      EndStream once.
//   2. After the client has gone all of these do nothing, and the function of OnGone has
//      run: once, and only if the answer was not whole by then.
//   3. What waits to be sent is bounded: a stream whose client is more than
//      kMaxBacklogBytes behind ends with an error event in place of what waited, and
//      counts as gone. One piece may be of any size.
//   4. A second answer, or a piece outside a stream, is a slip of an endpoint's: it cuts
//      this connection and harms no other.
//
// Thread safety: io thread only.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/server/wire/body_budget.h"

namespace espalier {

struct HttpBody {
  std::string text;
  BodyLease lease = {};  // of as many bytes
};

struct HttpQuestion {
  std::string method;  // "GET"
  std::string path;    // "/v1/models", without the query
  std::string query;   // what follows '?'
  HttpBody body;
  std::string content_type;
  std::string authorization;
  std::string origin;      // of a browser's page
  std::string request_id;  // the client's, or one made here
};

struct HttpAnswer {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers = {};  // further ones
};

class HttpExchange {
 public:
  static constexpr std::size_t kMaxBacklogBytes = std::size_t{4} << 20;

  // `wake` tells the connection that there is something to send; it must not call back.
  HttpExchange(HttpQuestion question, std::function<void()> wake);
  ~HttpExchange();
  HttpExchange(const HttpExchange&) = delete;
  HttpExchange& operator=(const HttpExchange&) = delete;

  const HttpQuestion& question() const { return question_; }
  // The question has none then.
  HttpBody TakeBody() { return std::exchange(question_.body, {}); }
  using Clock = std::chrono::steady_clock;
  Clock::time_point start() const { return start_; }  // when the question was there

  // A header of the answer, whichever it will be.
  void AddHeader(std::string name, std::string value);

  void Answer(HttpAnswer answer);
  void BeginStream(HttpAnswer head);  // without a body
  void Write(std::string_view text);
  // In place of the text of the same key, where that has not left yet: for events of which
  // each says all that the last one did.
  void WriteLatest(std::size_t key, std::string text);
  void EndStream();
  bool answered() const { return answer_.has_value(); }

  void OnGone(std::function<void()> on_gone) { on_gone_ = std::move(on_gone); }
  bool gone() const { return gone_; }
  // Runs when the exchange is destroyed: its answer has left, or nobody waits for it.
  void OnEnd(std::function<void(const HttpExchange&)> on_end) { on_end_ = std::move(on_end); }
  std::int64_t num_body_bytes() const { return num_body_bytes_; }  // of the answer, taken so far

  // The connection's side.
  const std::optional<HttpAnswer>& answer() const { return answer_; }
  bool streams() const { return streams_; }
  bool ended() const { return ended_; }  // all there will be is there
  bool has_backlog() const { return backlog_bytes_ > 0; }
  std::string TakeBacklog();
  void MarkGone();

 private:
  bool CanWrite(std::size_t num_more_bytes);
  void CutStream();
  void TellGone();

  HttpQuestion question_;
  const Clock::time_point start_ = Clock::now();
  std::function<void()> wake_;
  std::function<void()> on_gone_;
  std::optional<HttpAnswer> answer_;
  std::function<void(const HttpExchange&)> on_end_;
  std::vector<std::pair<std::string, std::string>> headers_;
  std::vector<std::string> backlog_;
  std::unordered_map<std::size_t, std::size_t> latest_;  // key to its place in the backlog
  std::size_t backlog_bytes_ = 0;
  std::int64_t num_body_bytes_ = 0;
  bool streams_ = false;
  bool ended_ = false;
  bool gone_ = false;
};

}  // namespace espalier
