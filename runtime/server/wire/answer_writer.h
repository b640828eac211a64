// AnswerWriter: puts answers on a client's socket, whole or as they come.
//
// A client that takes nothing at all for kWriteTimeout is cut off.
//
// Thread safety: io thread only; one answer at a time.
#pragma once

#include <chrono>
#include <string_view>

#include <boost/asio/awaitable.hpp>

#include "runtime/server/http_exchange.h"
#include "runtime/server/wire/byte_stream.h"
#include "runtime/server/wire/notifier.h"
#include "runtime/server/wire/stall_guard.h"

namespace espalier {

class AnswerWriter {
 public:
  static constexpr std::chrono::seconds kWriteTimeout{60};

  // Both must outlive it.
  AnswerWriter(ByteStream& stream, StallGuard& guard)
      : stream_(stream), guard_(guard), news_(stream.socket().get_executor()) {}

  // The exchange has something to send, or has changed otherwise.
  void Wake() { news_.Notify(); }

  struct Manner {
    unsigned version = 11;  // of the request
    bool keep_alive = true;
    bool head_only = false;
  };
  // Waits for the exchange's answer and sends it. False if it was not sent whole, or ends
  // with the connection.
  boost::asio::awaitable<bool> Send(HttpExchange& exchange, Manner manner);

  // False if it cannot be sent.
  boost::asio::awaitable<bool> Write(std::string_view text);

 private:
  boost::asio::awaitable<bool> SendWhole(const HttpAnswer& answer, Manner manner);
  boost::asio::awaitable<bool> SendStream(HttpExchange& exchange, Manner manner);

  ByteStream& stream_;
  StallGuard& guard_;
  Notifier news_;
};

}  // namespace espalier
