#include "kernels/cpu/cpu_kernels.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "kernels/base/check.h"
#include "kernels/cpu/attention_plan.h"
#include "kernels/quant/dequantize.h"
#include "kernels/quant/formats.h"

namespace espalier {
namespace {

// Elements below which handing work to other threads costs more than it saves.
constexpr std::int64_t kMinSlice = 8192;
constexpr int kSiluCost = 4;  // of an element, where others cost 1

struct FreeAligned {
  void operator()(void* p) const { ::operator delete(p, std::align_val_t{64}); }
};
template <typename T>
using AlignedArray = std::unique_ptr<T[], FreeAligned>;

template <typename T>
AlignedArray<T> NewAligned(std::size_t count) {
  return AlignedArray<T>(static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t{64})));
}

// The part of [0, count) that slice `index` of `num_slices` takes.
std::pair<std::int64_t, std::int64_t> Part(std::int64_t count, int index, int num_slices) {
  return {count * index / num_slices, count * (index + 1) / num_slices};
}

std::int64_t NumTiles(std::int64_t rows) { return (rows + kTileRows - 1) / kTileRows; }

class CpuMatrix final : public Matrix {
 public:
  CpuMatrix(const TensorView& view, std::size_t packed_bytes)
      : view_(view),
        packed_bytes_(packed_bytes),
        packed_(packed_bytes == 0 ? nullptr : NewAligned<std::byte>(packed_bytes)) {}

  std::int64_t rows() const override { return view_.rows; }
  std::int64_t columns() const override { return view_.columns; }
  std::int64_t size_bytes() const override { return static_cast<std::int64_t>(packed_bytes_); }

  const TensorView& view() const { return view_; }
  const std::byte* packed() const { return packed_.get(); }
  std::byte* mutable_packed() { return packed_.get(); }

 private:
  TensorView view_;
  std::size_t packed_bytes_;
  AlignedArray<std::byte> packed_;
};

class CpuActivations final : public Activations {
 public:
  CpuActivations(int max_tokens, int max_width) : max_tokens_(max_tokens), max_width_(max_width) {
    const auto size = static_cast<std::size_t>(max_tokens) * static_cast<std::size_t>(max_width);
    q_ = NewAligned<std::int8_t>(size);
    d_ = NewAligned<float>(size / kActivationBlock);
    sum_d_ = NewAligned<float>(size / kActivationBlock);
    sum_ = NewAligned<std::int32_t>(size / 16);
  }

  const Rows& Set(const float* x, int num_tokens, int width) {
    ESP_CHECK(num_tokens <= max_tokens_ && width <= max_width_)
        << num_tokens << " x " << width << " exceeds " << max_tokens_ << " x " << max_width_;
    rows_ = {num_tokens, width, x, q_.get(), d_.get(), sum_d_.get(), sum_.get()};
    return rows_;
  }
  const Rows& rows() const { return rows_; }

 private:
  int max_tokens_;
  int max_width_;
  AlignedArray<std::int8_t> q_;
  AlignedArray<float> d_;
  AlignedArray<float> sum_d_;
  AlignedArray<std::int32_t> sum_;
  Rows rows_;
};

class CpuKernels final : public Kernels {
 public:
  CpuKernels(const CpuOps& ops, Precision precision, ThreadPool& pool)
      : ops_(ops), precision_(precision), pool_(pool), scratch_(pool.num_threads()) {}

  std::string_view isa() const override { return ops_.isa; }

  std::unique_ptr<Matrix> Pack(const TensorView& weight) override {
    ESP_CHECK(weight.columns % Traits(weight.dtype).block_size == 0);
    const bool dequantizes = precision_ == Precision::kExact && IsQuantized(weight.dtype);
    if (ops_.tile_bytes == nullptr || dequantizes) return std::make_unique<CpuMatrix>(weight, 0);
    const std::int64_t num_tiles = NumTiles(weight.rows);
    auto matrix = std::make_unique<CpuMatrix>(
        weight, static_cast<std::size_t>(num_tiles) * ops_.tile_bytes(weight));
    const int num_slices = NumSlices(weight.rows * weight.columns, num_tiles);
    pool_.ParallelFor(num_slices, [&](int slice, int) {
      const auto [begin, end] = Part(num_tiles, slice, num_slices);
      ops_.pack_tiles(weight, begin, end, matrix->mutable_packed());
    });
    return matrix;
  }

