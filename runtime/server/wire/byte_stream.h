// ByteStream: a client's socket, plain or behind TLS.
//
// Thread safety: io thread only; one reader and one writer at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>

namespace espalier {

class ByteStream {
 public:
  using Socket = boost::asio::ip::tcp::socket;
  template <typename T>
  using Awaitable = boost::asio::awaitable<T>;

  // How many bytes went through; 0: it has ended, or failed.
  virtual Awaitable<std::size_t> ReadSome(boost::asio::mutable_buffer to) = 0;
  virtual Awaitable<std::size_t> WriteSome(std::string_view text) = 0;
  // How many go through without waiting, which may be none.
  virtual std::size_t WriteNow(std::string_view text) = 0;

  virtual Awaitable<bool> Handshake() = 0;   // comes first; false if it fails
  virtual Awaitable<void> SayGoodbye() = 0;  // that what was sent is all: TLS wants to know
  virtual Socket& socket() = 0;
  virtual ~ByteStream() = default;
};

// `tls` null: plain; else it must outlive the stream.
std::unique_ptr<ByteStream> MakeByteStream(ByteStream::Socket socket,
                                           boost::asio::ssl::context* tls);

}  // namespace espalier
