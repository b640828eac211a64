// HttpExchange: one HTTP request, and the way its answer goes back.
//
//   1. An endpoint calls Answer once; or BeginStream once, Write as it has something, and
//      EndStream once.
//   2. After the client has gone all of these do nothing, and the function of OnGone has
//      run: once, and only if the answer was not whole by then.
//   3. What waits to be sent is bounded: a client that is more than kMaxBacklogBytes
//      behind its stream counts as gone.
//
// Thread safety: io thread only.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace espalier {

struct HttpQuestion {
  std::string method;  // "GET"
  std::string path;    // "/v1/models", without the query
  std::string query;   // what follows '?'
  std::string body;
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
  HttpExchange(HttpQuestion question, std::function<void()> wake)
      : question_(std::move(question)), wake_(std::move(wake)) {}
  HttpExchange(const HttpExchange&) = delete;
  HttpExchange& operator=(const HttpExchange&) = delete;

  const HttpQuestion& question() const { return question_; }

  void Answer(HttpAnswer answer);
  void BeginStream(HttpAnswer head);  // without a body
  void Write(std::string_view text);
  void EndStream();
  bool answered() const { return answer_.has_value(); }

  void OnGone(std::function<void()> on_gone) { on_gone_ = std::move(on_gone); }
  bool gone() const { return gone_; }

  // The connection's side.
  const std::optional<HttpAnswer>& answer() const { return answer_; }
  bool streams() const { return streams_; }
  bool ended() const { return ended_; }  // all there will be is there
  std::string TakeBacklog() { return std::exchange(backlog_, {}); }
  bool has_backlog() const { return !backlog_.empty(); }
  void MarkGone();

 private:
  HttpQuestion question_;
  std::function<void()> wake_;
  std::function<void()> on_gone_;
  std::optional<HttpAnswer> answer_;
  std::string backlog_;
  bool streams_ = false;
  bool ended_ = false;
  bool gone_ = false;
};

}  // namespace espalier
