// FiberStrands: functions that run beside the script (asyncio.to_thread), each in a fiber
// of its own, so that their model calls are under way together.
//
// Thread safety: none; one thread a program.
#pragma once

#include <functional>
#include <utility>

#include "frontend_lang/program/executor.h"
#include "frontend_lang/script/machine.h"
#include "kernels/base/random.h"

namespace espalier::program {

class FiberStrands final : public script::Strands {
 public:
  explicit FiberStrands(Executor& executor) : executor_(executor) {}

  void Start(std::function<void()> body) override {
    Fiber& starter = executor_.current();
    executor_.Spawn(ChildSeed(starter.seed, starter.num_calls++), std::move(body));
  }
  lang::Fault WaitUntil(const std::function<bool()>& done) override {
    return executor_.WaitUntil(nullptr, done);
  }

 private:
  Executor& executor_;
};

}  // namespace espalier::program
