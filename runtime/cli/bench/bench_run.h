// One run of `bench programs`: a workload with one setting on a fresh model, as a row.
//
// Thread safety: none; one thread.
#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

#include "kernels/base/status.h"
#include "runtime/cli/bench/simulated_machine.h"
#include "runtime/cli/bench/workloads.h"
#include "runtime/cli/flags.h"

namespace espalier {

struct BenchRun {
  const BenchWorkload& workload;
  std::string_view variant;  // for the row
  CommonFlags flags;         // with the variant's settings
  int num_programs = 1;
  double scale = 1;
  const SimulatedMachine* machine = nullptr;  // null: the real model

  // The row (README.md says what it has). Fails as the program does.
  Result<nlohmann::ordered_json> Run() const;
};

}  // namespace espalier
