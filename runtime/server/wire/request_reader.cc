#include "runtime/server/wire/request_reader.h"

#include <utility>

#include <boost/beast/http/error.hpp>

#include "runtime/server/api_error.h"

namespace espalier {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

HttpAnswer NoRoomForBody() {
  HttpAnswer answer = ErrorAnswer(
      {Code::kOverloaded, "the bodies of the requests under way are too large; come back later"});
  answer.status = 503;
  return answer;
}

}  // namespace

asio::awaitable<std::optional<ReadRequest>> RequestReader::Next() {
  const bool began = co_await incoming_.MoreThan(0, Clock::now() + kIdleTimeout);
  if (!began) co_return std::nullopt;
  Draft draft;
  draft.parser.header_limit(limits_.max_header_bytes);
  draft.parser.body_limit(limits_.max_body_bytes);
  draft.parser.eager(true);
  draft.lease = BodyLease(limits_.bodies);
  const Part part = co_await Parse(draft);
  if (part == Part::kGone) co_return std::nullopt;
  ReadRequest request{.question = {}, .refusal = std::move(draft.refusal), .manner = {}};
  request.manner.keep_alive = part == Part::kWhole && draft.parser.get().keep_alive();
  if (draft.parser.is_header_done()) {
    request.question = ToQuestion(draft.parser.get());
    request.manner.version = draft.parser.get().version();
  }
  request.manner.head_only = request.question.method == "HEAD";
  if (part == Part::kWhole) {
    request.question.body = {std::move(draft.parser.get().body()), std::move(draft.lease)};
  }
  co_return request;
}

asio::awaitable<RequestReader::Part> RequestReader::Parse(Draft& draft) {
  Clock::time_point deadline = Clock::now() + kHeaderTimeout;
  num_seen_ = 0;
  bool had_header = false;
  while (true) {
    const bool more = co_await incoming_.MoreThan(num_seen_, deadline);
    if (!more) co_return Part::kGone;
    if (!had_header) SkipEmptyLines();
    Part part = TakeBytes(draft);
    if (part == Part::kRefused) co_return part;
    if (draft.parser.is_header_done() && !had_header) {
      had_header = true;
      deadline = Clock::now() + kBodyTimeout;
      const Part head = co_await TakeHead(draft);
      if (head != Part::kMore) co_return head;
    }
    if (part == Part::kWhole) co_return part;
  }
}

// Gives the parser what has come.
RequestReader::Part RequestReader::TakeBytes(Draft& draft) {
  error_code error;
  if (num_seen_ >= Incoming::kMostBytes) {  // one line that will never fit
    error = http::error::bad_chunk_extension;
  } else {
    const std::size_t num_taken = draft.parser.put(incoming_.bytes(), error);
    incoming_.Take(num_taken);
    num_seen_ = error == http::error::need_more ? incoming_.size() : 0;
  }
  if (error && error != http::error::need_more) {
    draft.refusal = RefusalOf(error);
  } else if (!draft.lease.Hold(draft.parser.get().body().size())) {
    draft.refusal = NoRoomForBody();
  }
  if (draft.refusal) return Part::kRefused;
  return draft.parser.is_done() ? Part::kWhole : Part::kMore;
}

// Whether the body is to come; says so to a client that asks before it sends a large one.
asio::awaitable<RequestReader::Part> RequestReader::TakeHead(Draft& draft) {
  const HttpRequest& head = draft.parser.get();
  draft.refusal = RefusalOf(head);
  if (!draft.refusal) draft.refusal = admit_(ToQuestion(head));
  const std::uint64_t length = draft.parser.content_length().value_or(0);
  if (!draft.refusal && !draft.lease.Hold(length)) draft.refusal = NoRoomForBody();
  if (draft.refusal) co_return Part::kRefused;
  const bool asks = !head[http::field::expect].empty();
  if (draft.parser.is_done() || !asks) co_return Part::kMore;
  const bool sent = co_await writer_.Write("HTTP/1.1 100 Continue\r\n\r\n");
  co_return sent ? Part::kMore : Part::kGone;
}

// Some clients end a body with a line that is not theirs to send (RFC 9112, 2.2).
void RequestReader::SkipEmptyLines() {
  const asio::const_buffer bytes = incoming_.bytes();
  const auto* const text = static_cast<const char*>(bytes.data());
  std::size_t size = 0;
  while (size + 1 < bytes.size() && text[size] == '\r' && text[size + 1] == '\n') size += 2;
  if (size > 0) incoming_.Take(size);
}

}  // namespace espalier
