// Mutex, MutexLock and CondVar: those of the standard library with Clang's thread-safety
// annotations, so that what a mutex guards is proved (-Wthread-safety, a clang build) and not
// only said. Other compilers see plain classes.
//
// Source: Hutchins, Ballman, Sutherland 2014, "C/C++ Thread Safety Analysis", section III.
//
// Thread safety: thread-safe.
#pragma once

#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define ESP_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define ESP_THREAD_ANNOTATION(x)
#endif

#define ESP_GUARDED_BY(mutex) ESP_THREAD_ANNOTATION(guarded_by(mutex))
#define ESP_REQUIRES(...) ESP_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))

namespace espalier {

class ESP_THREAD_ANNOTATION(capability("mutex")) Mutex {
 public:
  void Lock() ESP_THREAD_ANNOTATION(acquire_capability()) { mutex_.lock(); }
  void Unlock() ESP_THREAD_ANNOTATION(release_capability()) { mutex_.unlock(); }

 private:
  friend class CondVar;
  std::mutex mutex_;
};

class ESP_THREAD_ANNOTATION(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ESP_THREAD_ANNOTATION(acquire_capability(mutex))
      : mutex_(mutex) {
    mutex_.Lock();
  }
  ~MutexLock() ESP_THREAD_ANNOTATION(release_capability()) { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

class CondVar {
 public:
  // Lets go of the mutex while it sleeps. May wake for nothing: look again at what was
  // waited for.
  void Wait(Mutex& mutex) ESP_REQUIRES(mutex) {
    std::unique_lock lock(mutex.mutex_, std::adopt_lock);
    condition_.wait(lock);
    lock.release();
  }
  void NotifyOne() { condition_.notify_one(); }
  void NotifyAll() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace espalier
