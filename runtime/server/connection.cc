#include "runtime/server/connection.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/stream_traits.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/ssl.hpp>

#include "runtime/server/http_text.h"
#include "runtime/server/notifier.h"

namespace espalier {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kMaxReadAheadBytes = 64 << 10;
constexpr std::size_t kMostJoinedBytes = 16 << 10;  // a small body leaves with its header
constexpr milliseconds kLookInterval{200};
constexpr seconds kHandshakeTimeout{10};
constexpr seconds kHeaderTimeout{30};
constexpr seconds kBodyTimeout{120};
constexpr seconds kIdleTimeout{120};
constexpr seconds kWriteTimeout{60};
constexpr seconds kLingerTimeout{2};

template <typename Stream>
class Connection : public std::enable_shared_from_this<Connection<Stream>> {
 public:
  Connection(Stream stream, const ConnectionLimits& limits, const RequestTaker& taker,
             std::function<void()> on_closed)
      : stream_(std::move(stream)),
        limits_(limits),
        taker_(taker),
        on_closed_(std::move(on_closed)),
        news_(stream_.get_executor()),
        room_(stream_.get_executor()),
        stall_(stream_.get_executor()) {}
  ~Connection() { on_closed_(); }

  void Start() { Spawn(Serve(this->shared_from_this())); }

 private:
  using Self = std::shared_ptr<Connection>;

  auto& socket() { return beast::get_lowest_layer(stream_); }

  // A coroutine that ends by an exception, which is a fault of ours, ends the connection
  // and no other.
  void Spawn(asio::awaitable<void> coroutine) {
    asio::co_spawn(stream_.get_executor(), std::move(coroutine),
                   [self = this->shared_from_this()](std::exception_ptr error) {
                     if (error) self->CloseAtFault(error);
                   });
  }

  void CloseAtFault(const std::exception_ptr& error) {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& what) {
      taker_.warn(what.what());
    }
    if (exchange_) exchange_->MarkGone();
    Close();
  }

  void Close() {
    error_code ignored;
    socket().close(ignored);
    room_.Notify();
  }

  asio::awaitable<void> Serve(Self self) {
    bool open = co_await Handshake();
    if (open) {
      Spawn(ReadAhead(self));
      while (open) open = co_await ServeOne();
      co_await Linger();
    }
    Close();
  }

  asio::awaitable<bool> Handshake() {
    if constexpr (std::is_same_v<Stream, asio::ip::tcp::socket>) {
      co_return true;
    } else {
      CloseAfter(kHandshakeTimeout);
      auto [error] = co_await stream_.async_handshake(asio::ssl::stream_base::server, kAwait);
      EndStall();
      co_return !error;
    }
  }

  // Fills the buffer as far as it may, until the client closes or fails. It reads beside the
  // buffer, since the other coroutine takes from that meanwhile.
  asio::awaitable<void> ReadAhead(Self /*keeps it alive*/) {
    while (socket().is_open()) {
      if (buffer_.size() >= kMaxReadAheadBytes) {
        co_await room_.WaitUntil(Clock::now() + kLookInterval);
        if (HasHungUp()) break;
        continue;
      }
      auto [error, num_read] = co_await stream_.async_read_some(asio::buffer(incoming_), kAwait);
      if (error) break;
      buffer_.commit(asio::buffer_copy(buffer_.prepare(num_read), asio::buffer(incoming_)));
      news_.Notify();
    }
    at_end_ = true;
    if (exchange_) exchange_->MarkGone();
    news_.Notify();
  }

  // Whether the client has gone, though it left more than we read ahead.
  bool HasHungUp() {
    pollfd state{.fd = socket().native_handle(), .events = POLLRDHUP, .revents = 0};
    return buffer_.size() >= kMaxReadAheadBytes && poll(&state, 1, 0) > 0;
  }

  // More bytes than `known`, or the end, or the deadline.
  asio::awaitable<bool> MoreThan(std::size_t known, Clock::time_point deadline) {
    while (buffer_.size() <= known) {
      if (at_end_) co_return false;
      const bool notified = co_await news_.WaitUntil(deadline);
      if (!notified && Clock::now() >= deadline) co_return false;
    }
    co_return true;
  }

