// EventRouter: hands each event to the outbox that its request names; to the engine's own
// where it names none.
//
// Thread safety: none; the engine thread.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "runtime/engine/outbox.h"
#include "runtime/engine/queued_request.h"

namespace espalier {

class EventRouter {
 public:
  // `outbox` must outlive it.
  explicit EventRouter(Outbox& outbox) : outbox_(outbox) {}

  // Before the first event of the request.
  void Add(const QueuedRequest& request);

  // Moves the events out of `events`: those of one outbox in one push, in order.
  void Push(std::vector<TokenEvent>& events);

 private:
  struct Route {
    std::shared_ptr<Outbox> outbox;
    std::int32_t num_open = 0;  // choices without a last event
  };

  std::shared_ptr<Outbox> OutboxOf(const TokenEvent& event);

  Outbox& outbox_;
  std::unordered_map<std::uint64_t, Route> routes_;  // of requests with an outbox of their own
};

}  // namespace espalier
