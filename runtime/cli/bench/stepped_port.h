// SteppedPort: events of an engine that has no thread: who waits for them steps it.
//
// What the engine posts (EngineOptions::post) is done between steps, in order. So what
// happens, and when, depends on nothing but the requests.
//
// Thread safety: one thread, which is the engine's too.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "runtime/engine/engine.h"
#include "runtime/local/event_port.h"

namespace espalier {

class SteppedPort final : public EventPort {
 public:
  // Comes before the first Wait; `engine` must live as long as it is waited for.
  void Drive(Engine& engine) { engine_ = &engine; }
  void Post(std::function<void()> work) { posted_.push_back(std::move(work)); }

  std::shared_ptr<Outbox> outbox() override { return outbox_; }
  std::vector<TokenEvent> Take() override;
  // REQUIRES: a request is under way.
  bool Wait(Deadline deadline) override;

 private:
  void RunPosted();

  Engine* engine_ = nullptr;
  std::deque<std::function<void()>> posted_;
  std::shared_ptr<Outbox> outbox_ = std::make_shared<Outbox>();
  std::vector<TokenEvent> ready_;
};

}  // namespace espalier
