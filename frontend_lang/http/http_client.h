// HttpClient: requests to one server, many at a time, on the caller's thread.
//
//   1. Nothing happens outside RunOne and Fetch; all callbacks come from there.
//   2. Each started exchange ends with one call of its `on_done`, cancelled ones too.
//   3. At most kMaxConnections are open; further exchanges wait for one, in order. A
//      connection that the server keeps open is used again.
//   4. Bodies are bounded (kMaxBodyBytes, streams kMaxStreamBytes), and so is the wait
//      for a connection (kConnectTimeout) and for the next byte (kIdleTimeout).
//
// A network fault is a Status that names the server. An answer of any HTTP status is a
// reply: what it means is the caller's to say.
//
// Thread safety: none; one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "frontend_lang/http/url.h"
#include "kernels/base/status.h"

namespace espalier {

struct HttpRequest {
  std::string method;  // "GET" or "POST"
  std::string path;    // "/generate"
  std::string body;    // JSON; "": none
};

struct HttpReply {
  int status = 0;
  std::string body;  // "" where it was streamed
};

enum class ExchangeId : std::uint64_t {};

class HttpClient {
 public:
  static constexpr int kMaxConnections = 256;
  static constexpr std::uint64_t kMaxBodyBytes = std::uint64_t{256} << 20;
  static constexpr std::uint64_t kMaxStreamBytes = std::uint64_t{8} << 30;
  static constexpr std::chrono::seconds kConnectTimeout{10};
  static constexpr std::chrono::seconds kIdleTimeout{600};

  using OnDone = std::function<void(Result<HttpReply>)>;
  using OnData = std::function<void(std::string_view)>;

  // `api_key` "": none is sent.
  HttpClient(ServerUrl url, std::string api_key);
  ~HttpClient();  // open exchanges end without on_done

  const ServerUrl& url() const;

  // Never blocks. Where `on_data` is set, it gets the body of a 200 reply as it comes.
  ExchangeId Start(HttpRequest request, OnDone on_done, OnData on_data = nullptr);
  // Closes the exchange's connection; the server sees that nobody listens.
  void Cancel(ExchangeId exchange);

  using Deadline = std::optional<std::chrono::steady_clock::time_point>;

  // Blocks until something has happened; false at the deadline. REQUIRES: an exchange is
  // open.
  bool RunOne(Deadline deadline = std::nullopt);
  // Blocks until this one request is answered; others go on meanwhile. kLimit at the
  // deadline.
  Result<HttpReply> Fetch(HttpRequest request, Deadline deadline = std::nullopt);

 private:
  class Exchanges;
  std::unique_ptr<Exchanges> exchanges_;
};

}  // namespace espalier
