#include "runtime/server/connection.h"

#include <array>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>

#include "runtime/server/api_error.h"
#include "runtime/server/notifier.h"
#include "runtime/server/request_id.h"

namespace espalier {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;
using std::chrono::seconds;

constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kMaxReadAheadBytes = 64 << 10;
constexpr seconds kHandshakeTimeout{10};
constexpr seconds kHeaderTimeout{30};
constexpr seconds kBodyTimeout{120};
constexpr seconds kIdleTimeout{120};
constexpr seconds kWriteTimeout{60};

using Parser = http::request_parser<http::string_body>;

std::string Header(const Parser::value_type& message, std::string_view name) {
  return std::string(message[name]);
}

HttpQuestion ToQuestion(Parser::value_type message) {
  HttpQuestion question;
  question.method = std::string(message.method_string());
  const std::string_view target(message.target().data(), message.target().size());
  const std::size_t mark = target.find('?');
  question.path = target.substr(0, mark);
  if (mark != std::string_view::npos) question.query = target.substr(mark + 1);
  question.content_type = Header(message, "Content-Type");
  question.authorization = Header(message, "Authorization");
  question.origin = Header(message, "Origin");
  question.request_id = UsableRequestId(Header(message, "X-Request-Id"));
  question.body = std::move(message.body());
  return question;
}

// What a message that the parser gave up is answered with.
HttpAnswer Refusal(const error_code& error) {
  if (error == http::error::header_limit) {
    return ErrorAnswer({Code::kLimit, "the request's header is too large"}, 431);
  }
  if (error == http::error::body_limit) {
    return ErrorAnswer({Code::kLimit, "the request's body is too large"}, 413);
  }
  return ErrorAnswer({Code::kInvalidArgument, "not an HTTP/1.1 request: " + error.message()}, 400);
}

template <typename Stream>
class Connection : public std::enable_shared_from_this<Connection<Stream>> {
 public:
  Connection(Stream stream, const ConnectionLimits& limits, const RequestHandler& handler,
             std::function<void()> on_closed)
      : stream_(std::move(stream)),
        limits_(limits),
        handler_(handler),
        on_closed_(std::move(on_closed)),
        news_(stream_.get_executor()),
        room_(stream_.get_executor()),
        stall_(stream_.get_executor()) {}
  ~Connection() { on_closed_(); }

  void Start() {
    asio::co_spawn(stream_.get_executor(), Serve(this->shared_from_this()), asio::detached);
  }

 private:
  using Self = std::shared_ptr<Connection>;

  auto& socket() { return beast::get_lowest_layer(stream_); }

  void Close() {
    error_code ignored;
    socket().close(ignored);
    room_.Notify();
  }

  asio::awaitable<void> Serve(Self self) {
    bool open = co_await Handshake();
    if (open) {
      asio::co_spawn(stream_.get_executor(), ReadAhead(self), asio::detached);
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
      stall_.cancel();
      co_return !error;
    }
  }

