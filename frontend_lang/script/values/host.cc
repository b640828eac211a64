#include "frontend_lang/script/values/host.h"

#include <algorithm>
#include <string>

#include "frontend_lang/script/values/extension.h"

namespace espalier::lang {
namespace {

constexpr std::int64_t kStepsBetweenLooks = 4096;  // at the clock

}  // namespace

Host::Host(const Limits& limits) : limits_(limits), heap_(limits.max_bytes) {
  if (limits.timeout) deadline_ = std::chrono::steady_clock::now() + *limits.timeout;
}

Fault Host::OutOfMemory() const {
  return LimitError("the memory limit of " + std::to_string(limits_.max_bytes >> 20) +
                    " MiB is reached");
}

Fault Host::CheckLimits() {
  heap_.Looked();
  if (heap_.over_limit()) return OutOfMemory();
  if (num_steps_ >= limits_.max_steps) {
    return LimitError("the limit of " + std::to_string(limits_.max_steps) + " steps is reached");
  }
  if (deadline_ && std::chrono::steady_clock::now() >= *deadline_) {
    return LimitError("the time limit of " + std::to_string(limits_.timeout->count()) +
                      " ms is reached");
  }
  check_at_ = std::min(limits_.max_steps, num_steps_ + kStepsBetweenLooks);
  return Fault();
}

Fault Host::Reserve(std::int64_t size_bytes) {
  return heap_.HasRoom(size_bytes) ? Fault() : OutOfMemory();
}

Fault Host::Reserve(std::int64_t count, std::int64_t unit_bytes) {
  std::int64_t size_bytes = 0;
  if (__builtin_mul_overflow(count, unit_bytes, &size_bytes)) return OutOfMemory();
  return Reserve(size_bytes);
}

Outcome<Value> Host::Call(const Value& callee, const Args& args) {
  NestedScope scope(*this);
  ESP_TRY(scope.Check());
  ESP_TRY(Step());
  if (callee.is_extension()) return ExtensionOf(callee).Call(*this, args);
  return TypeError("'" + std::string(TypeName(callee)) + "' object is not callable");
}

Fault NestedScope::Check() const {
  if (StackDepth() <= host_.limits().max_nesting && StackHasRoom()) return Fault();
  return Raise("RecursionError", "maximum recursion depth exceeded");
}

}  // namespace espalier::lang
