// One Kernels of each kind for the conformance tests: the CPU's reference, the emulated
// kernels under several orders of threads, and a GPU where there is one.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "kernels/cuda/device_kernels.h"
#include "kernels/kernels.h"

namespace espalier::test {

struct DeviceKind {
  enum class Type : std::uint8_t { kCpu, kEmulated, kCuda } type;
  std::uint64_t seed;
};

inline std::string NameOf(const ::testing::TestParamInfo<DeviceKind>& kind) {
  switch (kind.param.type) {
    case DeviceKind::Type::kCpu: return "cpu";
    case DeviceKind::Type::kEmulated: return "emulated_" + std::to_string(kind.param.seed);
    case DeviceKind::Type::kCuda: return "cuda";
  }
  return "";
}

class DeviceFixture : public ::testing::TestWithParam<DeviceKind> {
 protected:
  DeviceFixture() : one_(1) {
    reference_ = MakeKernels({.isa = "scalar", .precision = Precision::kExact}, one_).value();
  }
  void SetUp() override {
    if (GetParam().type == DeviceKind::Type::kEmulated) {
      device_ = emulated::NewDeviceKernels(GetParam().seed);
    } else if (GetParam().type == DeviceKind::Type::kCuda) {
      GTEST_SKIP() << "this program is built without CUDA";
    }
  }

  Kernels& reference() { return *reference_; }
  Kernels& kernels() { return device_ != nullptr ? *device_ : *reference_; }
  bool is_cpu() const { return GetParam().type == DeviceKind::Type::kCpu; }

  void Finish() {
    if (device_ == nullptr) return;
    const Status status = device_->Wait();
    ASSERT_TRUE(status.ok()) << status.message();
  }

  // A copy of `from` where the kernels can reach it.
  template <typename T>
  std::span<T> Put(const std::vector<T>& from) {
    void* memory = nullptr;
    if (device_ != nullptr) {
      memory = device_->Allocate(from.size() * sizeof(T));
    } else {
      memory = memory_.emplace_back(from.size() * sizeof(T)).data();
    }
    std::memcpy(memory, from.data(), from.size() * sizeof(T));
    return {static_cast<T*>(memory), from.size()};
  }

 private:
  ThreadPool one_;
  std::unique_ptr<Kernels> reference_;
  std::unique_ptr<DeviceKernels> device_;
  std::vector<std::vector<std::byte>> memory_;
};

inline const auto kDeviceKinds = ::testing::Values(
    DeviceKind{DeviceKind::Type::kCpu, 0}, DeviceKind{DeviceKind::Type::kEmulated, 1},
    DeviceKind{DeviceKind::Type::kEmulated, 2}, DeviceKind{DeviceKind::Type::kEmulated, 3},
    DeviceKind{DeviceKind::Type::kCuda, 0});

template <typename T>
void ExpectSameBytes(std::span<const T> expected, std::span<const T> actual,
                     const std::string& what) {
  ASSERT_EQ(expected.size(), actual.size()) << what;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(std::memcmp(&expected[i], &actual[i], sizeof(T)), 0)
        << what << ", element " << i << ": " << expected[i] << " and " << actual[i];
  }
}

}  // namespace espalier::test
