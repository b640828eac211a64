// CpuOps: what an instruction set must provide, as a table of plain functions on flat
// arrays. cpu_kernels.cc cuts each op into slices for the threads and calls these.
//
// The table of `scalar` (the reference) defines every op; a table of another
// instruction set gives the same bits, so any of its entries may be the reference's.
// A slice's result depends on no other slice.
//
// Thread safety: functions of their arguments; slices run at the same time.
//
// Files named *_<isa>.cc are compiled for that instruction set. They may use nothing
// that the linker could take for the whole program's copy: no inline function or
// template of a shared header, only the plain structs declared here.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernels.h"

namespace espalier {

// Weights are cut into tiles of rows; slices of linear layers begin at a tile.
inline constexpr int kTileRows = 32;
inline constexpr int kActivationBlock = 32;
inline constexpr int kLanes = 16;  // of reductions

// The input of linear layers, [num_tokens, width] each unless noted. The quantized form is
// filled where kActivationBlock divides width; other widths have float weights only.
struct Rows {
  int num_tokens = 0;
  int width = 0;
  const float* x = nullptr;     // the caller's
  std::int8_t* q = nullptr;     // x / d, rounded
  float* d = nullptr;           // [num_tokens, width / 32] steps of q
  float* sum_d = nullptr;       // [num_tokens, width / 32] float(sum of q) * d
  std::int32_t* sum = nullptr;  // [num_tokens, width / 16] sums of 16 q
};

// Rows [row_begin, row_end) of one linear layer; row_begin is a multiple of kTileRows.
struct LinearSlice {
  const TensorView* weight = nullptr;
  const std::byte* packed = nullptr;  // by the same table; null if not packed
  std::int64_t row_begin = 0;
  std::int64_t row_end = 0;
  float* y = nullptr;        // [num_tokens, weight->rows]
  float* scratch = nullptr;  // [(kTileRows + 1) * weight->columns]
};

// Some tokens that see the same pages in chunks [chunk_begin, chunk_end) of kAttentionChunk
// positions, for the query heads of one KV head. Slices of a token run in the order of
// their chunks; what the earlier ones came to lies in `out` (the weighted V) and `partial`.
struct AttentionSlice {
  const float* q = nullptr;                // [num_tokens, num_heads, head_dim]
  const std::int32_t* position = nullptr;  // [num_tokens]
  const PageId* pages = nullptr;           // of any row of these tokens, from position 0 on
  const KvLayer* kv = nullptr;
  int num_heads = 0;
  float scale = 0;
  const std::int32_t* tokens = nullptr;  // [num_tokens], at most kAttentionTokens
  int num_tokens = 0;
  int chunk_begin = 0;
  int chunk_end = 0;
  int kv_head = 0;
  float* scratch = nullptr;  // [AttentionScratchSize(head_dim)]
  float* partial = nullptr;  // [num_tokens, num_heads, 2] max and sum
  float* out = nullptr;      // [num_tokens, num_heads, head_dim]
};

// At most this many tokens in an AttentionSlice.
inline constexpr int kAttentionTokens = 8;
// At most this many queries are taken through a chunk together.
inline constexpr int kAttentionQueries = 3;

// Floats: K and V of one chunk, and weighted V of that chunk for each query.
constexpr std::size_t AttentionScratchSize(int head_dim) {
  const auto padded = static_cast<std::size_t>((head_dim + 7) / 8 * 8);
  return padded * (2 * kAttentionChunk + kAttentionQueries);
}

struct CpuOps {
  std::string_view isa;

  // Bytes of one tile in this table's layout, and the packing of tiles [begin, end). Both
  // null where linear reads the file's layout.
  std::size_t (*tile_bytes)(const TensorView& weight);
  void (*pack_tiles)(const TensorView& weight, std::int64_t begin, std::int64_t end,
                     std::byte* packed);

  // y = x w^T by the rule of the weight's format, and with dequantized weights.
  void (*linear)(const LinearSlice& slice, const Rows& x);
  void (*linear_exact)(const LinearSlice& slice, const Rows& x);

  // Fills tokens [begin, end) of the quantized form.
  void (*quantize)(const Rows& rows, int begin, int end);

  void (*attention)(const AttentionSlice& slice);

  // One row each; the contracts are in kernels/kernels.h.
  void (*rms_norm)(const float* x, const float* weight, float eps, int width, float* y);
  void (*add)(const float* y, std::int64_t size, float* x);
  void (*silu_mul)(const float* gate, const float* up, std::int64_t size, float* out);

  // All heads of one token. cos and sin: [rotary_dim / 2] of its position.
  void (*rope)(const RopeTable& table, const float* cos, const float* sin, int num_heads,
               int head_dim, float* x);

  // One token's k and v into one slot.
  void (*store_kv)(const float* k, const float* v, std::int32_t slot, const KvLayer& kv);
};

const CpuOps& ScalarOps();
#if defined(__x86_64__)
const CpuOps& Avx2Ops();
const CpuOps& Avx512VnniOps();
#endif

}  // namespace espalier
