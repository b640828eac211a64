// PoolWork: what the io thread has done on the model's pool, so that a long prompt holds up
// nobody else's answer.
//
// Thread safety: io thread only; what it is given to do runs elsewhere.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "kernels/base/mutex.h"

namespace espalier {

class PoolWork {
 public:
  using Work = std::function<void()>;
  using Post = std::function<void(Work work)>;

  // `to_pool` and `to_io` have work done on the pool, and on the io thread. The latter may drop
  // it once the loop has ended.
  PoolWork(Post to_pool, Post to_io) : to_pool_(std::move(to_pool)), to_io_(std::move(to_io)) {}
  // Waits for what is being done.
  ~PoolWork();

  // Has `work` done on the pool, and then `then` on the io thread, to which all that `then`
  // holds is left.
  void Start(Work work, Work then);

 private:
  // Outlives the last of the work.
  struct Count {
    Mutex mutex;
    CondVar none;
    int num_open ESP_GUARDED_BY(mutex) = 0;
  };

  const Post to_pool_, to_io_;
  const std::shared_ptr<Count> count_ = std::make_shared<Count>();
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, Work> thens_;
};

}  // namespace espalier
