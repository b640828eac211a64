// Server: HTTP on one port, one thread, one event loop.
//
// It owns the loop: sockets, the engine's events and signals all come through it, and all
// endpoints run on it. Nothing that it calls waits.
//
//   1. The port is open from Open on. Until the service is there, /ping says that the server
//      lives, and all else is told 503.
//   2. At SIGTERM or SIGINT /health says 503; after drain_delay new work is refused. Run
//      returns once all answers have left. What is under way drain_timeout later is
//      cancelled, and its clients are told. A second signal ends it at once.
//   3. Our own faults (an exception in an endpoint) are answered 500, logged, and harm no
//      other request.
//
// Thread safety: one thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "kernels/base/status.h"
#include "runtime/server/service.h"
#include "runtime/server/wire/listener.h"

namespace espalier {

struct ServerOptions {
  ListenerOptions listener = {};
  std::chrono::seconds drain_delay{0};  // for load balancers that ask now and then
  std::chrono::seconds drain_timeout{30};
  std::chrono::milliseconds watch_interval{0};  // of programs' files; 0: they are not watched
  // A line a request, once its answer has left: JSON. Null: none.
  std::function<void(std::string_view line)> access_log = {};
};

class Server {
 public:
  // Opens the port. Fails as Listener::Open does.
  static Result<std::unique_ptr<Server>> Open(const ServerOptions& options);
  ~Server();

  std::string address() const;

  // Serves until it is drained. `load` makes the service, on a thread of its own; then
  // `on_ready` is called, on this one. Fails as either does. The service must outlive the
  // server.
  Status Run(std::function<Result<Service*>()> load, std::function<Status()> on_ready);

 private:
  class Loop;
  explicit Server(std::unique_ptr<Loop> loop);
  std::unique_ptr<Loop> loop_;
};

}  // namespace espalier
