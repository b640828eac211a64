#include "kernels/base/thread_pool.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "kernels/base/cgroup.h"
#include "kernels/base/check.h"
#include "kernels/base/mutex.h"

namespace espalier {
namespace {

// About 20 microseconds: longer than the gap between two ops of a step, shorter
// than what a process that wants this core would miss.
constexpr int kSpins = 1000;

void Pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// The open tasks of one job in one word, so that a claim is one compare-exchange and
// a worker that wakes late cannot take a task of a job that is over.
constexpr std::uint64_t OpenTasks(std::uint32_t job, std::uint32_t count) {
  return (static_cast<std::uint64_t>(job) << 32) | count;
}
constexpr std::uint32_t NumOpen(std::uint64_t open) { return static_cast<std::uint32_t>(open); }

}  // namespace

struct ThreadPool::State {
  // One job whose tasks are taken one by one.
  struct Lane {
    void Open(const Job& to_do) {
      job = to_do;
      unfinished.store(job.num_tasks, std::memory_order_relaxed);
      open.store(OpenTasks(++num_jobs, static_cast<std::uint32_t>(job.num_tasks)));
    }

    bool any_open() const { return NumOpen(open.load(std::memory_order_acquire)) > 0; }

    // Runs one task; false if none is open.
    bool TakeOne(int thread) {
      std::uint64_t seen = open.load(std::memory_order_acquire);
      do {
        if (NumOpen(seen) == 0) return false;
      } while (!open.compare_exchange_weak(seen, seen - 1, std::memory_order_acq_rel));
      // The job cannot end before this task does, so `job` is stable from here.
      job.call(job.callee, job.num_tasks - static_cast<int>(NumOpen(seen)), thread);
      if (unfinished.fetch_sub(1, std::memory_order_acq_rel) == 1) unfinished.notify_one();
      return true;
    }

    void Finish() {
      while (TakeOne(0)) {
      }
      for (int i = 0; i < kSpins; ++i) {
        if (unfinished.load(std::memory_order_acquire) == 0) return;
        Pause();
      }
      for (int left = unfinished.load(); left != 0; left = unfinished.load()) {
        unfinished.wait(left);
      }
    }

    Job job;  // written by the caller while no task is open
    std::uint32_t num_jobs = 0;
    alignas(64) std::atomic<std::uint64_t> open{0};
    alignas(64) std::atomic<int> unfinished{0};
  };

  explicit State(int num_threads) : num_workers(num_threads - 1) {
    for (int i = 1; i < num_threads; ++i) {
      threads.emplace_back([this, i] { Work(i); });
    }
  }

  ~State() {
    stopping.store(true);
    Wake();
    for (std::thread& thread : threads) thread.join();
    if (posted_thread.joinable()) posted_thread.join();
  }

  void Work(int thread) {
    while (!stopping.load()) {
      while (now.TakeOne(thread)) {
      }
      if (beside.TakeOne(thread) || RunPosted()) continue;
      if (!SpinForTasks()) Sleep();
    }
  }

  // Of a pool of one: its caller must not be held up.
  void WorkPosted() {
    while (!stopping.load()) {
      if (!RunPosted()) Sleep();
    }
  }

  bool SpinForTasks() const {
    for (int i = 0; i < kSpins; ++i) {
      if (now.any_open()) return true;
      Pause();
    }
    return false;
  }

  bool RunPosted() {
    if (num_posted.load(std::memory_order_acquire) == 0) return false;
    std::function<void()> work;
    {
      const MutexLock lock(mutex);
      if (!CanRunPosted()) return false;
      work = std::move(posted.front());
      posted.pop_front();
      num_posted.store(static_cast<int>(posted.size()));
      ++num_running;
    }
    work();
    work = nullptr;
    const MutexLock lock(mutex);
    --num_running;
    return true;
  }

  bool CanRunPosted() const ESP_REQUIRES(mutex) {
    const int most = std::max(1, num_workers / 2);
    return !posted.empty() && num_running < most;
  }

  bool HasWork() {
    if (stopping.load()) return true;
    if (num_workers > 0 && (now.any_open() || beside.any_open())) return true;
    if (num_posted.load() == 0) return false;
    const MutexLock lock(mutex);
    return CanRunPosted();
  }

  // The sleeper announces itself before it looks for work a last time; the caller
  // posts work before it looks for sleepers. So one of them sees the other.
  void Sleep() {
    num_sleeping.fetch_add(1);
    const std::uint32_t seen = wakes.load();
    if (!HasWork()) wakes.wait(seen);
    num_sleeping.fetch_sub(1);
  }

  void WakeSleepers() {
    if (num_sleeping.load() > 0) Wake();
  }

  void Wake() {
    wakes.fetch_add(1);
    wakes.notify_all();
  }

  const int num_workers;
  Lane now, beside;
  alignas(64) std::atomic<int> num_sleeping{0};
  std::atomic<std::uint32_t> wakes{0};
  std::atomic<bool> stopping{false};
  std::atomic<int> num_posted{0};  // posted.size()
  Mutex mutex;
  std::deque<std::function<void()>> posted ESP_GUARDED_BY(mutex);
  int num_running ESP_GUARDED_BY(mutex) = 0;        // posted work that has begun
  std::thread posted_thread ESP_GUARDED_BY(mutex);  // of a pool of one
  std::vector<std::thread> threads;
};

ThreadPool::ThreadPool(int num_threads)
    : state_(std::make_unique<State>(num_threads > 0 ? num_threads : NumUsableCpus())) {}
ThreadPool::~ThreadPool() = default;

int ThreadPool::num_threads() const { return state_->num_workers + 1; }

void ThreadPool::Run(const Job& job) {
  State& state = *state_;
  ESP_DCHECK(state.now.unfinished.load() == 0) << "ParallelFor inside ParallelFor";
  if (job.num_tasks <= 0) return;
  if (job.num_tasks == 1 || state.num_workers == 0) {
    for (int task = 0; task < job.num_tasks; ++task) job.call(job.callee, task, 0);
    return;
  }
  state.now.Open(job);
  state.WakeSleepers();
  state.now.Finish();
}

void ThreadPool::OpenBeside(const Job& job) {
  ESP_DCHECK(state_->beside.unfinished.load() == 0) << "one job beside another";
  if (job.num_tasks <= 0) return;
  state_->beside.Open(job);
  if (state_->num_workers > 0) state_->WakeSleepers();
}

void ThreadPool::FinishBeside() { state_->beside.Finish(); }

void ThreadPool::Post(std::function<void()> work) {
  State& state = *state_;
  {
    const MutexLock lock(state.mutex);
    state.posted.push_back(std::move(work));
    state.num_posted.store(static_cast<int>(state.posted.size()));
    if (state.num_workers == 0 && !state.posted_thread.joinable()) {
      state.posted_thread = std::thread([&state] { state.WorkPosted(); });
    }
  }
  state.WakeSleepers();
}

namespace {

int NumCpusOfAffinity() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return CPU_COUNT(&set);
  return static_cast<int>(std::thread::hardware_concurrency());
}

}  // namespace

int NumUsableCpus() {
  int count = NumCpusOfAffinity();
  if (const std::optional<double> cpus = ReadCgroupLimits().cpus) {
    count = std::min(count, static_cast<int>(std::min(*cpus, 1e6)));
  }
  return std::max(count, 1);
}

}  // namespace espalier
