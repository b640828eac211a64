// Outbox: events on their way out of the engine. One producer (the engine thread),
// one consumer.
//
// Thread safety: thread-safe.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "kernels/base/mutex.h"
#include "runtime/engine/request.h"

namespace espalier {

class Outbox {
 public:
  // `on_push`, if set, runs on the producer's thread after each push (to wake an
  // event loop); it must not block.
  explicit Outbox(std::function<void()> on_push = {}) : on_push_(std::move(on_push)) {}

  // Moves the events out of `events`; their places are the caller's to clear and reuse.
  void Push(std::span<TokenEvent> events);
  // All events so far, in order; Wait blocks until there is one or Close() was called.
  std::vector<TokenEvent> TakeAll();
  std::vector<TokenEvent> Wait();
  void Close();

 private:
  std::function<void()> on_push_;
  Mutex mutex_;
  CondVar nonempty_;
  std::vector<TokenEvent> events_ ESP_GUARDED_BY(mutex_);
  bool closed_ ESP_GUARDED_BY(mutex_) = false;
};

}  // namespace espalier
