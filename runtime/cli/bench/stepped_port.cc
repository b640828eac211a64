#include "runtime/cli/bench/stepped_port.h"

#include <iterator>
#include <utility>

#include "kernels/base/check.h"

namespace espalier {

std::vector<TokenEvent> SteppedPort::Take() {
  std::vector<TokenEvent> events = std::exchange(ready_, {});
  std::vector<TokenEvent> later = outbox_->TakeAll();
  std::move(later.begin(), later.end(), std::back_inserter(events));
  return events;
}

bool SteppedPort::Wait(Deadline deadline) {
  while (ready_.empty()) {
    if (deadline && std::chrono::steady_clock::now() >= *deadline) return false;
    const bool has_posted = !posted_.empty();
    RunPosted();
    const bool has_stepped = engine_->Step();
    ready_ = outbox_->TakeAll();
    ESP_CHECK(has_posted || has_stepped || !posted_.empty()) << "nothing is under way";
  }
  return true;
}

void SteppedPort::RunPosted() {
  for (; !posted_.empty(); posted_.pop_front()) posted_.front()();
}

}  // namespace espalier
