// Inbox: what other threads tell the engine. Many producers, one consumer, bounded.
//
// Thread safety: thread-safe; TakeAll and Wait: the engine thread only.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "kernels/base/status.h"
#include "runtime/engine/queued_request.h"

namespace espalier {

class Inbox {
 public:
  // `capacity` choices may wait, here or in the scheduler.
  explicit Inbox(int capacity) : capacity_(capacity) {}

  // How many choices more may wait; kCancelled after Close().
  Result<int> NumRoom() const;
  // All in one message, so that they are planned together. Who submits looks for room
  // before; several who do so at once may go beyond it. Nobody takes them after Close().
  void Submit(std::vector<std::shared_ptr<const QueuedRequest>> requests);
  void Cancel(SeqId request);
  void GrammarReady(SeqId request);
  void FlushCache();
  void Close();

  struct Messages {
    std::vector<std::shared_ptr<const QueuedRequest>> requests;  // in order
    std::vector<SeqId> compiled;                                 // grammars that are ready
    std::vector<SeqId> cancels;                                  // after them
    bool flush_cache = false;
  };
  // All messages so far. `num_waiting` choices wait in the engine besides.
  Messages TakeAll(int num_waiting);

  // Blocks until there is a message, or Close() was called.
  void Wait();
  bool closed() const;

 private:
  bool HasNews() const;

  const int capacity_;
  mutable std::mutex mutex_;
  std::condition_variable news_;
  Messages messages_;    // guarded by mutex_
  int num_waiting_ = 0;  // guarded by mutex_: choices, those in messages_ included
  bool closed_ = false;  // guarded by mutex_
};

}  // namespace espalier
