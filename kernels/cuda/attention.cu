// Attention: a block has 16 queries (tokens x query heads of one KV head) of one part of the
// plan, and goes through the part's chunks of 64 positions in ascending order.
//
// A chunk: its 4 warps make the scores q k^T, 16 positions each, by tensor-core products over
// head_dim; 8 threads a query make its weights exp(score - max), rounded to halves, and their
// sum; then the warps share out head_dim for weights x V. What the chunk came to is merged into
// the query's own (max, sum, weighted V) with the CPU's formula, so how chunks are shared out
// to parts and levels never enters a query's bits. K and V are read once for all queries.
//
// A NaN or infinity in V at a position that one query of the tile may see reaches those of the
// tile that may not: they are of the same sequence, which such values end.
#include <algorithm>
#include <limits>

#include "kernels/cuda/exp.h"
#include "kernels/cuda/ops.h"

namespace espalier::ESP_DEVICE {
namespace {

constexpr int kWarps = 4;
constexpr int kThreads = kWarps * kWarpSize;
constexpr int kQueries = 16;
constexpr int kStep = 16;    // of a product's sum
constexpr int kColumns = 8;  // of a product
constexpr int kThreadsOfQuery = kThreads / kQueries;
constexpr int kSlots = kMaxHeadDim / kColumns / kWarps;  // column tiles of V a warp has

template <typename T>
struct AttentionArrays {
  Global<const AttentionPlan::Part> parts;
  Global<const std::int32_t> tokens;
  Global<const std::int32_t> position;
  Global<const std::int32_t> page_start;
  Global<const PageId> pages;
  Global<const float> q;
  Global<const T> k;
  Global<const T> v;
  Global<float> partial;
  Global<float> out;
  int num_heads;
  int num_kv_heads;
  int head_dim;
  int page_size;
  float scale;
};

__device__ std::uint16_t AsHalf(std::uint16_t x) { return x; }
__device__ std::uint16_t AsHalf(float x) { return ToHalf(x); }
__device__ std::uint32_t Pair(std::uint16_t low, std::uint16_t high) {
  return low | static_cast<std::uint32_t>(high) << 16;
}

// The KV head of the block, as the part's row sees it.
template <typename T>
struct HeadOfRow {
  const AttentionArrays<T>& a;
  std::int32_t first_page;
  int kv_head;
  int end;  // positions from here on are 0