  std::unique_ptr<Activations> NewActivations(int max_tokens, int max_width) override {
    return std::make_unique<CpuActivations>(max_tokens, max_width);
  }

  void Embed(const TensorView& table, std::span<const TokenId> tokens, float* out) override {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      DequantizeRow(table, tokens[i], out + static_cast<std::int64_t>(i) * table.columns);
    }
  }

  void RmsNorm(const float* x, const float* weight, float eps, int num_rows, int width,
               float* y) override {
    ForEachRow(num_rows, width, [&](int row) {
      const std::int64_t at = std::int64_t{row} * width;
      ops_.rms_norm(x + at, weight, eps, width, y + at);
    });
  }

  void Quantize(const float* x, int num_tokens, int width, Activations& to) override {
    const Rows& rows = SetRows(x, num_tokens, width, to);
    ForEachRow(num_tokens, width, [&](int row) { QuantizeRow(rows, row); });
  }

  void RmsNormQuantize(const float* x, const float* weight, float eps, ActivationRows y,
                       Activations& to) override {
    const Rows& rows = SetRows(y.x, y.num_tokens, y.width, to);
    ForEachRow(y.num_tokens, y.width, [&](int row) {
      const std::int64_t at = std::int64_t{row} * y.width;
      ops_.rms_norm(x + at, weight, eps, y.width, y.x + at);
      QuantizeRow(rows, row);
    });
  }

  void SiluMulQuantize(const float* gate, const float* up, ActivationRows y,
                       Activations& to) override {
    const Rows& rows = SetRows(y.x, y.num_tokens, y.width, to);
    ForEachRow(y.num_tokens, kSiluCost * y.width, [&](int row) {
      const std::int64_t at = std::int64_t{row} * y.width;
      ops_.silu_mul(gate + at, up + at, y.width, y.x + at);
      QuantizeRow(rows, row);
    });
  }

  using Kernels::Linear;
  void Linear(std::span<const LinearTask> tasks, const Activations& x) override;

  void Add(const float* y, std::int64_t size, float* x) override {
    ForEachPart(size, [&](std::int64_t begin, std::int64_t end) {
      ops_.add(y + begin, end - begin, x + begin);
    });
  }

  void AddBias(const float* bias, int num_rows, int width, float* y) override {
    ForEachRow(num_rows, width,
               [&](int row) { ops_.add(bias, width, y + std::int64_t{row} * width); });
  }

  void Rope(const RopeTable& table, std::span<const std::int32_t> position, int num_heads,
            int head_dim, float* x) override {
    const std::int64_t half = table.rotary_dim / 2;
    const int width = num_heads * head_dim;
    ForEachRow(static_cast<int>(position.size()), width, [&](int t) {
      const std::int64_t at = position[static_cast<std::size_t>(t)] * half;
      ops_.rope(table, table.cos.data() + at, table.sin.data() + at, num_heads, head_dim,
                x + std::int64_t{t} * width);
    });
  }

  void StoreKv(const float* k, const float* v, std::span<const std::int32_t> slot_start,
               std::span<const std::int32_t> slots, const KvLayer& kv) override;
  void CopyPages(std::span<const PageCopy> copies, const KvLayer& kv) override;
  void PlanAttention(const AttentionRows& rows, int page_size) override {
    ESP_CHECK(kAttentionChunk % page_size == 0);
    rows_ = rows;
    plan_.Make(rows, page_size);
  }
  void Attention(const float* q, const KvLayer& kv, int num_heads, float scale,
                 float* out) override;

  void SiluMul(const float* gate, const float* up, std::int64_t size, float* out) override {
    ForEachPart(size, [&](std::int64_t begin, std::int64_t end) {
      ops_.silu_mul(gate + begin, up + begin, end - begin, out + begin);
    });
  }

 private:
  struct Scratch {
    AlignedArray<float> floats;
    std::size_t size = 0;
  };

  static const Rows& SetRows(const float* x, int num_tokens, int width, Activations& to) {
    return static_cast<CpuActivations&>(to).Set(x, num_tokens, width);
  }

  void QuantizeRow(const Rows& rows, int row) const {
    if (precision_ == Precision::kExact || rows.width % kActivationBlock != 0) return;
    ops_.quantize(rows, row, row + 1);
  }

  // Makes every thread's scratch hold `size` floats.
  void ReserveScratch(std::size_t size) {
    for (Scratch& scratch : scratch_) {
      if (scratch.size < size) scratch = {NewAligned<float>(size), size};
    }
  }

  // One slice runs on the calling thread; more come in multiples of the threads.
  int NumSlices(std::int64_t work, std::int64_t max_slices) const {
    const std::int64_t wanted = work / kMinSlice;
    if (wanted <= 1) return 1;
    return static_cast<int>(std::min({wanted, std::int64_t{4} * pool_.num_threads(), max_slices}));
  }

  struct TileRange {
    std::int64_t begin;
    std::int64_t end;
  };
  void LinearTiles(const LinearTask& task, TileRange range, const Rows& x, float* product,
                   float* scratch);

  template <typename Fn>
  void ForEachRow(int num_rows, int width, const Fn& fn) {
    const int num_slices = NumSlices(std::int64_t{num_rows} * width, num_rows);
    pool_.ParallelFor(num_slices, [&](int slice, int) {
      const auto [begin, end] = Part(num_rows, slice, num_slices);
      for (std::int64_t row = begin; row < end; ++row) fn(static_cast<int>(row));
    });
  }

  template <typename Fn>
  void ForEachPart(std::int64_t size, const Fn& fn) {
    const int num_slices = NumSlices(size, size);
    pool_.ParallelFor(num_slices, [&](int slice, int) {
      const auto [begin, end] = Part(size, slice, num_slices);
      fn(begin, end);
    });
  }

  const CpuOps& ops_;
  Precision precision_;
  ThreadPool& pool_;
  std::vector<Scratch> scratch_;  // [num_threads]
  std::vector<float> products_;   // of the running op: what a kAdd task adds
  AttentionRows rows_;            // of the plan
  AttentionPlan plan_;
  std::vector<float> partials_;  // of the running op: [num_tokens, num_heads, 2]
};

