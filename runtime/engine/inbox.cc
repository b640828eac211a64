#include "runtime/engine/inbox.h"

#include <utility>

namespace espalier {

namespace {

Status Stopped() { return {Code::kCancelled, "the engine has stopped"}; }

}  // namespace

Status Inbox::Reserve() {
  const MutexLock lock(mutex_);
  if (closed_) return Stopped();
  if (num_waiting_ + num_reserved_ >= capacity_) {
    return {Code::kOverloaded,
            "the queue is full: as many outputs are waiting as may; try again later"};
  }
  ++num_reserved_;
  return {};
}

void Inbox::ReserveMore(int num_choices) {
  const MutexLock lock(mutex_);
  num_reserved_ += num_choices;
}

void Inbox::Release() {
  const MutexLock lock(mutex_);
  --num_reserved_;
}

Status Inbox::Submit(std::vector<std::shared_ptr<const QueuedRequest>> requests) {
  {
    const MutexLock lock(mutex_);
    for (const auto& request : requests) num_reserved_ -= request->num_choices();
    if (closed_) return Stopped();
    for (auto& request : requests) {
      num_waiting_ += request->num_choices();
      messages_.requests.push_back(std::move(request));
    }
  }
  news_.NotifyOne();
  return {};
}

void Inbox::Cancel(SeqId request) {
  {
    const MutexLock lock(mutex_);
    messages_.cancels.push_back(request);
  }
  news_.NotifyOne();
}

void Inbox::GrammarReady(SeqId request) {
  {
    const MutexLock lock(mutex_);
    messages_.compiled.push_back(request);
  }
  news_.NotifyOne();
}

void Inbox::FlushCache() {
  {
    const MutexLock lock(mutex_);
    messages_.flush_cache = true;
  }
  news_.NotifyOne();
}

Status Inbox::Inspect(Look look) {
  {
    const MutexLock lock(mutex_);
    if (closed_) return Stopped();
    messages_.looks.push_back(std::move(look));
  }
  news_.NotifyOne();
  return {};
}

void Inbox::Close() {
  {
    const MutexLock lock(mutex_);
    closed_ = true;
  }
  news_.NotifyOne();
}

Inbox::Messages Inbox::TakeAll(int num_waiting) {
  const MutexLock lock(mutex_);
  num_waiting_ = num_waiting;
  for (const auto& request : messages_.requests) num_waiting_ += request->num_choices();
  return std::exchange(messages_, {});
}

void Inbox::Wait() {
  const MutexLock lock(mutex_);
  while (!HasNews() && !closed_) news_.Wait(mutex_);
}

bool Inbox::closed() const {
  const MutexLock lock(mutex_);
  return closed_;
}

bool Inbox::HasNews() const {
  return !messages_.requests.empty() || !messages_.compiled.empty() || !messages_.cancels.empty() ||
         messages_.flush_cache || !messages_.looks.empty();
}

}  // namespace espalier