  __device__ std::int64_t Head(int position) const {
    return std::int64_t{Index(a.pages[first_page + position / a.page_size])} * a.num_kv_heads +
           kv_head;
  }
  __device__ std::uint16_t K(int position, int dim) const {
    if (!Within(position, end) || !Within(dim, a.head_dim)) return 0;
    return AsHalf(a.k[(Head(position) * a.head_dim + dim) * a.page_size + position % a.page_size]);
  }
  __device__ std::uint16_t V(int position, int dim) const {
    if (!Within(position, end) || !Within(dim, a.head_dim)) return 0;
    return AsHalf(a.v[(Head(position) * a.page_size + position % a.page_size) * a.head_dim + dim]);
  }
};

// What the threads of a block share.
struct Tile {
  Shared<std::uint16_t, kQueries * kMaxHeadDim> q;
  Shared<float, kQueries * kAttentionChunk> scores;
  Shared<std::uint16_t, kQueries * kAttentionChunk> weights;
  Shared<float, kQueries> max;  // of a chunk
  Shared<float, kQueries> sum;
  Shared<int, kQueries> query;    // token * num_heads + head; -1: none
  Shared<int, kQueries> visible;  // positions that the query sees
};

// Where a thread stands in its warp's products: rows `row` and `row` + 8 (two queries),
// columns (or k) `pair` and `pair` + 1, and those 8 further on.
struct Lane {
  int warp;
  int row;
  int pair;
};
__device__ Lane ThisLane() {
  const auto thread = static_cast<int>(threadIdx.x);
  return {thread / kWarpSize, thread % kWarpSize / 4, thread % kWarpSize % 4 * 2};
}

// Sixteen columns of a row-major tile of halves, from `first` on, as a product's left side.
template <typename Halves>
__device__ void LoadLeft(const Halves& tile, int width, int first, std::uint32_t (&words)[4]) {
  const Lane lane = ThisLane();
  for (int i = 0; i < 4; ++i) {
    const int at = (lane.row + 8 * (i % 2)) * width + first + lane.pair + 8 * (i / 2);
    words[i] = Pair(tile[at], tile[at + 1]);
  }
}

// max, sum and weighted V of a thread's two queries, at its places of the products.
struct Partial {
  float max[2];
  float sum[2];
  float v[kSlots][4];
};

__device__ void MergeQuery(const Partial& next, int h, bool is_first, Partial& all) {
  if (is_first) {
    all.max[h] = next.max[h];
    all.sum[h] = next.sum[h];
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      for (int i = 2 * h; i < 2 * h + 2; ++i) all.v[s][i] = next.v[s][i];
    }
    return;
  }
  const float max = next.max[h] > all.max[h] ? next.max[h] : all.max[h];
  const float scale_all = Exp(all.max[h] - max);
  const float scale_next = Exp(next.max[h] - max);
  all.max[h] = max;
  all.sum[h] = fmaf(all.sum[h], scale_all, next.sum[h] * scale_next);
#pragma unroll
  for (int s = 0; s < kSlots; ++s) {
    for (int i = 2 * h; i < 2 * h + 2; ++i) {
      all.v[s][i] = fmaf(all.v[s][i], scale_all, next.v[s][i] * scale_next);
    }
  }
}

// Which queries the block has. Ends with a barrier.
template <typename T>
__device__ void NameQueries(const AttentionArrays<T>& a, const AttentionPlan::Part& part,
                            const Tile& tile) {
  const auto thread = static_cast<int>(threadIdx.x);
  const auto kv_head = static_cast<int>(blockIdx.y);
  const int group = a.num_heads / a.num_kv_heads;
  const int i = static_cast<int>(blockIdx.z) * kQueries + thread;
  if (thread < kQueries) {
    tile.query[thread] = -1;
    tile.visible[thread] = 0;
    if (Within(i, (part.token_end - part.token_begin) * group)) {
      const std::int32_t token = a.tokens[part.token_begin + i / group];
      tile.query[thread] = token * a.num_heads + kv_head * group + i % group;
      tile.visible[thread] = a.position[token] + 1;
    }
  }
  __syncthreads();
}

// Ends with a barrier.
template <typename T>
__device__ void LoadQueries(const AttentionArrays<T>& a, const Tile& tile) {
  for (int i = static_cast<int>(threadIdx.x); i < kQueries * kMaxHeadDim; i += kThreads) {
    const int dim = i % kMaxHeadDim;
    const std::int64_t query = tile.query[i / kMaxHeadDim];
    const bool is_there = Within(std::int64_t{-1}, query) && Within(dim, a.head_dim);
    tile.q[i] = is_there ? ToHalf(a.q[query * a.head_dim + dim]) : std::uint16_t{0};
  }
  __syncthreads();
}

// What the levels before came to.
template <typename T>
__device__ void LoadPartial(const AttentionArrays<T>& a, const Tile& tile, Partial& all) {
  const Lane lane = ThisLane();
  for (int h = 0; h < 2; ++h) {
    const std::int64_t query = tile.query[lane.row + 8 * h];
    if (!Within(std::int64_t{-1}, query)) continue;
    all.max[h] = a.partial[2 * query];
    all.sum[h] = a.partial[2 * query + 1];
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      for (int i = 0; i < 2; ++i) {
        const int dim = (lane.warp + s * kWarps) * kColumns + lane.pair + i;
        if (Within(dim, a.head_dim)) all.v[s][2 * h + i] = a.out[query * a.head_dim + dim];
      }
    }
  }
}

