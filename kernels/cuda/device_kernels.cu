#include "kernels/cuda/device_kernels.h"

#include <algorithm>
#include <vector>

#include "kernels/base/check.h"
#include "kernels/cuda/ops.h"

namespace espalier::ESP_DEVICE {
namespace {

struct ReleaseManaged {
  void operator()(void* memory) const { DeleteManaged(memory); }
};
using Managed = std::unique_ptr<void, ReleaseManaged>;

// An array that keeps its memory from step to step.
template <typename T>
class DeviceArray {
 public:
  std::span<T> Resize(std::size_t size) {
    if (size > capacity_) {
      memory_.reset(NewManaged(size * sizeof(T)));
      ESP_CHECK(memory_ != nullptr) << "no memory for " << size * sizeof(T) << " bytes";
      capacity_ = size;
    }
    return {static_cast<T*>(memory_.get()), size};
  }
  std::span<const T> Copy(std::span<const T> from) {
    const std::span<T> to = Resize(from.size());
    std::copy(from.begin(), from.end(), to.begin());
    return to;
  }

 private:
  Managed memory_;
  std::size_t capacity_ = 0;
};

class DeviceMatrix final : public Matrix {
 public:
  explicit DeviceMatrix(const TensorView& view) : view_(view) {}
  std::int64_t rows() const override { return view_.rows; }
  std::int64_t columns() const override { return view_.columns; }
  std::int64_t size_bytes() const override { return 0; }
  const TensorView& view() const { return view_; }

 private:
  TensorView view_;
};

// The input as halves.
struct DeviceActivations final : Activations {
  int num_tokens = 0;
  int width = 0;
  std::span<std::uint16_t> x;
  DeviceArray<std::uint16_t> memory;
};

class StreamKernels final : public DeviceKernels {
 public:
  explicit StreamKernels(Stream stream) : stream_(std::move(stream)) {}

  std::string_view isa() const override { return "cuda"; }
  Status Wait() override {
    const std::string fault = stream_.Wait();
    return fault.empty() ? Status() : Status(Code::kInternal, fault);
  }
  void* Allocate(std::size_t size_bytes) override {
    return allocated_.emplace_back(NewManaged(size_bytes)).get();
  }

  std::unique_ptr<Matrix> Pack(const TensorView& weight) override {
    ESP_CHECK(weight.columns % Traits(weight.dtype).block_size == 0);
    return std::make_unique<DeviceMatrix>(weight);
  }
  std::unique_ptr<Activations> NewActivations(int max_tokens, int max_width) override {
    auto activations = std::make_unique<DeviceActivations>();
    const auto width = static_cast<std::size_t>(max_width);
    activations->x = activations->memory.Resize(static_cast<std::size_t>(max_tokens) * width);
    return activations;
  }

  void Embed(const TensorView& table, std::span<const TokenId> tokens, float* out) override {
    ESP_DEVICE::Embed(stream_, table, tokens, out);
  }
  void RmsNorm(const float* x, const float* weight, float eps, int num_rows, int width,
               float* y) override {
    ESP_DEVICE::RmsNorm(stream_, {x, weight, eps, num_rows, width, y});
  }
  void Quantize(const float* x, int num_tokens, int width, Activations& to) override {
    auto& halves = static_cast<DeviceActivations&>(to);
    const std::int64_t size = std::int64_t{num_tokens} * width;
    ESP_CHECK(size <= std::ssize(halves.x)) << num_tokens << " x " << width;
    halves.num_tokens = num_tokens;
    halves.width = width;
    ToHalves(stream_, x, size, halves.x.data());
  }
  void RmsNormQuantize(const float* x, const float* weight, float eps, ActivationRows y,
                       Activations& to) override {
    RmsNorm(x, weight, eps, y.num_tokens, y.width, y.x);
    Quantize(y.x, y.num_tokens, y.width, to);
  }
  void SiluMulQuantize(const float* gate, const float* up, ActivationRows y,
                       Activations& to) override {
    SiluMul(gate, up, std::int64_t{y.num_tokens} * y.width, y.x);
    Quantize(y.x, y.num_tokens, y.width, to);
  }

