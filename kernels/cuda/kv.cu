// StoreKv: a block is one token, its threads take the elements of all heads in turns.
// CopyPages: a thread has one place in a page and goes through all copies for it, so a copy
// sees what those before it in the list wrote, with no barrier.
#include <algorithm>

#include "kernels/cuda/ops.h"

namespace espalier::ESP_DEVICE {
namespace {

constexpr int kThreads = 256;

__device__ void Put(float value, float& to) { to = value; }
__device__ void Put(float value, std::uint16_t& to) { to = ToHalf(value); }

// One layer's arrays with elements of type T, and the shape of a page.
template <typename T>
struct KvArrays {
  Global<T> k;
  Global<T> v;
  int num_kv_heads;
  int head_dim;
  int page_size;
};

template <typename T>
KvArrays<T> ArraysOf(const KvLayer& kv, std::int64_t num_pages) {
  const std::int64_t size = num_pages * kv.num_kv_heads * kv.head_dim * kv.page_size;
  return {{static_cast<T*>(kv.k), size},
          {static_cast<T*>(kv.v), size},
          kv.num_kv_heads,
          kv.head_dim,
          kv.page_size};
}

struct NewRows {
  Global<const float> k;
  Global<const float> v;
  Global<const std::int32_t> slot_start;
  Global<const std::int32_t> slots;
};

template <typename T>
__global__ void StoreToken(NewRows rows, KvArrays<T> kv) {
  const std::int64_t token = blockIdx.x;
  const int width = kv.num_kv_heads * kv.head_dim;
  for (std::int32_t s = rows.slot_start[token]; Within(s, rows.slot_start[token + 1]); ++s) {
    const std::int64_t page = rows.slots[s] / kv.page_size;
    const int offset = rows.slots[s] % kv.page_size;
    for (int i = static_cast<int>(threadIdx.x); Within(i, width); i += kThreads) {
      const std::int64_t head = page * kv.num_kv_heads + i / kv.head_dim;
      const int dim = i % kv.head_dim;
      Put(rows.k[token * width + i], kv.k[(head * kv.head_dim + dim) * kv.page_size + offset]);
      Put(rows.v[token * width + i], kv.v[(head * kv.page_size + offset) * kv.head_dim + dim]);
    }
  }
}

template <typename T>
__global__ void CopyElements(Global<const PageCopy> copies, int num_copies, KvArrays<T> kv) {
  const std::int64_t page_elements = std::int64_t{kv.num_kv_heads} * kv.head_dim * kv.page_size;
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (!Within(i, page_elements)) return;
  const auto k_slot = static_cast<std::int32_t>(i % kv.page_size);
  const auto v_slot = static_cast<std::int32_t>(i / kv.head_dim % kv.page_size);
  for (int c = 0; Within(c, num_copies); ++c) {
    const std::int64_t from = Index(copies[c].from) * page_elements + i;
    const std::int64_t to = Index(copies[c].to) * page_elements + i;
    if (Within(k_slot, copies[c].num_slots)) kv.k[to] = kv.k[from];
    if (Within(v_slot, copies[c].num_slots)) kv.v[to] = kv.v[from];
  }
}

template <typename Fn>
void WithElementType(DType dtype, const Fn& fn) {
  if (dtype == DType::kF32) return fn.template operator()<float>();
  ESP_CHECK(dtype == DType::kF16) << "KV of " << Traits(dtype).name;
  fn.template operator()<std::uint16_t>();
}

}  // namespace

void StoreKv(Stream& stream, const KvRows& rows, const KvLayer& kv) {
  const std::int64_t num_tokens = std::ssize(rows.slot_start) - 1;
  if (num_tokens <= 0 || rows.slots.empty()) return;
  const std::int32_t last = *std::max_element(rows.slots.begin(), rows.slots.end());
  const std::int64_t size = num_tokens * kv.num_kv_heads * kv.head_dim;
  const NewRows arrays = {{rows.k, size},
                          {rows.v, size},
                          {rows.slot_start.data(), std::ssize(rows.slot_start)},
                          {rows.slots.data(), std::ssize(rows.slots)}};
  WithElementType(kv.dtype, [&]<typename T>() {
    Launch(stream, {static_cast<unsigned>(num_tokens)}, kThreads, StoreToken<T>, arrays,
           ArraysOf<T>(kv, last / kv.page_size + 1));
  });
}

void CopyPages(Stream& stream, std::span<const PageCopy> copies, const KvLayer& kv) {
  if (copies.empty()) return;
  std::int32_t last = 0;
  for (const PageCopy& copy : copies) last = std::max({last, Index(copy.from), Index(copy.to)});
  const std::int64_t page_elements = std::int64_t{kv.num_kv_heads} * kv.head_dim * kv.page_size;
  WithElementType(kv.dtype, [&]<typename T>() {
    Launch(stream, {NumBlocks(page_elements, kThreads)}, kThreads, CopyElements<T>,
           {copies.data(), std::ssize(copies)}, static_cast<int>(copies.size()),
           ArraysOf<T>(kv, std::int64_t{last} + 1));
  });
}

}  // namespace espalier::ESP_DEVICE
