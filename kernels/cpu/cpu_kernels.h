// Kernels on the CPU: cuts every op into slices, hands them to the thread pool, and
// leaves the arithmetic to one table of ops (kernels/cpu/ops.h).
#pragma once

#include <memory>

#include "kernels/cpu/ops.h"
#include "kernels/kernels.h"

namespace espalier {

// `pool` must outlive the result.
std::unique_ptr<Kernels> NewCpuKernels(const CpuOps& ops, Precision precision, ThreadPool& pool);

}  // namespace espalier
