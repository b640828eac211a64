// Waiters: the tasks that wait for something, as Queue, Lock and Event keep them.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <algorithm>
#include <deque>
#include <span>
#include <string_view>
#include <utility>

#include "frontend_lang/script/asyncio/future.h"

namespace espalier::script::asyncio {

// Futures of the tasks that wait, first come first.
class Waiters {
 public:
  Outcome<Value> Add(Machine& machine) {
    ESP_TRY_ASSIGN(EventLoop* const loop, NeedLoop(machine));
    futures_.push_back(loop->NewFuture());
    return futures_.back();
  }
  void Remove(const Value& future) {
    std::erase_if(futures_, [&](const Value& other) { return other.Is(future); });
  }
  // Wakes the first that still waits; false when there is none.
  bool WakeOne() {
    while (!futures_.empty()) {
      const Value first = futures_.front();
      futures_.pop_front();
      if (AsFuture(first)->done()) continue;
      AsFuture(first)->SetResult(Value::Bool(true));
      return true;
    }
    return false;
  }
  void WakeAll() {
    while (WakeOne()) {
    }
  }
  bool empty() const {
    return std::all_of(futures_.begin(), futures_.end(),
                       [](const Value& future) { return AsFuture(future)->done(); });
  }
  void Clear() { futures_.clear(); }

 private:
  std::deque<Value> futures_;
};

using Method = std::pair<std::string_view, lang::NativeCode>;

// The method of that name bound to `self`, or Unset.
inline Value MethodOf(std::span<const Method> methods, std::string_view name, const Value& self) {
  for (const auto& [method, code] : methods) {
    if (method == name) {
      return self.object()->heap().New<lang::NativeFunction>(method, code, self);
    }
  }
  return Value::Unset();
}

// Waits among `waiters` until ready() and then does take(), as a coroutine of `self`.
template <typename Ready, typename Take>
Value Until(const Value& self, Waiters& waiters, Ready ready, Take take) {
  Value waiter;
  return self.object()->heap().New<NativeCoroutine>(
      [=, &waiters](Machine& machine, const NativeCoroutine::Given& given,
                    Value& next) mutable -> Outcome<bool> {
        [[maybe_unused]] const Value& held = self;
        if (!given.error.is_unset()) {
          waiters.Remove(waiter);
          if (ready() && AsFuture(waiter) != nullptr && AsFuture(waiter)->done()) {
            waiters.WakeOne();  // it was meant for this one
          }
          return Throwing(given.error);
        }
        if (!ready()) {
          ESP_TRY_ASSIGN(waiter, waiters.Add(machine));
          next = waiter;
          return true;
        }
        ESP_TRY_ASSIGN(next, take(machine));
        return false;
      });
}

// The number that an argument gives; `otherwise` where it is absent.
Outcome<std::int64_t> CountOf(const Value& value, std::int64_t otherwise);

}  // namespace espalier::script::asyncio
