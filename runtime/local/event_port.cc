#include "runtime/local/event_port.h"

namespace espalier {

std::vector<TokenEvent> FdEventPort::Take() {
  wake_.Clear();
  return outbox_.TakeAll();
}

bool FdEventPort::Wait(Deadline deadline) { return wake_.Wait(deadline); }

}  // namespace espalier
