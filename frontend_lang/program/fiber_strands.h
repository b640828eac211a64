// FiberStrands: functions that run beside the script (asyncio.to_thread), each in a fiber
// of its own, so that their model calls are under way together; and the waits of scripts.
//
// Thread safety: none; one thread a program.
#pragma once

#include <functional>
#include <utility>

#include "frontend_lang/program/executor.h"
#include "frontend_lang/script/machine/machine.h"
#include "kernels/base/random.h"

namespace espalier::program {

class FiberStrands final : public script::Strands {
 public:
  explicit FiberStrands(Executor& executor) : executor_(executor) {}

  void Start(std::function<void()> body, Begin begin) override {
    Fiber& starter = executor_.current();
    executor_.Spawn(ChildSeed(starter.seed, starter.num_calls++), std::move(body));
    if (begin == Begin::kNow) executor_.RunNewest();
  }
  lang::Fault Wait(std::function<void()>& wake, Deadline deadline, Sleep sleep) override {
    wake = [this, fiber = &executor_.current()] { executor_.Unpark(*fiber); };
    lang::Fault fault = executor_.Park(deadline, sleep);
    wake = nullptr;
    return fault;
  }

 private:
  Executor& executor_;
};

}  // namespace espalier::program