  using Kernels::Linear;
  void Linear(std::span<const LinearTask> tasks, const Activations& x) override {
    const auto& halves = static_cast<const DeviceActivations&>(x);
    for (const LinearTask& task : tasks) {
      ESP_CHECK(halves.width == task.w->columns()) << halves.width << ", " << task.w->columns();
      ESP_DEVICE::Linear(stream_, static_cast<const DeviceMatrix&>(*task.w).view(),
                         {halves.x.data(), halves.num_tokens, task.y, task.output});
    }
  }

  void Add(const float* y, std::int64_t size, float* x) override {
    ESP_DEVICE::Add(stream_, y, size, x);
  }
  void AddBias(const float* bias, int num_rows, int width, float* y) override {
    ESP_DEVICE::AddBias(stream_, bias, num_rows, width, y);
  }
  void Rope(const RopeTable& table, std::span<const std::int32_t> position, int num_heads,
            int head_dim, float* x) override {
    ESP_DEVICE::Rope(stream_, table, {position, num_heads, head_dim, x});
  }
  void StoreKv(const float* k, const float* v, std::span<const std::int32_t> slot_start,
               std::span<const std::int32_t> slots, const KvLayer& kv) override {
    ESP_DEVICE::StoreKv(stream_, {k, v, slot_start, slots}, kv);
  }
  void CopyPages(std::span<const PageCopy> copies, const KvLayer& kv) override {
    ESP_DEVICE::CopyPages(stream_, copies, kv);
  }
  void PlanAttention(const AttentionRows& rows, int page_size) override;
  void Attention(const float* q, const KvLayer& kv, int num_heads, float scale,
                 float* out) override;
  void SiluMul(const float* gate, const float* up, std::int64_t size, float* out) override {
    ESP_DEVICE::SiluMul(stream_, gate, up, size, out);
  }

 private:
  Stream stream_;
  std::vector<Managed> allocated_;
  AttentionRows rows_;  // of the plan
  std::int32_t num_pages_ = 0;
  AttentionPlan plan_;
  std::vector<AttentionPlan::Part> parts_;  // of all levels, one after the other
  DeviceArray<AttentionPlan::Part> device_parts_;
  DeviceArray<std::int32_t> device_tokens_;
  DeviceArray<float> partials_;
};

void StreamKernels::PlanAttention(const AttentionRows& rows, int page_size) {
  ESP_CHECK(kAttentionChunk % page_size == 0);
  rows_ = rows;
  num_pages_ = 0;
  for (const PageId page : rows.pages) num_pages_ = std::max(num_pages_, Index(page) + 1);
  plan_.Make(rows, page_size);
  parts_.clear();
  for (int level = 0; level < plan_.num_levels(); ++level) {
    const auto parts = plan_.level(level);
    parts_.insert(parts_.end(), parts.begin(), parts.end());
  }
  device_parts_.Copy(parts_);
  device_tokens_.Copy(plan_.tokens());
}

void StreamKernels::Attention(const float* q, const KvLayer& kv, int num_heads, float scale,
                              float* out) {
  const auto num_queries = rows_.position.size() * static_cast<std::size_t>(num_heads);
  const std::span<const AttentionPlan::Part> parts = device_parts_.Resize(parts_.size());
  std::size_t first = 0;
  for (int level = 0; level < plan_.num_levels(); ++level) {
    const std::size_t num_parts = plan_.level(level).size();
    ESP_DEVICE::Attention(stream_,
                          {.parts = parts.subspan(first, num_parts),
                           .tokens = device_tokens_.Resize(plan_.tokens().size()),
                           .rows = rows_,
                           .num_pages = num_pages_,
                           .q = q,
                           .num_heads = num_heads,
                           .scale = scale,
                           .partial = partials_.Resize(2 * num_queries).data(),
                           .out = out},
                          kv);
    first += num_parts;
  }
}

}  // namespace

#if defined(__CUDACC__)
std::unique_ptr<DeviceKernels> NewDeviceKernels() {
  return std::make_unique<StreamKernels>(Stream());
}
#else
std::unique_ptr<DeviceKernels> NewDeviceKernels(std::uint64_t seed) {
  return std::make_unique<StreamKernels>(Stream(seed));
}
#endif

}  // namespace espalier::ESP_DEVICE
