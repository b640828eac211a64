#include "runtime/engine/inbox.h"

#include <algorithm>
#include <utility>

namespace espalier {

Result<int> Inbox::NumRoom() const {
  const std::lock_guard lock(mutex_);
  if (closed_) return Status(Code::kCancelled, "the engine has stopped");
  return std::max(capacity_ - num_waiting_, 0);
}

void Inbox::Submit(std::vector<std::shared_ptr<const QueuedRequest>> requests) {
  {
    const std::lock_guard lock(mutex_);
    for (auto& request : requests) {
      num_waiting_ += request->num_choices();
      messages_.requests.push_back(std::move(request));
    }
  }
  news_.notify_one();
}

void Inbox::Cancel(SeqId request) {
  {
    const std::lock_guard lock(mutex_);
    messages_.cancels.push_back(request);
  }
  news_.notify_one();
}

void Inbox::GrammarReady(SeqId request) {
  {
    const std::lock_guard lock(mutex_);
    messages_.compiled.push_back(request);
  }
  news_.notify_one();
}

void Inbox::FlushCache() {
  {
    const std::lock_guard lock(mutex_);
    messages_.flush_cache = true;
  }
  news_.notify_one();
}

void Inbox::Close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  news_.notify_one();
}

Inbox::Messages Inbox::TakeAll(int num_waiting) {
  const std::lock_guard lock(mutex_);
  num_waiting_ = num_waiting;
  for (const auto& request : messages_.requests) num_waiting_ += request->num_choices();
  return std::exchange(messages_, {});
}

void Inbox::Wait() {
  std::unique_lock lock(mutex_);
  news_.wait(lock, [this] { return HasNews() || closed_; });
}

bool Inbox::closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

bool Inbox::HasNews() const {
  return !messages_.requests.empty() || !messages_.compiled.empty() || !messages_.cancels.empty() ||
         messages_.flush_cache;
}

}  // namespace espalier
