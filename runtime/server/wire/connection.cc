#include "runtime/server/wire/connection.h"

#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>

#include "runtime/server/wire/answer_writer.h"
#include "runtime/server/wire/byte_stream.h"
#include "runtime/server/wire/incoming.h"
#include "runtime/server/wire/stall_guard.h"

namespace espalier {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;
using std::chrono::seconds;

constexpr seconds kHandshakeTimeout{10};
constexpr seconds kLingerTimeout{2};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(std::unique_ptr<ByteStream> stream, const ConnectionLimits& limits,
             const RequestTaker& taker, std::function<void()> on_closed)
      : stream_(std::move(stream)),
        taker_(taker),
        on_closed_(std::move(on_closed)),
        guard_(stream_->socket().get_executor(), [this] { Close(); }),
        incoming_(*stream_),
        writer_(*stream_, guard_),
        limits_(limits),
        reader_(incoming_, writer_, limits_, taker.admit) {}
  ~Connection() { on_closed_(); }

  void Start() { Spawn(Serve(shared_from_this())); }

 private:
  using Self = std::shared_ptr<Connection>;

  // A coroutine that ends by an exception, which is a fault of ours, ends the connection
  // and no other.
  void Spawn(asio::awaitable<void> coroutine) {
    asio::co_spawn(stream_->socket().get_executor(), std::move(coroutine),
                   [self = shared_from_this()](const std::exception_ptr& error) {
                     if (error) self->CloseAtFault(error);
                   });
  }

  void CloseAtFault(const std::exception_ptr& error) {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& what) {
      taker_.warn(what.what());
    }
    MarkGone();
    Close();
  }

  void Close() {
    error_code ignored;
    stream_->socket().close(ignored);
    incoming_.Wake();
  }

  void MarkGone() {
    if (exchange_) exchange_->MarkGone();
  }

  asio::awaitable<void> Serve(Self self) {
    guard_.Begin(kHandshakeTimeout);
    bool open = co_await stream_->Handshake();
    guard_.End();
    if (open) {
      Spawn(ReadAhead(self));
      while (open) open = co_await ServeOne();
      co_await Linger();
    }
    Close();
  }

  asio::awaitable<void> ReadAhead(Self self) {
    std::function<void()> on_end = [self] { self->MarkGone(); };
    co_await incoming_.Fill(std::move(on_end));
  }

  // One request and its answer. False if the connection is to be closed then.
  asio::awaitable<bool> ServeOne() {
    std::optional<ReadRequest> request = co_await reader_.Next();
    if (!request) co_return false;
    exchange_ =
        std::make_shared<HttpExchange>(std::move(request->question), [weak = weak_from_this()] {
          if (const Self self = weak.lock()) self->writer_.Wake();
        });
    taker_.see(*exchange_);
    if (request->refusal) {
      exchange_->Answer(*std::move(request->refusal));
    } else {
      taker_.take(exchange_);
    }
    if (incoming_.at_end() && !exchange_->answered()) MarkGone();
    const bool goes_on = co_await writer_.Send(*exchange_, request->manner);
    exchange_.reset();
    co_return goes_on;
  }

  // Says that nothing more comes, and lets the client read what was sent: a socket closed
  // over unread bytes resets the connection, and the client would lose the answer.
  asio::awaitable<void> Linger() {
    error_code ignored;
    if (!stream_->socket().is_open()) co_return;
    const Clock::time_point deadline = Clock::now() + kLingerTimeout;
    guard_.Begin(kLingerTimeout);
    co_await stream_->SayGoodbye();
    guard_.End();
    stream_->socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
    while (!incoming_.at_end() && Clock::now() < deadline) {
      incoming_.Take(incoming_.size());
      co_await incoming_.Wait(deadline);
    }
  }

  const std::unique_ptr<ByteStream> stream_;
  const RequestTaker& taker_;
  const std::function<void()> on_closed_;
  StallGuard guard_;
  Incoming incoming_;
  AnswerWriter writer_;
  const ConnectionLimits limits_;
  RequestReader reader_;
  std::shared_ptr<HttpExchange> exchange_;  // that is being answered
};

}  // namespace

void ServeConnection(asio::ip::tcp::socket socket, asio::ssl::context* tls,
                     const ConnectionLimits& limits, const RequestTaker& taker,
                     std::function<void()> on_closed) {
  std::make_shared<Connection>(MakeByteStream(std::move(socket), tls), limits, taker,
                               std::move(on_closed))
      ->Start();
}

}  // namespace espalier
