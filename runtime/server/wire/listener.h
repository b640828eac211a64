// Listener: the port, and the connections that come through it.
//
// At most max_connections are open; a further one is answered 503 and closed.
//
// Thread safety: io thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>

#include "kernels/base/status.h"
#include "runtime/server/wire/connection.h"

namespace espalier {

struct ListenerOptions {
  std::string host = "127.0.0.1";
  int port = 30000;  // 0: any
  int max_connections = 4096;
  std::string tls_certificate, tls_key;  // PEM files; both or none
  ConnectionLimits limits = {};
};

class Listener {
 public:
  // `io` and `taker` must outlive it.
  Listener(boost::asio::io_context& io, ListenerOptions options, const RequestTaker& taker)
      : io_(io), options_(std::move(options)), taker_(taker), acceptor_(io) {}

  // Opens the port: who connects waits until Accept. kInvalidArgument if it, or a TLS file,
  // cannot be used.
  Status Open();
  // "http://127.0.0.1:30000"
  std::string address() const;

  // Serves all who connect.
  boost::asio::awaitable<void> Accept();

 private:
  Status OpenTls();
  void Serve(boost::asio::ip::tcp::socket socket);
  boost::asio::awaitable<void> Refuse(boost::asio::ip::tcp::socket socket);

  boost::asio::io_context& io_;
  const ListenerOptions options_;
  const RequestTaker& taker_;
  std::optional<boost::asio::ssl::context> tls_;
  boost::asio::ip::tcp::acceptor acceptor_;
  int num_refusals_ = 0;  // under way
  // Connections close after the listener, when the loop ends.
  const std::shared_ptr<int> num_connections_ = std::make_shared<int>(0);
};

}  // namespace espalier
