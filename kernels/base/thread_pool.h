// ThreadPool: the one set of compute threads of the process.
//
// The caller of ParallelFor is worker 0, so a pool of one makes no thread.
// Workers spin briefly between jobs of one burst, then sleep on a futex: an idle
// pool uses no CPU, and a pool that loses a core to another process does not
// stall on a spinning barrier.
//
// Thread safety: one ParallelFor at a time (the engine thread's).
#pragma once

#include <memory>

namespace espalier {

class ThreadPool {
 public:
  // num_threads <= 0: as many as the CPUs this process may run on.
  explicit ThreadPool(int num_threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int num_threads() const;

  // Calls fn(task, thread) once for each task in [0, num_tasks), thread in
  // [0, num_threads()), and returns when all are done. Which thread takes which
  // task is unspecified: results must not depend on it. `fn` is not copied, so
  // nothing is allocated; it must not call ParallelFor.
  template <typename Fn>
  void ParallelFor(int num_tasks, const Fn& fn) {
    Run({num_tasks, &fn, [](const void* callee, int task, int thread) {
           (*static_cast<const Fn*>(callee))(task, thread);
         }});
  }

 private:
  struct Job {
    int num_tasks = 0;
    const void* callee = nullptr;
    void (*call)(const void* callee, int task, int thread) = nullptr;
  };
  void Run(const Job& job);

  struct State;
  std::unique_ptr<State> state_;
};

// The number of CPUs that this process may run on (its affinity mask and its
// cgroup's quota), at least 1.
int NumUsableCpus();

}  // namespace espalier
