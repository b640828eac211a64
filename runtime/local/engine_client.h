// EngineClient: hands requests to the engine as it has room, and each event to
// whoever asked. The one consumer of its port's events.
//
// What is submitted between two calls of Poll or Wait is a round, which reaches the engine
// whole. A request that the engine's full queue turns away waits here and goes in later, in
// order; where nothing of this client is under way, since others fill the queue, it is refused
// (kOverloaded). A refused request ends as any other does, by a last event with its error for
// each choice. Sinks run inside Poll and Wait only.
//
// Thread safety: none; one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "runtime/engine/request.h"
#include "runtime/local/local_model.h"

namespace espalier {

enum class Ticket : std::uint64_t {};

// Sees what is asked and what comes of it: for who counts.
class RequestObserver {
 public:
  virtual ~RequestObserver() = default;
  virtual void Submitted(Ticket ticket, const GenerateRequest& request) = 0;
  virtual void Happened(Ticket ticket, const TokenEvent& event) = 0;  // before the sink has it
};

class EngineClient {
 public:
  using Sink = std::function<void(TokenEvent event)>;

  // `model` must outlive it.
  explicit EngineClient(LocalModel& model) : EngineClient(model, model.events()) {}
  // `port` must outlive it too.
  EngineClient(LocalModel& model, EventPort& port) : model_(model), port_(port) {}
  ~EngineClient();  // cancels what is under way; its sinks are not called any more
  EngineClient(const EngineClient&) = delete;
  EngineClient& operator=(const EngineClient&) = delete;

  Ticket Submit(GenerateRequest request, Sink sink);

  // `observer` must outlive it; none by default.
  void Observe(RequestObserver& observer) { observer_ = &observer; }

  // Its events still come, the last of each choice with kCancelled; an unknown or
  // finished ticket is ignored.
  void Cancel(Ticket ticket);

  // Delivers what has happened, and submits what waits. Wait blocks until something
  // was delivered; false at the deadline. REQUIRES (Wait): !idle().
  using Deadline = EventPort::Deadline;
  void Poll();
  bool Wait(Deadline deadline = std::nullopt);

  bool idle() const { return tickets_.empty(); }
  std::size_t num_waiting() const { return waiting_.size(); }
  LocalModel& model() { return model_; }

 private:
  struct Route {
    Sink sink;
    std::int32_t num_open = 1;  // choices without a last event
    bool submitted = false;
    SeqId seq{};
  };

  void SubmitWaiting();
  bool SubmitSome();
  void Refuse(Ticket ticket, FinishReason finish, const Status& error);
  bool Deliver();
  void Deliver(Ticket ticket, TokenEvent event);

  LocalModel& model_;
  EventPort& port_;
  RequestObserver* observer_ = nullptr;  // or null
  std::uint64_t next_ticket_ = 1;
  std::unordered_map<std::uint64_t, Route> tickets_;    // by ticket
  std::unordered_map<std::uint64_t, Ticket> by_seq_;    // of submitted requests
  std::map<std::uint64_t, GenerateRequest> waiting_;    // by ticket: not submitted yet, in order
  std::vector<std::pair<Ticket, TokenEvent>> refused_;  // to deliver next
};

}  // namespace espalier
