// StepIterator: an iterator whose step is a function. It holds its state in the
// function, and drops it at its end.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "frontend_lang/script/machine/objects.h"

namespace espalier::script {

class StepIterator final : public lang::Iterator {
 public:
  // Puts the next value into `value`; false at the end.
  using Step = std::function<Outcome<bool>(Host& host, Value& value)>;

  // `name` is a literal.
  StepIterator(Heap& heap, std::string_view name, Step step)
      : Iterator(heap), name_(name), step_(std::make_shared<Step>(std::move(step))) {}

  std::string_view TypeName() const override { return name_; }
  Outcome<bool> Next(Host& host, Value& value) override {
    const std::shared_ptr<Step> running = step_;  // the step may ask this iterator, and end it
    if (running == nullptr || !*running) return false;
    auto more = (*running)(host, value);
    if (!more.ok() || !*more) step_ = nullptr;
    return more;
  }

 private:
  void Clear() override { step_ = nullptr; }

  std::string_view name_;
  std::shared_ptr<Step> step_;
};

// The next value of an iterator that may run script.
inline Outcome<bool> NextOf(Host& host, const Value& iterator, Value& value) {
  const Value held = iterator;
  ESP_TRY(host.Step());
  return lang::Next(host, held, value);
}

inline Outcome<Value> CallOne(Host& host, const Value& function, const Value& argument) {
  const Value callee = function, held = argument;
  return host.Call(callee, Args{{&held, 1}, {}});
}

}  // namespace espalier::script
