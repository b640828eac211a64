// Inbox: what other threads tell the engine. Many producers, one consumer, bounded.
//
// Thread safety: thread-safe; TakeAll and Wait: the engine thread only.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "kernels/base/mutex.h"
#include "kernels/base/status.h"
#include "runtime/engine/queued_request.h"

namespace espalier {

class PrefixCache;

class Inbox {
 public:
  // `capacity` choices may wait, here or in the scheduler.
  explicit Inbox(int capacity) : capacity_(capacity) {}

  // Keeps a place for a request that is about to be submitted, or released. kOverloaded if
  // there is none, kCancelled after Close(). The choices of one request go beyond capacity
  // together, if they do; ReserveMore is for those after its first.
  Status Reserve();
  void ReserveMore(int num_choices);
  void Release();
  // All in one message, so that they are planned together. kCancelled after Close(): then
  // none was taken. REQUIRES: the place of each choice is reserved, and is so no more.
  Status Submit(std::vector<std::shared_ptr<const QueuedRequest>> requests);
  void Cancel(SeqId request);
  void GrammarReady(SeqId request);
  void FlushCache();
  using Look = std::function<void(const PrefixCache&)>;
  Status Inspect(Look look);  // kCancelled after Close()
  void Close();

  struct Messages {
    std::vector<std::shared_ptr<const QueuedRequest>> requests;  // in order
    std::vector<SeqId> compiled;                                 // grammars that are ready
    std::vector<SeqId> cancels;                                  // after them
    bool flush_cache = false;
    std::vector<Look> looks;
  };
  // All messages so far. `num_waiting` choices wait in the engine besides.
  Messages TakeAll(int num_waiting);

  // Blocks until there is a message, or Close() was called.
  void Wait();
  bool closed() const;

 private:
  bool HasNews() const ESP_REQUIRES(mutex_);

  const int capacity_;
  mutable Mutex mutex_;
  CondVar news_;
  Messages messages_ ESP_GUARDED_BY(mutex_);
  int num_waiting_ ESP_GUARDED_BY(mutex_) = 0;   // choices, those in messages_ included
  int num_reserved_ ESP_GUARDED_BY(mutex_) = 0;  // choices
  bool closed_ ESP_GUARDED_BY(mutex_) = false;
};

}  // namespace espalier
