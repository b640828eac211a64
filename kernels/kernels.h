// Kernels: every operation that the models need, on one device.
//
// The reference (`kernels/cpu/reference.h`) is the plain loop that defines each op; every
// other version gives the same bits on a CPU (memcmp, NaNs' payloads aside) and stays
// within the conformance test's tolerance elsewhere. A row's arithmetic depends on its own
// tokens and positions only: never on the batch, the threads, the instruction set or who
// shares its pages.
//
// The order of arithmetic:
//   quantized linear  activations in blocks of 32: d = f16(max|x| / 127), at most
//                     65504; q = round-to-even(x * (1 / d)) kept within +-127, 0
//                     where d is 0. Block sums of weight * q are exact integers.
//                     Per block (K-quants: per sub-block) in index order:
//                     x = float(sum) * d, f = fma(x, d_w, f); then, where the
//                     format has a minimum, f = fma(m_w, float(sum of q) * d, f).
//                     A K-quant's d_w and m_w are products rounded to float32 once.
//   float linear      one fma chain an output, k ascending.
//   attention         chunks of kAttentionChunk positions; q.k one fma chain over
//                     head_dim; p.V one fma chain over positions; per chunk
//                     (max, sum, weighted V), merged in chunk order.
//   reductions        16 virtual lanes (element i in lane i % 16), folded
//                     8, 4, 2, 1.
//   exp, ln           the polynomials of kernels/math.h.
//
// Thread safety: one op at a time on one object (it uses the pool it was given).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "kernels/base/status.h"
#include "kernels/base/thread_pool.h"
#include "kernels/base/types.h"
#include "kernels/tensor.h"

namespace espalier {

inline constexpr int kAttentionChunk = 64;  // positions

// A weight matrix in the layout of the Kernels that packed it. Immutable.
class Matrix {
 public:
  virtual ~Matrix() = default;
  virtual std::int64_t rows() const = 0;
  virtual std::int64_t columns() const = 0;
  // Memory that this matrix owns beside the file's mapping.
  virtual std::int64_t size_bytes() const = 0;
};

// The input of linear layers in the form of the Kernels that made it: reused from
// layer to layer, so a step allocates nothing.
class Activations {
 public:
  virtual ~Activations() = default;
};

// Where rows of activations lie as floats: x [num_tokens, width].
struct ActivationRows {
  int num_tokens = 0;
  int width = 0;
  float* x = nullptr;
};

// One linear layer: y [num_tokens, w->rows()] = x w^T, or y += x w^T, which is the same
// bits as Add of the product.
enum class LinearOutput : std::uint8_t { kStore, kAdd };
struct LinearTask {
  const Matrix* w = nullptr;
  float* y = nullptr;
  LinearOutput output = LinearOutput::kStore;
};

// Which elements of a head turn together.
enum class RopePairs : std::uint8_t {
  kNeighbours,  // (2i, 2i + 1)
  kHalves,      // (i, i + rotary_dim / 2)
};

// cos and sin of each (position, pair), rounded to float32 from double.
struct RopeTable {
  std::span<const float> cos;  // [num_positions, rotary_dim / 2]
  std::span<const float> sin;
  std::int32_t rotary_dim = 0;  // <= head_dim; the rest of a head passes through
  RopePairs pairs = RopePairs::kNeighbours;
};

// One layer of the KV pool.
//   k  [num_pages][num_kv_heads][head_dim][page_size]
//   v  [num_pages][num_kv_heads][page_size][head_dim]
struct KvLayer {
  void* k = nullptr;
  void* v = nullptr;
  DType dtype = DType::kF16;  // kF16 (round to even), or kF32 for exact runs
  std::int32_t num_kv_heads = 0;
  std::int32_t head_dim = 0;
  std::int32_t page_size = 16;  // divides kAttentionChunk
};

// Which KV each token sees. Row r has tokens [start[r], start[r + 1]) and pages
// [page_start[r], page_start[r + 1]); token t sees positions 0 .. position[t].
struct AttentionRows {
  std::span<const std::int32_t> start;       // [num_rows + 1]
  std::span<const std::int32_t> position;    // [num_tokens]
  std::span<const std::int32_t> page_start;  // [num_rows + 1]
  std::span<const PageId> pages;
};

class Kernels {
 public:
  virtual ~Kernels() = default;

  // "scalar", "avx2", ...: what this object uses, for logs and `inspect model`.
  virtual std::string_view isa() const = 0;

