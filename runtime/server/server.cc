#include "runtime/server/server.h"

#include <sys/resource.h>

#include <csignal>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include "runtime/server/router.h"

namespace espalier {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);
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

class Server::Loop {
 public:
  Loop(Service& service, const ServerOptions& options)
      : service_(service),
        options_(options),
        acceptor_(io_),
        signals_(io_),
        deadline_(io_),
        events_(io_, service.model().event_fd()),
        handler_([this](Exchange exchange) { Handle(exchange); }) {}
  ~Loop() { events_.release(); }  // the model's own

  Status Open() {
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
    return error ? Failed(fmt::format("{}:{}", options_.host, options_.port), error) : Status();
  }

  std::string address() const {
    error_code ignored;
    const tcp::endpoint endpoint = acceptor_.local_endpoint(ignored);
    const std::string host = endpoint.address().to_string();
    return fmt::format("{}://{}:{}", tls_ ? "https" : "http",
                       endpoint.address().is_v6() ? "[" + host + "]" : host, endpoint.port());
  }

  void Run() {
    asio::co_spawn(io_, Accept(), asio::detached);
    asio::co_spawn(io_, WatchEngine(), asio::detached);
    asio::co_spawn(io_, WatchSignals(), asio::detached);
    io_.run();
  }

 private:
  Status OpenTls() {
    if (options_.tls_certificate.empty()) return Status();
    error_code error;
    tls_.emplace(asio::ssl::context::tls_server);
    tls_->use_certificate_chain_file(options_.tls_certificate, error);
    if (error) return Failed("--tls-certificate " + options_.tls_certificate, error);
    tls_->use_private_key_file(options_.tls_key, asio::ssl::context::pem, error);
    return error ? Failed("--tls-key " + options_.tls_key, error) : Status();
  }

  asio::awaitable<void> Accept() {
    while (acceptor_.is_open()) {
      auto [error, socket] = co_await acceptor_.async_accept(kAwait);
      if (error == asio::error::operation_aborted) co_return;
      if (error) {  // such as no file descriptor being left: until a connection closes
        asio::steady_timer pause(io_, std::chrono::milliseconds(100));
        co_await pause.async_wait(kAwait);
        continue;
      }
      Take(std::move(socket));
    }
  }

  void Take(tcp::socket socket) {
    error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    if (num_connections_ >= options_.max_connections) {
      socket.non_blocking(true, ignored);
      socket.write_some(asio::buffer(kFull), ignored);
      return;
    }
    ++num_connections_;
    ServeConnection(std::move(socket), tls_ ? &*tls_ : nullptr, options_.limits, handler_,
                    [this] { --num_connections_; });
  }

  void Handle(const Exchange& exchange) {
    Dispatch(service_, exchange);
    // Sends what was submitted to the engine; what that turns away at once is told from the
    // loop, not from inside the call.
    asio::post(io_, [this] { service_.client().Poll(); });
  }

  asio::awaitable<void> WatchEngine() {
    while (true) {
      auto [error] = co_await events_.async_wait(asio::posix::stream_descriptor::wait_read, kAwait);
      if (error) co_return;
      service_.client().Poll();
    }
  }

  asio::awaitable<void> WatchSignals() {
    error_code ignored;
    signals_.add(SIGINT, ignored);
    signals_.add(SIGTERM, ignored);
    auto [error, first] = co_await signals_.async_wait(kAwait);
    if (error) co_return;
    deadline_.expires_after(options_.drain_timeout);
    deadline_.async_wait([this](const error_code& stopped) {
      if (!stopped) io_.stop();
    });
    // Answers that are written by now still have to leave.
    service_.Drain([this] { asio::post(io_, [this] { StopSoon(); }); });
    co_await signals_.async_wait(kAwait);
    io_.stop();
  }

  void StopSoon() {
    if (!service_.idle()) return;
    deadline_.expires_after(std::chrono::milliseconds(200));
    deadline_.async_wait([this](const error_code& stopped) {
      if (!stopped) io_.stop();
    });
  }

  Service& service_;
  const ServerOptions options_;
  std::optional<asio::ssl::context> tls_;
  int num_connections_ = 0;
  asio::io_context io_{1};
  tcp::acceptor acceptor_;
  asio::signal_set signals_;
  asio::steady_timer deadline_;
  asio::posix::stream_descriptor events_;
  const RequestHandler handler_;
};

Server::Server(std::unique_ptr<Loop> loop) : loop_(std::move(loop)) {}
Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::Open(Service& service, const ServerOptions& options) {
  auto loop = std::make_unique<Loop>(service, options);
  ESP_RETURN_IF_ERROR(loop->Open());
  return std::unique_ptr<Server>(new Server(std::move(loop)));
}

std::string Server::address() const { return loop_->address(); }
void Server::Run() { loop_->Run(); }

}  // namespace espalier
