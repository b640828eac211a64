#include "runtime/server/wire/byte_stream.h"

#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace espalier {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);

class PlainStream final : public ByteStream {
 public:
  explicit PlainStream(Socket socket) : socket_(std::move(socket)) {
    error_code ignored;
    socket_.non_blocking(true, ignored);
  }

  Awaitable<std::size_t> ReadSome(asio::mutable_buffer to) override {
    auto [error, num_bytes] = co_await socket_.async_read_some(to, kAwait);
    co_return error ? 0 : num_bytes;
  }
  Awaitable<std::size_t> WriteSome(std::string_view text) override {
    auto [error, num_bytes] =
        co_await socket_.async_write_some(asio::buffer(text.data(), text.size()), kAwait);
    co_return error ? 0 : num_bytes;
  }
  std::size_t WriteNow(std::string_view text) override {
    error_code would_block;
    return socket_.write_some(asio::buffer(text.data(), text.size()), would_block);
  }
  Awaitable<bool> Handshake() override { co_return true; }
  Awaitable<void> SayGoodbye() override { co_return; }
  Socket& socket() override { return socket_; }

 private:
  Socket socket_;
};

class TlsStream final : public ByteStream {
 public:
  TlsStream(Socket socket, asio::ssl::context& tls) : stream_(std::move(socket), tls) {}

  Awaitable<std::size_t> ReadSome(asio::mutable_buffer to) override {
    auto [error, num_bytes] = co_await stream_.async_read_some(to, kAwait);
    co_return error ? 0 : num_bytes;
  }
  Awaitable<std::size_t> WriteSome(std::string_view text) override {
    auto [error, num_bytes] =
        co_await stream_.async_write_some(asio::buffer(text.data(), text.size()), kAwait);
    co_return error ? 0 : num_bytes;
  }
  std::size_t WriteNow(std::string_view /*text*/) override { return 0; }
  Awaitable<bool> Handshake() override {
    auto [error] = co_await stream_.async_handshake(asio::ssl::stream_base::server, kAwait);
    co_return !error;
  }
  Awaitable<void> SayGoodbye() override { co_await stream_.async_shutdown(kAwait); }
  Socket& socket() override { return stream_.next_layer(); }

 private:
  asio::ssl::stream<Socket> stream_;
};

}  // namespace

std::unique_ptr<ByteStream> MakeByteStream(ByteStream::Socket socket, asio::ssl::context* tls) {
  if (tls == nullptr) return std::make_unique<PlainStream>(std::move(socket));
  return std::make_unique<TlsStream>(std::move(socket), *tls);
}

}  // namespace espalier
