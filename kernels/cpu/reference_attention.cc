// Attention by chunks of kAttentionChunk positions. A chunk gives (max, sum of weights,
// weighted V) with weights exp(score - max); two such partials merge by scaling both to
// the larger max.
//
// Source: Milakov and Gimelshein, "Online normalizer calculation for softmax" (2018);
// Dao et al., "Flash-Decoding" (2023) for chunks merged at the end.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/cpu/reference.h"
#include "kernels/float16.h"
#include "kernels/math.h"

namespace espalier::reference {
namespace {

float Load(const void* array, DType dtype, std::int64_t i) {
  return dtype == DType::kF32 ? static_cast<const float*>(array)[i]
                              : HalfToFloat(static_cast<const std::uint16_t*>(array)[i]);
}

// The KV of one head as one row of tokens sees it.
struct KvOfRow {
  const KvLayer& kv;
  const PageId* pages;
  int head;

  std::int64_t HeadOfPage(int position) const {
    return std::int64_t{Index(pages[position / kv.page_size])} * kv.num_kv_heads + head;
  }
  float K(int position, int dim) const {
    return Load(
        kv.k, kv.dtype,
        (HeadOfPage(position) * kv.head_dim + dim) * kv.page_size + position % kv.page_size);
  }
  float V(int position, int dim) const {
    return Load(
        kv.v, kv.dtype,
        (HeadOfPage(position) * kv.page_size + position % kv.page_size) * kv.head_dim + dim);
  }
};

struct Partial {
  float max = 0;
  float sum = 0;
  float* v;  // [head_dim]
};

// Positions [begin, begin + count), count <= kAttentionChunk.
void AttendChunk(const float* q, const KvOfRow& row, float scale, int begin, int count,
                 Partial& out) {
  float weight[kAttentionChunk];
  for (int p = 0; p < count; ++p) {
    float dot = 0;
    for (int i = 0; i < row.kv.head_dim; ++i) dot = std::fma(q[i], row.K(begin + p, i), dot);
    weight[p] = dot * scale;
  }
  out.max = -std::numeric_limits<float>::infinity();
  for (int p = 0; p < count; ++p) out.max = weight[p] > out.max ? weight[p] : out.max;
  float lanes[kLanes] = {};
  for (int p = 0; p < count; ++p) {
    weight[p] = Exp(weight[p] - out.max);
    lanes[p % kLanes] += weight[p];
  }
  out.sum = FoldLanes(lanes);
  for (int i = 0; i < row.kv.head_dim; ++i) {
    float v = 0;
    for (int p = 0; p < count; ++p) v = std::fma(weight[p], row.V(begin + p, i), v);
    out.v[i] = v;
  }
}

void Merge(const Partial& next, int head_dim, Partial& all) {
  const float max = next.max > all.max ? next.max : all.max;
  const float scale_all = Exp(all.max - max);
  const float scale_next = Exp(next.max - max);
  all.max = max;
  all.sum = std::fma(all.sum, scale_all, next.sum * scale_next);
  for (int i = 0; i < head_dim; ++i) {
    all.v[i] = std::fma(all.v[i], scale_all, next.v[i] * scale_next);
  }
}

// Chunks [begin, end) of one query head of one token that sees positions
// [0, num_positions); `all` holds what the chunks before came to.
void AttendHead(const float* q, const KvOfRow& row, const AttentionSlice& slice, int num_positions,
                Partial& all) {
  const int head_dim = row.kv.head_dim;
  for (int chunk = slice.chunk_begin; chunk < slice.chunk_end; ++chunk) {
    const int begin = chunk * kAttentionChunk;
    const int count = std::min(num_positions - begin, kAttentionChunk);
    if (count <= 0) return;
    if (chunk == 0) {
      AttendChunk(q, row, slice.scale, begin, count, all);
    } else {
      Partial next{.v = slice.scratch};
      AttendChunk(q, row, slice.scale, begin, count, next);
      Merge(next, head_dim, all);
    }
    if (begin + count < num_positions) continue;
    const float inverse = 1.0f / all.sum;
    for (int i = 0; i < head_dim; ++i) all.v[i] *= inverse;
  }
}

}  // namespace

void Attention(const AttentionSlice& slice) {
  const KvLayer& kv = *slice.kv;
  const KvOfRow row{kv, slice.pages, slice.kv_head};
  const int group = slice.num_heads / kv.num_kv_heads;
  for (int i = 0; i < slice.num_tokens; ++i) {
    const std::int32_t t = slice.tokens[i];
    for (int h = slice.kv_head * group; h < (slice.kv_head + 1) * group; ++h) {
      const std::int64_t query = std::int64_t{t} * slice.num_heads + h;
      float* partial = slice.partial + 2 * query;
      Partial all{partial[0], partial[1], slice.out + query * kv.head_dim};
      AttendHead(slice.q + query * kv.head_dim, row, slice, slice.position[t] + 1, all);
      partial[0] = all.max;
      partial[1] = all.sum;
    }
  }
}

}  // namespace espalier::reference
