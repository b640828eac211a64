// The running stack: where it ends, and how deep the recursions on it are. A recursion
// whose depth a program chooses stops before the end; a count of levels alone cannot see
// to that, since frames differ in size.
//
// Thread safety: thread-safe; each thread has its own.
#pragma once

namespace espalier::lang {

// Whether a further level of a recursion fits: what lies between two questions may take
// 128 KiB of stack at most.
bool StackHasRoom();

// Levels of the recursions that run on this stack: NestedScope counts them.
int& StackDepth();

// While it lives, the thread runs on another stack, whose lowest byte is `low`. `depth` is
// that stack's, kept while the thread is elsewhere.
class OnStack {
 public:
  OnStack(const void* low, int& depth);
  ~OnStack();
  OnStack(const OnStack&) = delete;
  OnStack& operator=(const OnStack&) = delete;

 private:
  const char* const outer_low_;
  const int outer_depth_;
  int& depth_;
};

}  // namespace espalier::lang
