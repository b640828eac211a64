#include "runtime/local/engine_client.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "kernels/base/check.h"

namespace espalier {

EngineClient::~EngineClient() {
  for (const auto& [ticket, route] : tickets_) {
    if (route.submitted) model_.engine().Cancel(route.seq);
  }
}

Ticket EngineClient::Submit(GenerateRequest request, Sink sink) {
  const Ticket ticket{next_ticket_++};
  Route& route = tickets_[static_cast<std::uint64_t>(ticket)];
  route.sink = std::move(sink);
  request.outbox = port_.outbox();
  route.num_open = request.paths.empty() ? std::max(1, request.sampling.n)
                                         : static_cast<std::int32_t>(request.paths.size());
  if (observer_ != nullptr) observer_->Submitted(ticket, request);
  waiting_.emplace(static_cast<std::uint64_t>(ticket), std::move(request));
  return ticket;
}

void EngineClient::SubmitWaiting() {
  while (!waiting_.empty() && SubmitSome()) {
  }
}

// False if the engine has no room now and will have some once it has finished others.
bool EngineClient::SubmitSome() {
  constexpr std::size_t kMostTogether = 1024;
  std::vector<GenerateRequest*> requests;
  for (auto& [ticket, request] : waiting_) {
    requests.push_back(&request);
    if (requests.size() == kMostTogether) break;
  }
  const std::vector<Result<SeqId>> ids = model_.engine().SubmitTogether(requests);
  for (const Result<SeqId>& id : ids) {
    const Ticket ticket{waiting_.begin()->first};
    waiting_.erase(waiting_.begin());
    if (!id.ok()) {
      Refuse(ticket, FinishReason::kError, id.status());
      continue;
    }
    Route& route = tickets_.at(static_cast<std::uint64_t>(ticket));
    route.submitted = true;
    route.seq = *id;
    by_seq_.emplace(Index(*id), ticket);
  }
  if (!ids.empty() || !by_seq_.empty()) return !ids.empty();
  // Nothing of ours will ever make room: others fill the queue.
  const Ticket ticket{waiting_.begin()->first};
  waiting_.erase(waiting_.begin());
  Refuse(ticket, FinishReason::kError, Status(Code::kOverloaded, "the engine's queue is full"));
  return true;
}

void EngineClient::Refuse(Ticket ticket, FinishReason finish, const Status& error) {
  const std::int32_t num_choices = tickets_.at(static_cast<std::uint64_t>(ticket)).num_open;
  for (std::int32_t choice = 0; choice < num_choices; ++choice) {
    TokenEvent event;
    event.choice = choice;
    event.finish = finish;
    event.error = error;
    refused_.emplace_back(ticket, std::move(event));
  }
}

void EngineClient::Cancel(Ticket ticket) {
  const auto found = tickets_.find(static_cast<std::uint64_t>(ticket));
  if (found == tickets_.end()) return;
  if (found->second.submitted) {
    model_.engine().Cancel(found->second.seq);
    return;
  }
  const std::size_t num_erased = waiting_.erase(static_cast<std::uint64_t>(ticket));
  if (num_erased == 0) return;  // refused, or cancelled before
  Refuse(ticket, FinishReason::kCancelled, Status());
}

void EngineClient::Poll() {
  do {
    Deliver();
    SubmitWaiting();
  } while (!refused_.empty());
}

bool EngineClient::Wait(Deadline deadline) {
  ESP_CHECK(!idle()) << "nothing to wait for";
  while (!Deliver()) {
    SubmitWaiting();
    if (!refused_.empty()) continue;
    if (!port_.Wait(deadline)) return false;
  }
  SubmitWaiting();
  return true;
}

// Whether anything was delivered.
bool EngineClient::Deliver() {
  bool any = false;
  for (auto& [ticket, event] : std::exchange(refused_, {})) {
    Deliver(ticket, std::move(event));
    any = true;
  }
  for (TokenEvent& event : port_.Take()) {
    const auto found = by_seq_.find(Index(event.request));
    if (found == by_seq_.end()) continue;
    Deliver(found->second, std::move(event));
    any = true;
  }
  return any;
}

void EngineClient::Deliver(Ticket ticket, TokenEvent event) {
  const auto found = tickets_.find(static_cast<std::uint64_t>(ticket));
  ESP_CHECK(found != tickets_.end()) << "an event after the last one";
  Route& route = found->second;  // stays where it is while the sink submits more
  if (observer_ != nullptr) observer_->Happened(ticket, event);
  if (event.finish == FinishReason::kNone || --route.num_open > 0) {
    route.sink(std::move(event));
    return;
  }
  const Sink sink = std::move(route.sink);
  if (route.submitted) by_seq_.erase(Index(route.seq));
  tickets_.erase(found);
  sink(std::move(event));
}

}  // namespace espalier
