#include "runtime/engine/outbox.h"

#include <iterator>
#include <utility>

namespace espalier {

void Outbox::Push(std::span<TokenEvent> events) {
  if (events.empty()) return;
  {
    const std::lock_guard lock(mutex_);
    events_.insert(events_.end(), std::make_move_iterator(events.begin()),
                   std::make_move_iterator(events.end()));
  }
  nonempty_.notify_one();
  if (on_push_) on_push_();
}

std::vector<TokenEvent> Outbox::TakeAll() {
  const std::lock_guard lock(mutex_);
  return std::exchange(events_, {});
}

std::vector<TokenEvent> Outbox::Wait() {
  std::unique_lock lock(mutex_);
  nonempty_.wait(lock, [this] { return !events_.empty() || closed_; });
  return std::exchange(events_, {});
}

void Outbox::Close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  nonempty_.notify_all();
}

}  // namespace espalier
