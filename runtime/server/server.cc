#include "runtime/server/server.h"

#include <csignal>
#include <exception>
#include <future>
#include <optional>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "runtime/server/access_log.h"
#include "runtime/server/api_error.h"
#include "runtime/server/programs/programs.h"
#include "runtime/server/router.h"
#include "runtime/server/wire/notifier.h"

namespace espalier {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::seconds kLastWords(2);  // for what is told at the end of a drain

// What a library throws there ends the server as any error does.
Result<Service*> LoadBy(const std::function<Result<Service*>()>& load) {
  try {
    return load();
  } catch (const std::exception& error) {
    return Status(Code::kInternal, error.what());
  }
}

// What there is to say before there is a service.
HttpAnswer LoadingAnswer(const HttpQuestion& head) {
  if (head.path == "/ping") return {.content_type = "text/plain; charset=utf-8", .body = "pong"};
  HttpAnswer answer = ErrorAnswer(Status(Code::kOverloaded, "the model is being loaded"));
  answer.status = 503;
  return answer;
}

}  // namespace

class Server::Loop {
 public:
  explicit Loop(const ServerOptions& options)
      : options_(options),
        taker_{.admit = [this](const HttpQuestion& head) { return AdmitHead(head); },
               .see = [this](HttpExchange& exchange) { See(exchange); },
               .take = [this](const Exchange& exchange) { Take(exchange); },
               .warn = [this](std::string_view what) { Warn(what); }},
        listener_(io_, options.listener, taker_),
        signals_(io_),
        changed_(io_.get_executor()),
        deadline_news_(io_.get_executor()),
        events_(io_) {}
  ~Loop() {
    if (service_ == nullptr) return;
    service_->SetPoster(nullptr);
    events_.release();  // the model's own
  }

  Status Open() {
    ESP_RETURN_IF_ERROR(listener_.Open());
    error_code error;
    signals_.add(SIGINT, error);
    signals_.add(SIGTERM, error);
    return Status();
  }

  std::string address() const { return listener_.address(); }

  Status Run(std::function<Result<Service*>()> load, std::function<Status()> on_ready) {
    Spawn(listener_.Accept());
    Spawn(WatchSignals());
    std::future<void> loading = std::async(
        std::launch::async, [this, load = std::move(load), on_ready = std::move(on_ready)] {
          const auto loaded = std::make_shared<const Result<Service*>>(LoadBy(load));
          asio::post(io_, [this, loaded, on_ready] { Begin(*loaded, on_ready); });
        });
    io_.run();
    loading.wait();
    return status_;
  }

 private:
  // The service is there, or never will be.
  void Begin(const Result<Service*>& loaded, const std::function<Status()>& on_ready) {
    status_ = loaded.ok() ? on_ready() : loaded.status();
    if (!status_.ok()) return io_.stop();
    service_ = *loaded;
    service_->SetPoster([this](std::function<void()> work) {
      asio::post(io_, [this, work = std::move(work)] {
        Guarded(work);
        Poll();
      });
    });
    events_.assign(service_->model().events().fd());
    Spawn(WatchEngine());
    Spawn(WatchDelay());
    Spawn(WatchDeadlines());
    if (options_.watch_interval.count() > 0) Spawn(WatchPrograms());
  }

  void Spawn(asio::awaitable<void> coroutine) {
    asio::co_spawn(io_, std::move(coroutine), [this](const std::exception_ptr& error) {
      if (error) Guarded([&] { std::rethrow_exception(error); });
    });
  }

  void Warn(std::string_view what) const {
    if (service_ != nullptr) service_->Warn(what);
  }

  // Whether `work` went through; what it throws is our fault, and stops nobody else.
  template <typename Work>
  bool Guarded(const Work& work) {
    try {
      work();
      return true;
    } catch (const std::exception& error) {
      Warn(error.what());
      return false;
    }
  }

  std::optional<HttpAnswer> AdmitHead(const HttpQuestion& head) const {
    return service_ == nullptr ? LoadingAnswer(head) : Admit(*service_, head);
  }