  // One request and its answer. False if the connection is to be closed then.
  asio::awaitable<bool> ServeOne() {
    const bool began = co_await MoreThan(0, Clock::now() + kIdleTimeout);
    if (!began) co_return false;
    HttpParser parser;
    parser.header_limit(limits_.max_header_bytes);
    parser.body_limit(limits_.max_body_bytes);
    refusal_.reset();
    const bool whole = co_await Parse(parser);
    if (!whole && !refusal_) co_return false;
    const bool keep_alive = whole && parser.get().keep_alive();
    const unsigned version = parser.is_header_done() ? parser.get().version() : 11;
    HttpQuestion question;
    if (parser.is_header_done()) question = ToQuestion(parser.get());
    is_head_ = question.method == "HEAD";
    if (whole) question.body = std::move(parser.get().body());
    exchange_ = NewExchange(std::move(question));
    taker_.see(*exchange_);
    if (refusal_) {
      exchange_->Answer(*std::move(refusal_));
    } else {
      taker_.take(exchange_);
    }
    if (at_end_ && !exchange_->answered()) exchange_->MarkGone();
    const bool sent = co_await SendAnswer(version, keep_alive);
    exchange_.reset();
    co_return sent&& keep_alive;
  }

  std::shared_ptr<HttpExchange> NewExchange(HttpQuestion question) {
    return std::make_shared<HttpExchange>(std::move(question), [weak = this->weak_from_this()] {
      if (const Self self = weak.lock()) self->news_.Notify();
    });
  }

  // False if the client went or was too slow, or, with a refusal_, is to be refused.
  asio::awaitable<bool> Parse(HttpParser& parser) {
    Clock::time_point deadline = Clock::now() + kHeaderTimeout;
    bool had_header = false;
    std::size_t known = 0;  // bytes that the parser has seen and not taken
    parser.eager(true);
    while (!parser.is_done()) {
      const bool more = co_await MoreThan(known, deadline);
      if (!more) co_return false;
      if (known >= kMaxReadAheadBytes) {  // one line that will never fit
        refusal_ = RefusalOf(error_code(http::error::bad_chunk_extension));
        co_return false;
      }
      if (!had_header) SkipEmptyLines();
      error_code error;
      const std::size_t taken = parser.put(buffer_.data(), error);
      buffer_.consume(taken);
      room_.Notify();
      known = error == http::error::need_more ? buffer_.size() : 0;
      if (error && error != http::error::need_more) {
        refusal_ = RefusalOf(error);
        co_return false;
      }
      if (!parser.is_header_done() || had_header) continue;
      had_header = true;
      deadline = Clock::now() + kBodyTimeout;
      const bool goes_on = co_await TakeHead(parser);
      if (!goes_on) co_return false;
    }
    co_return true;
  }

  // Some clients end a body with a line that is not theirs to send (RFC 9112, 2.2).
  void SkipEmptyLines() {
    const auto bytes = buffer_.data();
    const auto* const text = static_cast<const char*>(bytes.data());
    std::size_t size = 0;
    while (size + 1 < bytes.size() && text[size] == '\r' && text[size + 1] == '\n') size += 2;
    buffer_.consume(size);
  }

  // Whether the body is to come; says so to a client that asks before it sends a large one.
  asio::awaitable<bool> TakeHead(const HttpParser& parser) {
    refusal_ = RefusalOf(parser.get());
    if (!refusal_) refusal_ = taker_.admit(ToQuestion(parser.get()));
    if (refusal_) co_return false;
    if (parser.is_done() || parser.get()[http::field::expect].empty()) co_return true;
    const bool sent = co_await Write("HTTP/1.1 100 Continue\r\n\r\n");
    co_return sent;
  }

  // False if it cannot be sent, or the client takes nothing of it for kWriteTimeout.
  asio::awaitable<bool> Write(std::string_view text) {
    while (!text.empty()) {
      CloseAfter(kWriteTimeout);
      auto [error, num_written] =
          co_await stream_.async_write_some(asio::buffer(text.data(), text.size()), kAwait);
      EndStall();
      if (error) co_return false;
      text.remove_prefix(num_written);
    }
    co_return true;
  }