// Divided by the sum, where the part's last chunk is the query's last.
template <typename T>
__device__ void StorePartial(const AttentionArrays<T>& a, const Tile& tile, int end,
                             const Partial& all) {
  const Lane lane = ThisLane();
  for (int h = 0; h < 2; ++h) {
    const std::int64_t query = tile.query[lane.row + 8 * h];
    if (!Within(std::int64_t{-1}, query)) continue;
    const float factor = end >= tile.visible[lane.row + 8 * h] ? 1.0f / all.sum[h] : 1.0f;
#pragma unroll
    for (int s = 0; s < kSlots; ++s) {
      for (int i = 0; i < 2; ++i) {
        const int dim = (lane.warp + s * kWarps) * kColumns + lane.pair + i;
        if (Within(dim, a.head_dim)) a.out[query * a.head_dim + dim] = all.v[s][2 * h + i] * factor;
      }
    }
    if (lane.warp == 0 && lane.pair == 0) {
      a.partial[2 * query] = all.max[h];
      a.partial[2 * query + 1] = all.sum[h];
    }
  }
}

// The warp's 16 positions of the chunk: scale * q k^T, -infinity where the query sees nothing.
template <typename T>
__device__ void PutScores(const HeadOfRow<T>& head, const Tile& tile, int begin) {
  const Lane lane = ThisLane();
  for (int column = 16 * lane.warp; column < 16 * lane.warp + 16; column += kColumns) {
    float sums[4] = {};
    for (int step = 0; step < head.a.head_dim; step += kStep) {
      std::uint32_t left[4];
      LoadLeft(tile.q, kMaxHeadDim, step, left);
      const int position = begin + column + lane.row;
      const int dim = step + lane.pair;
      const std::uint32_t right[2] = {Pair(head.K(position, dim), head.K(position, dim + 1)),
                                      Pair(head.K(position, dim + 8), head.K(position, dim + 9))};
      Mma16x8x16(left, right, sums);
    }
    for (int i = 0; i < 4; ++i) {
      const int query = lane.row + 8 * (i / 2);
      const int at = column + lane.pair + i % 2;
      const bool sees = Within(begin + at, tile.visible[query]);
      tile.scores[query * kAttentionChunk + at] =
          sees ? sums[i] * head.a.scale : -std::numeric_limits<float>::infinity();
    }
  }
}

// Eight threads a query: its largest score, its weights and their sum. A query that sees
// nothing of the chunk has weights of no meaning, which are not merged.
__device__ void PutWeights(const Tile& tile) {
  const auto thread = static_cast<int>(threadIdx.x);
  const int query = thread / kThreadsOfQuery;
  const int first = query * kAttentionChunk + thread % kThreadsOfQuery;
  float max = -std::numeric_limits<float>::infinity();
  for (int i = 0; i < kAttentionChunk; i += kThreadsOfQuery) {
    max = tile.scores[first + i] > max ? tile.scores[first + i] : max;
  }
  for (int width = kThreadsOfQuery / 2; width > 0; width /= 2) {
    const float other = __shfl_xor_sync(kFullMask, max, width);
    max = other > max ? other : max;
  }
  float sum = 0;
  for (int i = 0; i < kAttentionChunk; i += kThreadsOfQuery) {
    const std::uint16_t weight = ToHalf(Exp(tile.scores[first + i] - max));
    tile.weights[first + i] = weight;
    sum += ToFloat(weight);
  }
  for (int width = kThreadsOfQuery / 2; width > 0; width /= 2) {
    sum += __shfl_xor_sync(kFullMask, sum, width);
  }
  if (thread % kThreadsOfQuery == 0) {
    tile.max[query] = max;
    tile.sum[query] = sum;
  }
}

// The chunk's weights x V, for the warp's column tiles.
template <typename T>
__device__ void WeighV(const HeadOfRow<T>& head, const Tile& tile, int begin, Partial& next) {
  const Lane lane = ThisLane();
#pragma unroll
  for (int s = 0; s < kSlots; ++s) {
    const int dim = (lane.warp + s * kWarps) * kColumns;
    if (dim >= head.a.head_dim) continue;
    for (int step = 0; step < kAttentionChunk; step += kStep) {
      std::uint32_t left[4];
      LoadLeft(tile.weights, kAttentionChunk, step, left);
      const int position = begin + step + lane.pair;
      const std::uint32_t right[2] = {
          Pair(head.V(position, dim + lane.row), head.V(position + 1, dim + lane.row)),
          Pair(head.V(position + 8, dim + lane.row), head.V(position + 9, dim + lane.row))};
      Mma16x8x16(left, right, next.v[s]);
    }
  }
}