  // Fills the buffer as far as it may, until the client closes or fails. It reads beside the
  // buffer, since the other coroutine takes from that meanwhile.
  asio::awaitable<void> ReadAhead(Self /*keeps it alive*/) {
    while (socket().is_open()) {
      if (buffer_.size() >= kMaxReadAheadBytes) {
        co_await room_.Wait();
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
    Parser parser;
    parser.header_limit(limits_.max_header_bytes);
    parser.body_limit(limits_.max_body_bytes);
    const std::optional<error_code> error = co_await Parse(parser);
    if (!error) co_return false;
    if (*error) {
      exchange_ = NewExchange({});
      exchange_->Answer(Refusal(*error));
      co_await SendAnswer(11, false);
      co_return false;
    }
    const bool keep_alive = parser.get().keep_alive();
    const unsigned version = parser.get().version();
    is_head_ = parser.get().method() == http::verb::head;
    exchange_ = NewExchange(ToQuestion(parser.release()));
    handler_(exchange_);
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

  // Unset if the client went or was too slow.
  asio::awaitable<std::optional<error_code>> Parse(Parser& parser) {
    Clock::time_point deadline = Clock::now() + kHeaderTimeout;
    bool had_header = false;
    std::size_t known = 0;  // bytes that the parser has seen and not taken
    parser.eager(true);
    while (!parser.is_done()) {
      const bool more = co_await MoreThan(known, deadline);
      if (!more) co_return std::nullopt;
      error_code error;
      const std::size_t taken = parser.put(buffer_.data(), error);
      buffer_.consume(taken);
      room_.Notify();
      known = 0;
      if (error == http::error::need_more) {
        error = {};
        known = buffer_.size();
      }
      if (error) co_return error;
      if (!parser.is_header_done() || had_header) continue;
      had_header = true;
      deadline = Clock::now() + kBodyTimeout;
      const bool continued = co_await SendContinue(parser);
      if (!continued) co_return std::nullopt;
    }
    co_return error_code();
  }

  // To a client that asks before it sends a large body.
  asio::awaitable<bool> SendContinue(const Parser& parser) {
    const auto expect = parser.get()[http::field::expect];
    if (parser.is_done() || !beast::iequals(expect, "100-continue")) co_return true;
    const bool sent =
        co_await Write(asio::buffer(std::string_view("HTTP/1.1 100 Continue\r\n\r\n")));
    co_return sent;
  }

  template <typename Buffers>
  asio::awaitable<bool> Write(Buffers buffers) {
    CloseAfter(kWriteTimeout);
    auto [error, num_written] = co_await asio::async_write(stream_, buffers, kAwait);
    stall_.cancel();
    co_return !error;
  }

  void CloseAfter(seconds time) {
    stall_.expires_after(time);
    stall_.async_wait([weak = this->weak_from_this()](const error_code& error) {
      const Self self = weak.lock();
      if (!error && self) self->Close();
    });
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

  template <typename Body>
  http::response<Body> Head(unsigned version, bool keep_alive) const {
    const HttpAnswer& answer = *exchange_->answer();
    http::response<Body> head;
    head.version(version);
    head.result(static_cast<unsigned>(answer.status));
    head.keep_alive(keep_alive);
    head.set(http::field::server, "espalier");
    head.set(http::field::content_type, answer.content_type);
    for (const auto& [name, value] : answer.headers) head.set(name, value);
    return head;
  }

  asio::awaitable<bool> SendWhole(unsigned version, bool keep_alive) {
    auto head = Head<http::string_body>(version, keep_alive);
    head.body() = exchange_->answer()->body;
    head.prepare_payload();
    if (is_head_) head.body().clear();
    http::serializer<false, http::string_body> serializer(head);
    CloseAfter(kWriteTimeout);
    auto [error, num_written] = co_await http::async_write(stream_, serializer, kAwait);
    stall_.cancel();
    co_return !error;
  }

  // A client of HTTP/1.0 knows no chunks: the stream's end is the connection's.
  asio::awaitable<bool> SendStream(unsigned version, bool keep_alive) {
    const bool chunked = version >= 11;
    auto head = Head<http::empty_body>(version, keep_alive && chunked);
    head.chunked(chunked);
    http::serializer<false, http::empty_body> serializer(head);
    CloseAfter(kWriteTimeout);
    auto [error, num_written] = co_await http::async_write_header(stream_, serializer, kAwait);
    stall_.cancel();
    bool open = !error;
    while (open && !exchange_->gone()) {
      const std::string text = exchange_->TakeBacklog();
      if (!text.empty()) {
        open = co_await SendPiece(text, chunked);
      } else if (exchange_->ended()) {
        if (chunked) open = co_await Write(http::make_chunk_last());
        co_return open&& chunked;
      } else {
        co_await news_.Wait();
      }
    }
    exchange_->MarkGone();
    co_return false;
  }

  asio::awaitable<bool> SendPiece(std::string_view text, bool chunked) {
    if (!chunked) {
      const bool sent = co_await Write(asio::buffer(text));
      co_return sent;
    }
    const bool sent = co_await Write(http::make_chunk(asio::buffer(text)));
    co_return sent;
  }

  // Says that nothing more comes, and lets the client read what was sent: a socket closed
  // over unread bytes resets the connection, and the client would lose the answer.
  asio::awaitable<void> Linger() {
    error_code ignored;
    if (!socket().is_open()) co_return;
    socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
    const Clock::time_point deadline = Clock::now() + seconds(2);
    while (!at_end_ && Clock::now() < deadline) {
      buffer_.consume(buffer_.size());
      room_.Notify();
      co_await news_.WaitUntil(deadline);
    }
  }

  Stream stream_;
  const ConnectionLimits limits_;
  const RequestHandler& handler_;
  const std::function<void()> on_closed_;
  std::array<char, 8 << 10> incoming_;
  beast::flat_buffer buffer_;  // read and not parsed
  Notifier news_;              // for the coroutine that serves
  Notifier room_;              // for the one that reads ahead
  asio::steady_timer stall_;
  std::shared_ptr<HttpExchange> exchange_;
  bool is_head_ = false;
  bool at_end_ = false;  // nothing more comes from the client
};

}  // namespace

void ServeConnection(asio::ip::tcp::socket socket, asio::ssl::context* tls,
                     const ConnectionLimits& limits, const RequestHandler& handler,
                     std::function<void()> on_closed) {
  if (tls == nullptr) {
    std::make_shared<Connection<asio::ip::tcp::socket>>(std::move(socket), limits, handler,
                                                        std::move(on_closed))
        ->Start();
    return;
  }
  using Secure = asio::ssl::stream<asio::ip::tcp::socket>;
  std::make_shared<Connection<Secure>>(Secure(std::move(socket), *tls), limits, handler,
                                       std::move(on_closed))
      ->Start();
}

}  // namespace espalier
