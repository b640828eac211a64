#include "runtime/engine/outbox.h"

#include <iterator>
#include <utility>

namespace espalier {

void Outbox::Push(std::span<TokenEvent> events) {
  if (events.empty()) return;
  {
    const MutexLock lock(mutex_);
    events_.insert(events_.end(), std::make_move_iterator(events.begin()),
                   std::make_move_iterator(events.end()));
  }
  nonempty_.NotifyOne();
  if (on_push_) on_push_();
}

std::vector<TokenEvent> Outbox::TakeAll() {
  const MutexLock lock(mutex_);
  return std::exchange(events_, {});
}

std::vector<TokenEvent> Outbox::Wait() {
  const MutexLock lock(mutex_);
  while (events_.empty() && !closed_) nonempty_.Wait(mutex_);
  return std::exchange(events_, {});
}

void Outbox::Close() {
  {
    const MutexLock lock(mutex_);
    closed_ = true;
  }
  nonempty_.NotifyAll();
}

}  // namespace espalier