template <typename T>
__device__ void AttendChunk(const HeadOfRow<T>& head, const Tile& tile, int begin, Partial& all) {
  const Lane lane = ThisLane();
  PutScores(head, tile, begin);
  __syncthreads();
  PutWeights(tile);
  __syncthreads();
  Partial next = {};
  WeighV(head, tile, begin, next);
  for (int h = 0; h < 2; ++h) {
    const int query = lane.row + 8 * h;
    if (!Within(begin, tile.visible[query])) continue;
    next.max[h] = tile.max[query];
    next.sum[h] = tile.sum[query];
    MergeQuery(next, h, begin == 0, all);
  }
}

template <typename T>
__global__ __launch_bounds__(kThreads) void AttendPart(AttentionArrays<T> a) {
  ESP_SHARED(std::uint16_t, q, kQueries * kMaxHeadDim);
  ESP_SHARED(float, scores, kQueries* kAttentionChunk);
  ESP_SHARED(std::uint16_t, weights, kQueries * kAttentionChunk);
  ESP_SHARED(float, max, kQueries);
  ESP_SHARED(float, sum, kQueries);
  ESP_SHARED(int, query, kQueries);
  ESP_SHARED(int, visible, kQueries);
  const Tile tile = {q, scores, weights, max, sum, query, visible};
  const AttentionPlan::Part part = a.parts[blockIdx.x];
  NameQueries(a, part, tile);
  LoadQueries(a, tile);
  Partial all = {};
  if (part.chunk_begin > 0) LoadPartial(a, tile, all);
  int end = 0;  // of what any of the queries sees
  for (int i = 0; i < kQueries; ++i) end = std::max(end, tile.visible[i]);
  const HeadOfRow<T> head = {a, a.page_start[part.row], static_cast<int>(blockIdx.y), end};
  const int part_end = part.chunk_end * kAttentionChunk;
  for (int begin = part.chunk_begin * kAttentionChunk; begin < Min(part_end, end);
       begin += kAttentionChunk) {
    AttendChunk(head, tile, begin, all);
  }
  StorePartial(a, tile, part_end, all);
}

template <typename T>
AttentionArrays<T> ArraysOf(const AttentionLevel& level, const KvLayer& kv) {
  const auto view = [](const auto& span) { return Global(span.data(), std::ssize(span)); };
  const std::int64_t num_queries = std::ssize(level.rows.position) * level.num_heads;
  const std::int64_t kv_size =
      std::int64_t{level.num_pages} * kv.num_kv_heads * kv.head_dim * kv.page_size;
  return {.parts = view(level.parts),
          .tokens = view(level.tokens),
          .position = view(level.rows.position),
          .page_start = view(level.rows.page_start),
          .pages = view(level.rows.pages),
          .q = {level.q, num_queries * kv.head_dim},
          .k = {static_cast<const T*>(kv.k), kv_size},
          .v = {static_cast<const T*>(kv.v), kv_size},
          .partial = {level.partial, 2 * num_queries},
          .out = {level.out, num_queries * kv.head_dim},
          .num_heads = level.num_heads,
          .num_kv_heads = kv.num_kv_heads,
          .head_dim = kv.head_dim,
          .page_size = kv.page_size,
          .scale = level.scale};
}

}  // namespace

void Attention(Stream& stream, const AttentionLevel& level, const KvLayer& kv) {
  if (level.parts.empty()) return;
  ESP_CHECK(kv.head_dim <= kMaxHeadDim) << kv.head_dim;
  const int group = level.num_heads / kv.num_kv_heads;
  int max_tokens = 0;
  for (const AttentionPlan::Part& part : level.parts) {
    max_tokens = std::max(max_tokens, part.token_end - part.token_begin);
  }
  const Dim3 grid = {static_cast<unsigned>(level.parts.size()),
                     static_cast<unsigned>(kv.num_kv_heads),
                     NumBlocks(std::int64_t{max_tokens} * group, kQueries)};
  if (kv.dtype == DType::kF32) {
    Launch(stream, grid, kThreads, AttendPart<float>, ArraysOf<float>(level, kv));
  } else {
    Launch(stream, grid, kThreads, AttendPart<std::uint16_t>, ArraysOf<std::uint16_t>(level, kv));
  }
}

}  // namespace espalier::ESP_DEVICE
