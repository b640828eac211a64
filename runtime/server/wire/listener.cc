#include "runtime/server/wire/listener.h"

#include <sys/resource.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <exception>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace espalier {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);
constexpr int kMostRefusals = 64;  // at a time
constexpr std::string_view kFull =
    "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nRetry-After: 1\r\n"
    "Connection: close\r\n\r\n";

Status Failed(std::string what, const error_code& error) {
  return {Code::kInvalidArgument, fmt::format("{}: {}", what, error.message())};
}

// A socket a connection: as many as the system lets this process have.
void RaiseFileLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

Status Listener::Open() {
  RaiseFileLimit();
  ESP_RETURN_IF_ERROR(OpenTls());
  error_code error;
  const asio::ip::address host =
      asio::ip::make_address(options_.host == "localhost" ? "127.0.0.1" : options_.host, error);
  if (error) return Failed(fmt::format("--host {}", options_.host), error);
  const tcp::endpoint endpoint(host, static_cast<std::uint16_t>(options_.port));
  acceptor_.open(endpoint.protocol(), error);
  if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor_.bind(endpoint, error);
  if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
  if (error) return Failed(fmt::format("{}:{}", options_.host, options_.port), error);
  return Status();
}

Status Listener::OpenTls() {
  if (options_.tls_certificate.empty()) return Status();
  error_code error;
  tls_.emplace(asio::ssl::context::tls_server);
  tls_->use_certificate_chain_file(options_.tls_certificate, error);
  if (error) return Failed("--tls-certificate " + options_.tls_certificate, error);
  tls_->use_private_key_file(options_.tls_key, asio::ssl::context::pem, error);
  return error ? Failed("--tls-key " + options_.tls_key, error) : Status();
}

std::string Listener::address() const {
  error_code ignored;
  const tcp::endpoint endpoint = acceptor_.local_endpoint(ignored);
  const std::string host = endpoint.address().to_string();
  return fmt::format("{}://{}:{}", tls_ ? "https" : "http",
                     endpoint.address().is_v6() ? "[" + host + "]" : host, endpoint.port());
}

asio::awaitable<void> Listener::Accept() {
  while (acceptor_.is_open()) {
    auto [error, socket] = co_await acceptor_.async_accept(kAwait);
    if (error == asio::error::operation_aborted) co_return;
    if (error) {  // such as no file descriptor being left: until a connection closes
      asio::steady_timer pause(io_, std::chrono::milliseconds(100));
      co_await pause.async_wait(kAwait);
      continue;
    }
    Serve(std::move(socket));
  }
}

void Listener::Serve(tcp::socket socket) {
  error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  if (*num_connections_ < options_.max_connections) {
    ++*num_connections_;
    ServeConnection(std::move(socket), tls_ ? &*tls_ : nullptr, options_.limits, taker_,
                    [count = num_connections_] { --*count; });
  } else if (!tls_ && num_refusals_ < kMostRefusals) {
    asio::co_spawn(io_, Refuse(std::move(socket)), [](const std::exception_ptr& /*it is gone*/) {});
  }
}

// Reads a little: a socket closed over unread bytes would take the answer back.
asio::awaitable<void> Listener::Refuse(tcp::socket socket) {
  ++num_refusals_;
  error_code ignored;
  socket.non_blocking(true, ignored);
  socket.write_some(asio::buffer(kFull), ignored);
  socket.shutdown(tcp::socket::shutdown_send, ignored);
  asio::steady_timer deadline(io_, std::chrono::seconds(1));
  deadline.async_wait([&socket](const error_code& error) {
    error_code closed;
    if (!error) socket.close(closed);
  });
  std::array<char, 1024> unread;
  while (true) {
    auto [error, num_read] = co_await socket.async_read_some(asio::buffer(unread), kAwait);
    if (error) break;
  }
  deadline.cancel();
  --num_refusals_;
}

}  // namespace espalier