  void See(HttpExchange& exchange) {
    ++num_exchanges_;
    exchange.OnEnd([this, weak = std::weak_ptr(life_)](const HttpExchange& ended) {
      if (!weak.expired()) TellEnd(ended);
    });
  }

  void TellEnd(const HttpExchange& ended) {
    --num_exchanges_;
    if (service_ != nullptr) {
      service_->metrics().CountAnswer(ended.answer() ? ended.answer()->status : 0);
    }
    if (options_.access_log) options_.access_log(AccessLine(ended));
    changed_.Notify();
  }

  // REQUIRES: there is a service, as for whatever was admitted.
  void Take(const Exchange& exchange) {
    if (!Guarded([&] { Dispatch(*service_, exchange); }) && !exchange->answered()) {
      exchange->Answer(ErrorAnswer(Status(Code::kInternal, "the server has a fault")));
    }
    // Sends what was submitted to the engine; what that turns away at once is told from the
    // loop, not from inside the call.
    asio::post(io_, [this] { Poll(); });
  }

  void Poll() {
    Guarded([this] { service_->client().Poll(); });
    const auto deadline = service_->runs().next_deadline();
    if (deadline && *deadline < watched_deadline_) deadline_news_.Notify();
  }

  asio::awaitable<void> WatchDeadlines() {
    while (true) {
      watched_deadline_ = service_->runs().next_deadline().value_or(Notifier::Time::max());
      co_await deadline_news_.WaitUntil(watched_deadline_);
      Guarded([this] { service_->runs().CancelOverdue(std::chrono::steady_clock::now()); });
      Poll();
    }
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
      timer.expires_after(service_->idle() ? kIdleInterval : kBusyInterval);
      auto [error] = co_await timer.async_wait(kAwait);
      if (error) co_return;
      const auto late = std::chrono::steady_clock::now() - timer.expiry();
      service_->metrics().loop_delay_s.Add(std::chrono::duration<double>(late).count());
    }
  }

  asio::awaitable<void> WatchPrograms() {
    asio::steady_timer timer(io_);
    while (!service_->draining()) {
      timer.expires_after(options_.watch_interval);
      co_await timer.async_wait(kAwait);
      service_->programs().LookForChanges();
    }
  }

  asio::awaitable<void> WatchSignals() {
    auto [error, first] = co_await signals_.async_wait(kAwait);
    if (error) co_return;
    if (service_ == nullptr) {
      io_.stop();
      co_return;
    }
    signals_.async_wait([this](const error_code& stopped, int) {
      if (!stopped) io_.stop();
    });
    service_->SetPhase(Service::Phase::kLeaving);
    asio::steady_timer delay(io_, options_.drain_delay);
    co_await delay.async_wait(kAwait);
    service_->SetPhase(Service::Phase::kDraining);
    const bool left = co_await AllLeftBy(std::chrono::steady_clock::now() + options_.drain_timeout);
    if (!left) {
      service_->runs().Abort("");
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

  const ServerOptions options_;
  const RequestTaker taker_;
  asio::io_context io_{1};
  Listener listener_;
  asio::signal_set signals_;
  Notifier changed_;        // for who waits for exchanges to end
  Notifier deadline_news_;  // there is one before the one that is watched
  Notifier::Time watched_deadline_ = Notifier::Time::max();
  asio::posix::stream_descriptor events_;
  Service* service_ = nullptr;                                   // null: it is being loaded
  Status status_;                                                // of the load
  int num_exchanges_ = 0;                                        // whose answers have not left
  const std::shared_ptr<bool> life_ = std::make_shared<bool>();  // ends with the loop
};

Server::Server(std::unique_ptr<Loop> loop) : loop_(std::move(loop)) {}
Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::Open(const ServerOptions& options) {
  auto loop = std::make_unique<Loop>(options);
  ESP_RETURN_IF_ERROR(loop->Open());
  return std::unique_ptr<Server>(new Server(std::move(loop)));
}

std::string Server::address() const { return loop_->address(); }

Status Server::Run(std::function<Result<Service*>()> load, std::function<Status()> on_ready) {
  return loop_->Run(std::move(load), std::move(on_ready));
}

}  // namespace espalier
