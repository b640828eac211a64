// ThreadPool: the one set of compute threads of the process.
//
// The caller of ParallelFor is worker 0, so a pool of one makes no thread.
// Workers spin briefly between jobs of one burst, then sleep on a futex: an idle
// pool uses no CPU, and a pool that loses a core to another process does not
// stall on a spinning barrier.
//
// Three kinds of work, in order of urgency: the tasks of ParallelFor, those of a job
// beside it, and posted work. A thread looks for more urgent work after each task, and
// never stops in the middle of one.
//
// Thread safety: Post: thread-safe. The rest: one thread at a time (the engine's).
#pragma once

#include <functional>
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

  // The same for tasks that can wait: returns at once, and threads take them that find
  // no task of a ParallelFor open. FinishBeside() takes what is left and returns when all
  // are done; `fn` must live until then.
  template <typename Fn>
  void StartBeside(int num_tasks, const Fn& fn) {
    OpenBeside({num_tasks, &fn, [](const void* callee, int task, int thread) {
                  (*static_cast<const Fn*>(callee))(task, thread);
                }});
  }
  void FinishBeside();

  // Queues `work` for a thread that has nothing else to do, never the caller's. At most
  // half of the workers do such work at a time, or the only one; a pool of one makes a
  // thread for it. What has not begun when the pool ends is dropped.
  void Post(std::function<void()> work);

 private:
  struct Job {
    int num_tasks = 0;
    const void* callee = nullptr;
    void (*call)(const void* callee, int task, int thread) = nullptr;
  };
  void Run(const Job& job);
  void OpenBeside(const Job& job);

  struct State;
  std::unique_ptr<State> state_;
};

// The number of CPUs that this process may run on (its affinity mask and its
// cgroup's quota), at least 1.
int NumUsableCpus();

}  // namespace espalier