// Tiles [begin, end) of `task`. What a kAdd task adds comes to `product` first.
void CpuKernels::LinearTiles(const LinearTask& task, TileRange range, const Rows& x, float* product,
                             float* scratch) {
  const auto& matrix = static_cast<const CpuMatrix&>(*task.w);
  const bool adds = task.output == LinearOutput::kAdd;
  const LinearSlice slice{.weight = &matrix.view(),
                          .packed = matrix.packed(),
                          .row_begin = range.begin * kTileRows,
                          .row_end = std::min(range.end * kTileRows, matrix.rows()),
                          .y = adds ? product : task.y,
                          .scratch = scratch};
  (precision_ == Precision::kExact ? ops_.linear_exact : ops_.linear)(slice, x);
  if (!adds) return;
  for (int t = 0; t < x.num_tokens; ++t) {
    const std::int64_t at = t * matrix.rows() + slice.row_begin;
    ops_.add(product + at, slice.row_end - slice.row_begin, task.y + at);
  }
}

void CpuKernels::Linear(std::span<const LinearTask> tasks, const Activations& x) {
  const Rows& rows = static_cast<const CpuActivations&>(x).rows();
  std::int64_t num_tiles = 0;  // of all tasks, one after the other
  bool any_adds = false;
  for (const LinearTask& task : tasks) {
    ESP_CHECK(rows.width == task.w->columns()) << rows.width << " inputs, " << task.w->columns();
    any_adds = any_adds || task.output == LinearOutput::kAdd;
    num_tiles += NumTiles(task.w->rows());
  }
  const std::int64_t tile_outputs = std::int64_t{kTileRows} * rows.num_tokens;
  if (any_adds && std::ssize(products_) < num_tiles * tile_outputs) {
    products_.resize(static_cast<std::size_t>(num_tiles * tile_outputs));
  }
  ReserveScratch(static_cast<std::size_t>((kTileRows + 1) * rows.width));
  const int num_slices = NumSlices(num_tiles * tile_outputs * rows.width, num_tiles);
  pool_.ParallelFor(num_slices, [&](int index, int thread) {
    const auto [begin, end] = Part(num_tiles, index, num_slices);
    std::int64_t first = 0;  // tile of the task
    for (const LinearTask& task : tasks) {
      const std::int64_t last = first + NumTiles(task.w->rows());
      const TileRange range{std::max(begin, first) - first, std::min(end, last) - first};
      if (range.begin < range.end) {
        LinearTiles(task, range, rows, products_.data() + first * tile_outputs,
                    scratch_[static_cast<std::size_t>(thread)].floats.get());
      }
      first = last;
    }
  });
}

