// The ops of kernels/cuda/ops.h as a Kernels: what runs a model on a GPU, and in the emulator.
//
// Arrays that its methods get are memory of the device: on a GPU from Allocate, in the
// emulator any.
//
// Thread safety: as Kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "kernels/base/status.h"
#include "kernels/kernels.h"

namespace espalier {

// Its ops may still run when a method returns.
class DeviceKernels : public Kernels {
 public:
  // Until all ops are done. kInternal with the first fault there was; it stays.
  virtual Status Wait() = 0;
  // Memory that the host sees too, as long as these Kernels live. Null if there is no more.
  virtual void* Allocate(std::size_t size_bytes) = 0;
};

namespace emulated {
// `seed` decides the order of threads and blocks; results do not depend on it.
std::unique_ptr<DeviceKernels> NewDeviceKernels(std::uint64_t seed);
}  // namespace emulated

namespace cuda {
// On the current device. REQUIRES: the build has CUDA and the machine a device.
std::unique_ptr<DeviceKernels> NewDeviceKernels();
}  // namespace cuda

}  // namespace espalier
