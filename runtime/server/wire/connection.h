// Connection: one client's socket, from its first byte to its last.
//
// HTTP/1.0 and 1.1, keep-alive, pipelined requests one after the other. Two coroutines: one
// reads ahead (incoming.h); the other reads requests (request_reader.h), hands each to the
// taker, and writes its answer (answer_writer.h).
//
//   1. After a request that was refused by its head or its size, or was no HTTP, the
//      connection is closed.
//   2. Memory is bounded: Incoming::kMostBytes unparsed, one header block, one body, and
//      HttpExchange's backlog; and the bodies of all connections together.
//
// Thread safety: io thread only.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>

#include "runtime/server/http_exchange.h"
#include "runtime/server/wire/request_reader.h"

namespace espalier {

// What a server does with a request.
struct RequestTaker {
  AdmitRequest admit;
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
