// Fiber: one thread of script. It runs until it waits for something, and goes on when
// somebody resumes it. Stacks are pooled, with a guard page below each.
//
// A stack is mostly untouched memory: script frames live on the heap
// (frontend_lang/script/machine/task.h), so an idle fiber costs a few pages. What is long is for
// built-in operations that call back into script, over and over (a __repr__ of a list of such).
//
// Thread safety: none; all fibers of one pool run on one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <boost/context/fiber.hpp>

#include "frontend_lang/backend.h"
#include "frontend_lang/script/machine/task.h"

namespace espalier::program {

class StackPool {
 public:
  static constexpr std::size_t kStackBytes = std::size_t{2} << 20;

  StackPool() = default;
  ~StackPool();
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;

  // As Boost's stack allocators. Throws std::bad_alloc when the system has no more.
  boost::context::stack_context allocate();                 // NOLINT(readability-identifier-naming)
  void deallocate(boost::context::stack_context& context);  // NOLINT(readability-identifier-naming)

 private:
  std::vector<void*> free_;  // lowest address, the guard page
};

class Fiber {
 public:
  Fiber(StackPool& pool, std::function<void()> body);

  // Runs it until it waits or ends. REQUIRES: it has not ended and is not running.
  void Resume();
  // Back to whoever resumed it. REQUIRES: it is running.
  void Suspend();
  bool done() const { return done_; }

  script::Task task;
  std::uint64_t seed = 0;       // of the program calls it makes
  std::uint64_t num_calls = 0;  // made so far
  // Where what its states use is counted too; null: nowhere. It outlives the executor.
  CallUsage* usage = nullptr;
  bool parked = false;  // see Executor::Park

 private:
  std::function<void()> body_;
  const void* stack_low_ = nullptr;
  int stack_depth_ = 0;
  boost::context::fiber inside_, outside_;
  bool done_ = false;
};

}  // namespace espalier::program
