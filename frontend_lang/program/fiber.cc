#include "frontend_lang/program/fiber.h"

#include <sys/mman.h>

#include <new>
#include <utility>

#include "frontend_lang/script/values/stack_limit.h"

namespace espalier::program {
namespace {

constexpr std::size_t kGuardBytes = 4096;
constexpr std::size_t kKeptBytes = 64 << 10;

// Lets Boost's fibers take stacks from a pool that outlives them.
struct PoolAllocator {
  StackPool* pool;
  const void** low;  // where to tell the stack's lowest byte
  // NOLINTNEXTLINE(readability-identifier-naming)
  boost::context::stack_context allocate() {
    const boost::context::stack_context context = pool->allocate();
    *low = static_cast<const char*>(context.sp) - context.size;
    return context;
  }
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
  char* const memory = static_cast<char*>(context.sp) - kStackBytes - kGuardBytes;
  // What a deep recursion touched goes back to the system; the next fiber starts at the top.
  ::madvise(memory + kGuardBytes, kStackBytes - kKeptBytes, MADV_DONTNEED);
  free_.push_back(memory);
}

Fiber::Fiber(StackPool& pool, std::function<void()> body)
    : body_(std::move(body)),
      inside_(std::allocator_arg, PoolAllocator{&pool, &stack_low_},
              [this](boost::context::fiber&& outside) {
                outside_ = std::move(outside);
                body_();
                done_ = true;
                return std::move(outside_);
              }) {}

void Fiber::Resume() {
  const lang::OnStack on_stack(stack_low_, stack_depth_);
  inside_ = std::move(inside_).resume();
}

void Fiber::Suspend() { outside_ = std::move(outside_).resume(); }

}  // namespace espalier::program
