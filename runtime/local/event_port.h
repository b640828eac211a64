// EventPort: where the events of a client's requests come out, and how it waits for them.
// FdEventPort: one whose news make a file descriptor readable.
//
// Thread safety: one thread takes and waits; the outbox is thread-safe.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/base/status.h"
#include "runtime/engine/outbox.h"
#include "runtime/local/wake_fd.h"

namespace espalier {

class EventPort {
 public:
  using Deadline = std::optional<std::chrono::steady_clock::time_point>;  // unset: never

  virtual ~EventPort() = default;

  // Where the engine is to push them; null: to its own.
  virtual std::shared_ptr<Outbox> outbox() = 0;
  virtual std::vector<TokenEvent> Take() = 0;
  // Returns when Take may have something, or at the deadline. False if it has passed.
  virtual bool Wait(Deadline deadline) = 0;
};

// The engine's own outbox.
class FdEventPort final : public EventPort {
 public:
  Status Open() { return wake_.Open(); }  // comes first; fails as WakeFd::Open does

  int fd() const { return wake_.fd(); }
  Outbox& engine_outbox() { return outbox_; }

  std::shared_ptr<Outbox> outbox() override { return nullptr; }
  std::vector<TokenEvent> Take() override;
  bool Wait(Deadline deadline) override;

 private:
  WakeFd wake_;
  Outbox outbox_{[this] { wake_.Wake(); }};
};

}  // namespace espalier
