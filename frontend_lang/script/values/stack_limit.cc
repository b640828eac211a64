#include "frontend_lang/script/values/stack_limit.h"

#include <pthread.h>

#include <cstddef>

namespace espalier::lang {
namespace {

constexpr std::ptrdiff_t kSpareBytes = std::ptrdiff_t{128} << 10;

// Which stack a thread is on is a fact of the thread, as the stack pointer is.
thread_local const char* stack_low = nullptr;  // null: not looked up yet
thread_local int stack_depth = 0;

const char* OwnStackLow() {
  pthread_attr_t attributes;
  void* low = nullptr;
  std::size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return nullptr;
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  return static_cast<const char*>(low);
}

}  // namespace

bool StackHasRoom() {
  if (stack_low == nullptr) [[unlikely]]
    stack_low = OwnStackLow();
  const auto* here = static_cast<const char*>(__builtin_frame_address(0));
  return here - stack_low > kSpareBytes;
}

int& StackDepth() { return stack_depth; }

OnStack::OnStack(const void* low, int& depth)
    : outer_low_(stack_low), outer_depth_(stack_depth), depth_(depth) {
  stack_low = static_cast<const char*>(low);
  stack_depth = depth_;
}

OnStack::~OnStack() {
  depth_ = stack_depth;
  stack_low = outer_low_;
  stack_depth = outer_depth_;
}

}  // namespace espalier::lang
