#include "runtime/server/server.h"

#include <sys/resource.h>

#include <array>
#include <csignal>
#include <exception>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include "runtime/server/access_log.h"
#include "runtime/server/api_error.h"
#include "runtime/server/programs/programs.h"
#include "runtime/server/router.h"
#include "runtime/server/wire/notifier.h"

namespace espalier {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::seconds kLastWords(2);  // for what is told at the end of a drain
constexpr int kMostRefusals = 64;              // of connections, at a time
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
        changed_(io_.get_executor()),
        events_(io_, service.model().events().fd()),
        taker_{.admit = [this](const HttpQuestion& head) { return Admit(service_, head); },
               .see = [this](HttpExchange& exchange) { See(exchange); },
               .take = [this](const Exchange& exchange) { Take(exchange); },
               .warn = [this](std::string_view what) { service_.Warn(what); }} {
    service_.SetPoster([this](std::function<void()> work) {
      asio::post(io_, [this, work = std::move(work)] { Guarded(work); });
    });
  }
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
    if (error) return Failed(fmt::format("{}:{}", options_.host, options_.port), error);
    signals_.add(SIGINT, error);
    signals_.add(SIGTERM, error);
    return Status();
  }

  std::string address() const {
    error_code ignored;
    const tcp::endpoint endpoint = acceptor_.local_endpoint(ignored);
    const std::string host = endpoint.address().to_string();
    return fmt::format("{}://{}:{}", tls_ ? "https" : "http",
                       endpoint.address().is_v6() ? "[" + host + "]" : host, endpoint.port());
  }

  void Run() {
    Spawn(Accept());
    Spawn(WatchEngine());
    Spawn(WatchSignals());
    Spawn(WatchDelay());
    if (options_.watch_interval.count() > 0) Spawn(WatchPrograms());
    io_.run();
  }

 private:
  void Spawn(asio::awaitable<void> coroutine) {
    asio::co_spawn(io_, std::move(coroutine), [this](const std::exception_ptr& error) {
      if (error) Guarded([&] { std::rethrow_exception(error); });
    });
  }

  // Whether `work` went through; what it throws is our fault, and stops nobody else.
  template <typename Work>
  bool Guarded(const Work& work) {
    try {
      work();
      return true;
    } catch (const std::exception& error) {
      service_.Warn(error.what());
      return false;
    }
  }

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
      Serve(std::move(socket));
    }
  }

  void Serve(tcp::socket socket) {
    error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    if (num_connections_ < options_.max_connections) {
      ++num_connections_;
      ServeConnection(std::move(socket), tls_ ? &*tls_ : nullptr, options_.limits, taker_,
                      [this] { --num_connections_; });
    } else if (!tls_ && num_refusals_ < kMostRefusals) {
      Spawn(RefuseConnection(std::move(socket)));
    }
  }

  // Reads a little: a socket closed over unread bytes would take the answer back.
  asio::awaitable<void> RefuseConnection(tcp::socket socket) {
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

  void See(HttpExchange& exchange) {
    ++num_exchanges_;
    exchange.OnEnd([this, start = std::chrono::steady_clock::now()](const HttpExchange& ended) {
      --num_exchanges_;
      service_.metrics().CountAnswer(ended.answer() ? ended.answer()->status : 0);
      if (options_.access_log) options_.access_log(AccessLine(ended, start));
      changed_.Notify();
    });
  }

  void Take(const Exchange& exchange) {
    if (!Guarded([&] { Dispatch(service_, exchange); }) && !exchange->answered()) {
      exchange->Answer(ErrorAnswer(Status(Code::kInternal, "the server has a fault")));
    }
    // Sends what was submitted to the engine; what that turns away at once is told from the
    // loop, not from inside the call.
    asio::post(io_, [this] { Poll(); });
  }

  void Poll() {
    Guarded([this] { service_.client().Poll(); });
  }

  asio::awaitable<void> WatchEngine() {
    while (true) {
      auto [error] = co_await events_.async_wait(asio::posix::stream_descriptor::wait_read, kAwait);
      if (error) co_return;
      Poll();
    }
  }

  // How late a timer is, of which each is set when the last has come: rarely, where there is
  // nothing to do.
  asio::awaitable<void> WatchDelay() {
    constexpr std::chrono::milliseconds kBusyInterval{10}, kIdleInterval{1000};
    asio::steady_timer timer(io_);
    while (true) {
      timer.expires_after(service_.idle() ? kIdleInterval : kBusyInterval);
      auto [error] = co_await timer.async_wait(kAwait);
      if (error) co_return;
      const auto late = std::chrono::steady_clock::now() - timer.expiry();
      service_.metrics().loop_delay_s.Add(std::chrono::duration<double>(late).count());
    }
  }

  asio::awaitable<void> WatchPrograms() {
    asio::steady_timer timer(io_);
    while (!service_.draining()) {
      timer.expires_after(options_.watch_interval);
      co_await timer.async_wait(kAwait);
      service_.programs().LookForChanges();
    }
  }

  asio::awaitable<void> WatchSignals() {
    auto [error, first] = co_await signals_.async_wait(kAwait);
    if (error) co_return;
    signals_.async_wait([this](const error_code& stopped, int) {
      if (!stopped) io_.stop();
    });
    service_.SetPhase(Service::Phase::kLeaving);
    asio::steady_timer delay(io_, options_.drain_delay);
    co_await delay.async_wait(kAwait);
    service_.SetPhase(Service::Phase::kDraining);
    const bool left = co_await AllLeftBy(std::chrono::steady_clock::now() + options_.drain_timeout);
    if (!left) {
      service_.Abort("");
      co_await AllLeftBy(std::chrono::steady_clock::now() + kLastWords);
    }
    io_.stop();
  }

  // Whether all answers have left by then.
  asio::awaitable<bool> AllLeftBy(std::chrono::steady_clock::time_point deadline) {
    while (num_exchanges_ > 0 && std::chrono::steady_clock::now() < deadline) {
      co_await changed_.WaitUntil(deadline);
    }
    co_return num_exchanges_ == 0;
  }

  Service& service_;
  const ServerOptions options_;
  std::optional<asio::ssl::context> tls_;
  int num_connections_ = 0;
  int num_exchanges_ = 0;  // whose answers have not left
  int num_refusals_ = 0;
  asio::io_context io_{1};
  tcp::acceptor acceptor_;
  asio::signal_set signals_;
  Notifier changed_;  // for who waits for exchanges to end
  asio::posix::stream_descriptor events_;
  const RequestTaker taker_;
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
