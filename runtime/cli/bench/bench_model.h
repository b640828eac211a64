// BenchModel: the model that a run of `bench programs` has: a real one on a thread of its own
// by the clock on the wall, or a simulated one in its own time.
//
// Thread safety: none; one thread.
#pragma once

#include <chrono>
#include <memory>

#include "kernels/base/status.h"
#include "runtime/cli/bench/simulated_machine.h"
#include "runtime/cli/bench/stepped_port.h"
#include "runtime/cli/flags.h"
#include "runtime/local/local_model.h"

namespace espalier {

class BenchModel {
 public:
  // `machine`: what to simulate; null: nothing. Fails as LoadLocalModel does.
  static Result<std::unique_ptr<BenchModel>> Load(const CommonFlags& flags,
                                                  const SimulatedMachine* machine);
  BenchModel(const BenchModel&) = delete;
  BenchModel& operator=(const BenchModel&) = delete;

  LocalModel& local() { return *local_; }
  EventPort& port() { return is_simulated_ ? static_cast<EventPort&>(stepped_) : local_->events(); }
  double Seconds() const;  // since it was loaded, by its clock

 private:
  BenchModel() = default;
  Status Simulate(LocalModelOptions options, const SimulatedMachine& machine);

  bool is_simulated_ = false;
  double simulated_s_ = 0;
  std::chrono::steady_clock::time_point start_;
  SteppedPort stepped_;
  std::unique_ptr<LocalModel> local_;  // goes first
};

}  // namespace espalier