  // Repacks `weight` {rows, columns}. The view's memory must outlive the Matrix.
  virtual std::unique_ptr<Matrix> Pack(const TensorView& weight) = 0;
  virtual std::unique_ptr<Activations> NewActivations(int max_tokens, int max_width) = 0;

  // out[i] = row tokens[i] of `table`, dequantized.  out [tokens.size(), columns]
  // REQUIRES: every token is in [0, table.rows).
  virtual void Embed(const TensorView& table, std::span<const TokenId> tokens, float* out) = 0;

  // y[i] = x[i] * (1 / sqrt(mean(x[i]^2) + eps)) * weight, per row of `width`. y may be x.
  virtual void RmsNorm(const float* x, const float* weight, float eps, int num_rows, int width,
                       float* y) = 0;

  // Prepares x [num_tokens, width] for Linear. x must outlive the use of `to`.
  // REQUIRES: num_tokens and width are within what NewActivations was asked for.
  virtual void Quantize(const float* x, int num_tokens, int width, Activations& to) = 0;

  // Quantize of what RmsNorm, or SiluMul, makes of each row, with one hand-over to the
  // threads. y [num_tokens, width] is what was quantized.
  virtual void RmsNormQuantize(const float* x, const float* weight, float eps, ActivationRows y,
                               Activations& to) = 0;
  virtual void SiluMulQuantize(const float* gate, const float* up, ActivationRows y,
                               Activations& to) = 0;

  // Layers that read the same x, with num_tokens of its last Quantize.
  // REQUIRES: these Kernels made each w and x; the last Quantize had width w->columns().
  virtual void Linear(std::span<const LinearTask> tasks, const Activations& x) = 0;
  void Linear(const Matrix& w, const Activations& x, float* y) {
    const LinearTask task{&w, y};
    Linear({&task, 1}, x);
  }

  // x[i] += y[i]; and y [num_rows, width] += bias [width].
  virtual void Add(const float* y, std::int64_t size, float* x) = 0;
  virtual void AddBias(const float* bias, int num_rows, int width, float* y) = 0;

  // Rotates each head of x [position.size(), num_heads, head_dim] in place.
  // REQUIRES: every position has a row in `table`.
  virtual void Rope(const RopeTable& table, std::span<const std::int32_t> position, int num_heads,
                    int head_dim, float* x) = 0;

  // Writes token t's k and v [num_tokens, num_kv_heads, head_dim] to slots
  // [slot_start[t], slot_start[t + 1]); a slot is page * page_size + offset.
  virtual void StoreKv(const float* k, const float* v, std::span<const std::int32_t> slot_start,
                       std::span<const std::int32_t> slots, const KvLayer& kv) = 0;
  // Copies slots [0, num_slots) of page `from` to page `to`, in list order.
  virtual void CopyPages(std::span<const PageCopy> copies, const KvLayer& kv) = 0;

  // Decides how `rows` are attended to, in all layers alike: the Attentions that follow are of
  // them, until the next plan. REQUIRES: page_size divides kAttentionChunk.
  virtual void PlanAttention(const AttentionRows& rows, int page_size) = 0;
  // out [num_tokens, num_heads, head_dim] = softmax(scale * q k^T) v; query head h reads KV
  // head h / (num_heads / num_kv_heads). REQUIRES: num_kv_heads divides num_heads; the
  // planned rows are there still, and kv has their page size.
  virtual void Attention(const float* q, const KvLayer& kv, int num_heads, float scale,
                         float* out) = 0;

  // out[i] = gate[i] / (1 + exp(-gate[i])) * up[i]. out may be gate.
  virtual void SiluMul(const float* gate, const float* up, std::int64_t size, float* out) = 0;
};

enum class Precision : std::uint8_t {
  kQuantized,  // the rule above
  kExact,      // activations never quantized: each weight dequantized, float linear rule
};

struct KernelsOptions {
  std::string device = "cpu";
  std::string isa;  // empty: the best that this machine has
  Precision precision = Precision::kQuantized;
};

// kUnsupported if the device or instruction set is not built or not on this
// machine (the message lists those that are). `pool` must outlive the result.
Result<std::unique_ptr<Kernels>> MakeKernels(const KernelsOptions& options, ThreadPool& pool);

// The instruction sets that this build and this machine have, slowest first.
std::span<const std::string_view> AvailableIsas();

}  // namespace espalier