void CpuKernels::StoreKv(const float* k, const float* v, std::span<const std::int32_t> slot_start,
                         std::span<const std::int32_t> slots, const KvLayer& kv) {
  const int width = kv.num_kv_heads * kv.head_dim;
  ForEachRow(static_cast<int>(slot_start.size()) - 1, 2 * width, [&](int t) {
    const auto token = static_cast<std::size_t>(t);
    const std::int64_t at = std::int64_t{t} * width;
    for (std::int32_t i = slot_start[token]; i < slot_start[token + 1]; ++i) {
      ops_.store_kv(k + at, v + at, slots[static_cast<std::size_t>(i)], kv);
    }
  });
}

void CpuKernels::CopyPages(std::span<const PageCopy> copies, const KvLayer& kv) {
  const auto element = static_cast<std::size_t>(Traits(kv.dtype).block_bytes);
  const auto page_size = static_cast<std::size_t>(kv.page_size);
  const auto head_dim = static_cast<std::size_t>(kv.head_dim);
  const auto num_heads = static_cast<std::size_t>(kv.num_kv_heads);
  const std::size_t page_bytes = num_heads * head_dim * page_size * element;
  const auto copy_runs = [&](void* array, const PageCopy& copy, std::size_t num_runs,
                             std::size_t run_bytes, std::size_t bytes) {
    auto* base = static_cast<std::byte*>(array);
    const std::byte* from = base + static_cast<std::size_t>(Index(copy.from)) * page_bytes;
    std::byte* to = base + static_cast<std::size_t>(Index(copy.to)) * page_bytes;
    for (std::size_t i = 0; i < num_runs; ++i) {
      std::memcpy(to + i * run_bytes, from + i * run_bytes, bytes);
    }
  };
  for (const PageCopy& copy : copies) {
    const auto num_slots = static_cast<std::size_t>(copy.num_slots);
    copy_runs(kv.k, copy, num_heads * head_dim, page_size * element, num_slots * element);
    copy_runs(kv.v, copy, num_heads, page_size * head_dim * element,
              num_slots * head_dim * element);
  }
}

void CpuKernels::Attention(const float* q, const KvLayer& kv, int num_heads, float scale,
                           float* out) {
  ESP_CHECK(num_heads % kv.num_kv_heads == 0);
  ReserveScratch(AttentionScratchSize(kv.head_dim));
  const std::size_t num_queries = rows_.position.size() * static_cast<std::size_t>(num_heads);
  if (partials_.size() < 2 * num_queries) partials_.resize(2 * num_queries);
  for (int level = 0; level < plan_.num_levels(); ++level) {
    const auto parts = plan_.level(level);
    const int num_tasks = static_cast<int>(parts.size()) * kv.num_kv_heads;
    pool_.ParallelFor(num_tasks, [&](int task, int thread) {
      const auto& part = parts[static_cast<std::size_t>(task / kv.num_kv_heads)];
      const auto first_page = rows_.page_start[static_cast<std::size_t>(part.row)];
      ops_.attention({.q = q,
                      .position = rows_.position.data(),
                      .pages = rows_.pages.data() + first_page,
                      .kv = &kv,
                      .num_heads = num_heads,
                      .scale = scale,
                      .tokens = plan_.tokens().data() + part.token_begin,
                      .num_tokens = part.token_end - part.token_begin,
                      .chunk_begin = part.chunk_begin,
                      .chunk_end = part.chunk_end,
                      .kv_head = task % kv.num_kv_heads,
                      .scratch = scratch_[static_cast<std::size_t>(thread)].floats.get(),
                      .partial = partials_.data(),
                      .out = out});
    });
  }
}

}  // namespace

std::unique_ptr<Kernels> NewCpuKernels(const CpuOps& ops, Precision precision, ThreadPool& pool) {
  return std::make_unique<CpuKernels>(ops, precision, pool);
}

}  // namespace espalier
