// Server: HTTP on one port, one thread, one event loop.
//
// It owns the loop: sockets, the engine's events and signals all come through it, and all
// endpoints run on it. Nothing that it calls waits.
//
//   1. At most max_connections are open; a further one is answered 503 and closed.
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

#include "kernels/base/status.h"
#include "runtime/server/service.h"
#include "runtime/server/wire/connection.h"

namespace espalier {

struct ServerOptions {
  std::string host = "127.0.0.1";
  int port = 30000;  // 0: any
  int max_connections = 4096;
  ConnectionLimits limits = {};
  std::string tls_certificate, tls_key;  // PEM files; both or none
  std::chrono::seconds drain_delay{0};   // for load balancers that ask now and then
  std::chrono::seconds drain_timeout{30};
  std::chrono::milliseconds watch_interval{0};  // of programs' files; 0: they are not watched
  // A line a request, once its answer has left: JSON. Null: none.
  std::function<void(std::string_view line)> access_log = {};
};

class Server {
 public:
  // Opens the port. kInvalidArgument if it, or a TLS file, cannot be used. `service` must
  // outlive it.
  static Result<std::unique_ptr<Server>> Open(Service& service, const ServerOptions& options);
  ~Server();

  // "http://127.0.0.1:30000"
  std::string address() const;

  // Serves until it is drained.
  void Run();

 private:
  class Loop;
  explicit Server(std::unique_ptr<Loop> loop);
  std::unique_ptr<Loop> loop_;
};

}  // namespace espalier
