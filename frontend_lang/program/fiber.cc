#include "frontend_lang/program/fiber.h"

#include <sys/mman.h>

#include <new>
#include <utility>

namespace espalier::program {
namespace {

constexpr std::size_t kGuardBytes = 4096;

// Lets Boost's fibers take stacks from a pool that outlives them.
struct PoolAllocator {
  StackPool* pool;
  // NOLINTNEXTLINE(readability-identifier-naming)
  boost::context::stack_context allocate() { return pool->allocate(); }
  // NOLINTNEXTLINE(readability-identifier-naming)
  void deallocate(boost::context::stack_context& context) { pool->deallocate(context); }
};

}  // namespace

StackPool::~StackPool() {
  for (void* memory : free_) ::munmap(memory, kStackBytes + kGuardBytes);
}

boost::context::stack_context StackPool::allocate() {
  void* memory = nullptr;
  if (!free_.empty()) {
    memory = free_.back();
    free_.pop_back();
  } else {
    memory = ::mmap(nullptr, kStackBytes + kGuardBytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    ::mprotect(memory, kGuardBytes, PROT_NONE);
  }
  boost::context::stack_context context;
  context.size = kStackBytes;
  context.sp = static_cast<char*>(memory) + kGuardBytes + kStackBytes;
  return context;
}

void StackPool::deallocate(boost::context::stack_context& context) {
  free_.push_back(static_cast<char*>(context.sp) - kStackBytes - kGuardBytes);
}

Fiber::Fiber(StackPool& pool, std::function<void()> body)
    : body_(std::move(body)),
      inside_(std::allocator_arg, PoolAllocator{&pool}, [this](boost::context::fiber&& outside) {
        outside_ = std::move(outside);
        body_();
        done_ = true;
        return std::move(outside_);
      }) {}

void Fiber::Resume() { inside_ = std::move(inside_).resume(); }

void Fiber::Suspend() { outside_ = std::move(outside_).resume(); }

}  // namespace espalier::program
