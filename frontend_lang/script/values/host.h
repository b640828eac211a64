// Host: who runs the code. Operations on values ask it for memory, report their work
// to it, and call back functions through it.
//
//   1. Every loop whose length a program chooses calls Step once a round.
//   2. Every allocation whose size a program chooses calls Reserve first.
//   3. Every recursion over nested values holds a NestedScope.
//
// Thread safety: none; one thread a Host.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "frontend_lang/script/values/error.h"
#include "frontend_lang/script/values/heap.h"
#include "frontend_lang/script/values/stack_limit.h"

namespace espalier::lang {

struct Limits {
  std::int64_t max_bytes = std::int64_t{2048} << 20;
  std::int64_t max_steps = std::numeric_limits<std::int64_t>::max();
  std::optional<std::chrono::milliseconds> timeout;
  int max_nesting = 1000;  // of values within values, where an operation recurses
};

struct Keyword {
  std::string_view name;
  Value value;
};

// The arguments of one call; borrowed for its time.
struct Args {
  std::span<const Value> positional;
  std::span<const Keyword> keywords;
};

class Host {
 public:
  explicit Host(const Limits& limits);
  virtual ~Host() = default;
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  Heap& heap() { return heap_; }
  const Limits& limits() const { return limits_; }
  std::int64_t num_steps() const { return num_steps_; }

  // Reports `count` units of work (about a microsecond each, at most); a limit error
  // when steps, time or memory are used up.
  Fault Step(std::int64_t count = 1) {
    num_steps_ += count;
    if (num_steps_ < check_at_ && !heap_.needs_look()) [[likely]]
      return Fault();
    return CheckLimits();
  }

  // The same at once, without a step: what has waited for long asks it.
  Fault CheckLimits();

  // Step(), where it surely succeeds; otherwise false, and nothing is reported.
  bool TryStep() {
    if (num_steps_ + 1 >= check_at_ || heap_.needs_look()) [[unlikely]]
      return false;
    ++num_steps_;
    return true;
  }

  // When the time limit ends.
  std::optional<std::chrono::steady_clock::time_point> deadline() const { return deadline_; }

  // A limit error when size_bytes more would pass the memory limit.
  Fault Reserve(std::int64_t size_bytes);
  // The same for count * unit_bytes, which may be too large for 64 bits.
  Fault Reserve(std::int64_t count, std::int64_t unit_bytes);

  // Reports a look at size_bytes of text, for operations that make nothing as long.
  Fault StepOver(std::size_t size_bytes) {
    return Step(static_cast<std::int64_t>(size_bytes / 1024));
  }

  // What a reached memory limit is.
  Fault OutOfMemory() const;

  // Calls a function value (or any callable extension object).
  virtual Outcome<Value> Call(const Value& callee, const Args& args);

 private:
  const Limits limits_;
  Heap heap_;
  std::int64_t num_steps_ = 0;
  std::int64_t check_at_ = 0;  // step at which to look at the clock again
  std::optional<std::chrono::steady_clock::time_point> deadline_;
};

// One level of a recursion over nested values.
//   NestedScope scope(host);
//   ESP_TRY(scope.Check());
class NestedScope {
 public:
  explicit NestedScope(const Host& host) : host_(host) { ++StackDepth(); }
  ~NestedScope() { --StackDepth(); }
  NestedScope(const NestedScope&) = delete;
  NestedScope& operator=(const NestedScope&) = delete;

  Fault Check() const;  // a RecursionError at the limit, and at the end of the stack

 private:
  const Host& host_;
};

}  // namespace espalier::lang
