// RequestReader: the requests of one connection, one after the other.
//
//   1. A request that is too large or not HTTP, or that `admit` refuses by its head, comes
//      with its refusal before its body is read.
//   2. A header block must come within kHeaderTimeout of its first byte, a body within
//      kBodyTimeout; for the first byte it waits kIdleTimeout.
//
// Thread safety: io thread only; one request at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include <boost/asio/awaitable.hpp>

#include "runtime/server/http_exchange.h"
#include "runtime/server/wire/answer_writer.h"
#include "runtime/server/wire/body_budget.h"
#include "runtime/server/wire/http_text.h"
#include "runtime/server/wire/incoming.h"

namespace espalier {

struct ConnectionLimits {
  std::uint64_t max_body_bytes = std::uint64_t{32} << 20;
  std::uint32_t max_header_bytes = 32 << 10;
  std::shared_ptr<BodyBudget> bodies = nullptr;  // of all connections; null: no bound
};

// Whether a request is taken, by its head: unset, or the answer.
using AdmitRequest = std::function<std::optional<HttpAnswer>(const HttpQuestion& head)>;

struct ReadRequest {
  HttpQuestion question;
  std::optional<HttpAnswer> refusal;
  AnswerWriter::Manner manner;
};

class RequestReader {
 public:
  static constexpr std::chrono::seconds kHeaderTimeout{30};
  static constexpr std::chrono::seconds kBodyTimeout{120};
  static constexpr std::chrono::seconds kIdleTimeout{120};

  // All must outlive it. `writer` tells a client that asks to send its body.
  RequestReader(Incoming& incoming, AnswerWriter& writer, const ConnectionLimits& limits,
                const AdmitRequest& admit)
      : incoming_(incoming), writer_(writer), limits_(limits), admit_(admit) {}

  // Unset: the client has gone, or was too slow.
  boost::asio::awaitable<std::optional<ReadRequest>> Next();

 private:
  // A request on its way.
  struct Draft {
    HttpParser parser;
    BodyLease lease;
    std::optional<HttpAnswer> refusal;
  };
  enum class Part : unsigned char { kMore, kWhole, kRefused, kGone };

  boost::asio::awaitable<Part> Parse(Draft& draft);
  Part TakeBytes(Draft& draft);
  boost::asio::awaitable<Part> TakeHead(Draft& draft);
  void SkipEmptyLines();

  Incoming& incoming_;
  AnswerWriter& writer_;
  const ConnectionLimits& limits_;
  const AdmitRequest& admit_;
  std::size_t num_seen_ = 0;  // bytes that the parser has seen and not taken
};

}  // namespace espalier
