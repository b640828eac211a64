// KvPool: the memory of all KV pages: for each layer an array of K and one of V.
//
// Thread safety: thread-compatible; the forward pass writes only the slots that
// its batch names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/base/status.h"
#include "kernels/kernels.h"

namespace espalier {

struct KvShape {
  std::int32_t num_layers = 0;
  std::int32_t num_kv_heads = 0;
  std::int32_t head_dim = 0;
  std::int32_t page_size = 16;
  DType dtype = DType::kF16;

  std::int64_t bytes_per_token() const {
    return std::int64_t{2} * num_layers * num_kv_heads * head_dim * Traits(dtype).block_bytes;
  }
};

class KvPool {
 public:
  // The memory is reserved, and touched as it is first written. kInvalidArgument if the
  // shape is none that Kernels can use (KvLayer) or num_pages < 1; kLimit if the system
  // does not give so much memory.
  static Result<KvPool> Create(const KvShape& shape, int num_pages);
  KvPool(KvPool&&) noexcept;
  KvPool& operator=(KvPool&&) noexcept;
  ~KvPool();

  const KvLayer& layer(int i) const { return layers_[static_cast<std::size_t>(i)]; }
  const KvShape& shape() const { return shape_; }
  int num_pages() const { return num_pages_; }

 private:
  KvPool() = default;
  KvShape shape_;
  int num_pages_ = 0;
  void* memory_ = nullptr;  // one anonymous mapping
  std::size_t size_bytes_ = 0;
  std::vector<KvLayer> layers_;
};

}  // namespace espalier
