#include "runtime/server/pool_work.h"

#include <utility>

namespace espalier {

PoolWork::~PoolWork() {
  const MutexLock lock(count_->mutex);
  while (count_->num_open > 0) count_->none.Wait(count_->mutex);
}

void PoolWork::Start(Work work, Work then) {
  const std::uint64_t id = ++last_;
  thens_.emplace(id, std::move(then));
  {
    const MutexLock lock(count_->mutex);
    ++count_->num_open;
  }
  to_pool_([this, id, work = std::move(work), count = count_] {
    work();
    to_io_([this, id] { thens_.extract(id).mapped()(); });
    const MutexLock lock(count->mutex);
    if (--count->num_open == 0) count->none.NotifyAll();
  });
}

}  // namespace espalier
