#include "runtime/engine/event_router.h"

#include <map>
#include <utility>

namespace espalier {

void EventRouter::Add(const QueuedRequest& request) {
  if (request.asked.outbox == nullptr) return;
  routes_.emplace(Index(request.id), Route{request.asked.outbox, request.num_choices()});
}

// Null: the engine's own. Forgets a request with its last event.
std::shared_ptr<Outbox> EventRouter::OutboxOf(const TokenEvent& event) {
  const auto found = routes_.find(Index(event.request));
  if (found == routes_.end()) return nullptr;
  std::shared_ptr<Outbox> outbox = found->second.outbox;
  if (event.finish != FinishReason::kNone && --found->second.num_open == 0) routes_.erase(found);
  return outbox;
}

void EventRouter::Push(std::vector<TokenEvent>& events) {
  if (routes_.empty()) return outbox_.Push(events);
  std::vector<TokenEvent> common;
  std::map<std::shared_ptr<Outbox>, std::vector<TokenEvent>> apart;  // which keeps them
  for (TokenEvent& event : events) {
    const std::shared_ptr<Outbox> outbox = OutboxOf(event);
    (outbox == nullptr ? common : apart[outbox]).push_back(std::move(event));
  }
  for (auto& [outbox, own] : apart) outbox->Push(own);
  outbox_.Push(common);
}

}  // namespace espalier
