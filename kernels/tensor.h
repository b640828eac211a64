// TensorView: a pointer, a dtype and a shape. Owns nothing and copies for free.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace espalier {

// One row per element type. This table is the only list of them: sizes, names,
// file ids and dispatch all come from it.
//     name    block bytes  text    id in GGUF
#define ESP_FOR_EACH_DTYPE(X)    \
  X(kF32, 1, 4, "f32", 0)        \
  X(kF16, 1, 2, "f16", 1)        \
  X(kBF16, 1, 2, "bf16", 30)     \
  X(kQ4_0, 32, 18, "q4_0", 2)    \
  X(kQ4_1, 32, 20, "q4_1", 3)    \
  X(kQ5_0, 32, 22, "q5_0", 6)    \
  X(kQ5_1, 32, 24, "q5_1", 7)    \
  X(kQ8_0, 32, 34, "q8_0", 8)    \
  X(kQ4_K, 256, 144, "q4_k", 12) \
  X(kQ5_K, 256, 176, "q5_k", 13) \
  X(kQ6_K, 256, 210, "q6_k", 14)

enum class DType : std::uint8_t {
#define ESP_ROW(name, block, bytes, text, id) name,
  ESP_FOR_EACH_DTYPE(ESP_ROW)
#undef ESP_ROW
};

struct DTypeTraits {
  DType dtype;
  std::int32_t block_size;  // elements
  std::int32_t block_bytes;
  const char* name;
  std::uint32_t gguf_id;
};

inline constexpr std::array kDTypeTraits = {
#define ESP_ROW(name, block, bytes, text, id) DTypeTraits{DType::name, block, bytes, text, id},
    ESP_FOR_EACH_DTYPE(ESP_ROW)
#undef ESP_ROW
};
constexpr const DTypeTraits& Traits(DType t) { return kDTypeTraits[static_cast<std::size_t>(t)]; }
static_assert(Traits(DType::kQ4_0).block_bytes == 18);

// Row-major and contiguous. A matrix that maps `columns` inputs to `rows` outputs has
// shape {rows, columns}; a vector {1, n}. REQUIRES: columns % block_size == 0.
struct TensorView {
  const void* data = nullptr;
  DType dtype = DType::kF32;
  std::int64_t rows = 0;
  std::int64_t columns = 0;

  std::int64_t row_bytes() const {
    return columns / Traits(dtype).block_size * Traits(dtype).block_bytes;
  }
  std::int64_t size_bytes() const { return rows * row_bytes(); }
};

}  // namespace espalier
