// Connection: one client's socket, from its first byte to its last.
//
// HTTP/1.0 and 1.1, keep-alive, pipelined requests one after the other. Two coroutines:
// one reads ahead, so that a client that goes is seen at once whatever its request is
// waiting for; the other parses, hands each request to the taker, and writes.
//
//   1. A request that is too large or not HTTP, or that `admit` refuses by its head, is
//      answered before its body is read; after that, and after the two deadlines, the
//      connection is closed.
//   2. Memory is bounded: kMaxReadAheadBytes unparsed, one header block, one body, and
//      HttpExchange's backlog.
//   3. A header block must come within kHeaderTimeout of its first byte, a body within
//      kBodyTimeout; an idle connection is kept for kIdleTimeout; a client that takes
//      nothing at all for kWriteTimeout is cut off.
//
// Thread safety: io thread only.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>

#include "runtime/server/http_exchange.h"

namespace espalier {

struct ConnectionLimits {
  std::uint64_t max_body_bytes = std::uint64_t{32} << 20;
  std::uint32_t max_header_bytes = 32 << 10;
};

// What a server does with a request.
struct RequestTaker {
  // Whether it takes the request, by its head: unset, or the answer.
  std::function<std::optional<HttpAnswer>(const HttpQuestion& head)> admit;
  // Told of every request, before it is answered.
  std::function<void(HttpExchange& exchange)> see;
  // Of those that are taken: it answers at once or later.
  std::function<void(std::shared_ptr<HttpExchange> exchange)> take;
  std::function<void(std::string_view what)> warn;  // of our own faults, for the log
};

// Serves `socket` until either side closes it, then calls `on_closed`. `tls` null: plain;
// else it must outlive the connection. The taker must too.
void ServeConnection(boost::asio::ip::tcp::socket socket, boost::asio::ssl::context* tls,
                     const ConnectionLimits& limits, const RequestTaker& taker,
                     std::function<void()> on_closed);

}  // namespace espalier