  // A timer that has fired may have its turn after what it watched has ended: it then
  // watches something else by now.
  void CloseAfter(seconds time) {
    stall_.expires_after(time);
    stall_.async_wait(
        [weak = this->weak_from_this(), stall = ++num_stalls_](const error_code& error) {
          const Self self = weak.lock();
          if (!error && self && self->num_stalls_ == stall) self->Close();
        });
  }
  void EndStall() {
    ++num_stalls_;
    stall_.cancel();
  }

  // False if it could not be sent whole.
  asio::awaitable<bool> SendAnswer(unsigned version, bool keep_alive) {
    while (!exchange_->answer() && !exchange_->gone()) co_await news_.Wait();
    if (exchange_->gone()) co_return false;
    if (!exchange_->streams()) {
      const bool sent = co_await SendWhole(version, keep_alive);
      co_return sent;
    }
    const bool sent = co_await SendStream(version, keep_alive);
    co_return sent;
  }

  asio::awaitable<bool> SendWhole(unsigned version, bool keep_alive) {
    const HttpAnswer& answer = *exchange_->answer();
    std::string head = HeadText(answer, {version, keep_alive, answer.body.size()});
    const std::string_view body = is_head_ ? std::string_view() : answer.body;
    const bool joined = body.size() <= kMostJoinedBytes;
    if (joined) head += body;
    bool sent = co_await Write(head);
    if (sent && !joined) sent = co_await Write(body);
    co_return sent;
  }

  // A client of HTTP/1.0 knows no chunks: the stream's end is the connection's.
  asio::awaitable<bool> SendStream(unsigned version, bool keep_alive) {
    const bool chunked = version >= 11;
    // A temporary in a co_await's operand is destroyed twice by GCC 12, if it is made by ?:.
    const std::string head =
        HeadText(*exchange_->answer(), {version, keep_alive && chunked, std::nullopt});
    bool open = co_await Write(head);
    while (open && !exchange_->gone()) {
      const std::string text = exchange_->TakeBacklog();
      if (!text.empty()) {
        const std::string piece = chunked ? ChunkText(text) : text;
        open = co_await Write(piece);
      } else if (exchange_->ended()) {
        if (chunked) open = co_await Write(kLastChunk);
        co_return open&& chunked;
      } else {
        co_await news_.Wait();
      }
    }
    exchange_->MarkGone();
    co_return false;
  }

  // Says that nothing more comes, and lets the client read what was sent: a socket closed
  // over unread bytes resets the connection, and the client would lose the answer.
  asio::awaitable<void> Linger() {
    error_code ignored;
    if (!socket().is_open()) co_return;
    const Clock::time_point deadline = Clock::now() + kLingerTimeout;
    if constexpr (!std::is_same_v<Stream, asio::ip::tcp::socket>) {
      CloseAfter(kLingerTimeout);
      co_await stream_.async_shutdown(kAwait);  // close_notify: what was sent was all
      EndStall();
    }
    socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
    while (!at_end_ && Clock::now() < deadline) {
      buffer_.consume(buffer_.size());
      room_.Notify();
      co_await news_.WaitUntil(deadline);
    }
  }

  Stream stream_;
  const ConnectionLimits limits_;
  const RequestTaker& taker_;
  const std::function<void()> on_closed_;
  std::array<char, 8 << 10> incoming_;
  beast::flat_buffer buffer_;  // read and not parsed
  Notifier news_;              // for the coroutine that serves
  Notifier room_;              // for the one that reads ahead
  asio::steady_timer stall_;
  std::uint64_t num_stalls_ = 0;
  std::shared_ptr<HttpExchange> exchange_;
  std::optional<HttpAnswer> refusal_;  // of the request that is being read
  bool is_head_ = false;
  bool at_end_ = false;  // nothing more comes from the client
};

}  // namespace

void ServeConnection(asio::ip::tcp::socket socket, asio::ssl::context* tls,
                     const ConnectionLimits& limits, const RequestTaker& taker,
                     std::function<void()> on_closed) {
  if (tls == nullptr) {
    std::make_shared<Connection<asio::ip::tcp::socket>>(std::move(socket), limits, taker,
                                                        std::move(on_closed))
        ->Start();
    return;
  }
  using Secure = asio::ssl::stream<asio::ip::tcp::socket>;
  std::make_shared<Connection<Secure>>(Secure(std::move(socket), *tls), limits, taker,
                                       std::move(on_closed))
      ->Start();
}

}  // namespace espalier
