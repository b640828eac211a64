// Attention for AVX2: up to three queries are taken through a chunk together, so that a
// vector of K or V that was loaded and widened serves all of them. Lanes hold positions in
// q.k and head_dim in p.V. K and V are read as they lie in the pages where pages and heads
// come in whole vectors of halves; otherwise the chunk is widened to float32 first.
#include "kernels/cpu/avx2.h"

namespace espalier::avx2 {
namespace {

constexpr int kChunkVectors = kAttentionChunk / kWidth;
constexpr int kRun = 4;  // vectors in registers, for each query

// Calls fn.template operator()<n>(first) so that the n = 4, 2 or 1 vectors from each
// `first` cover [0, count).
template <typename Fn>
void InRuns(int count, const Fn& fn) {
  int i = 0;
  for (; i + kRun <= count; i += kRun) fn.template operator()<kRun>(i);
  if ((count & 2) != 0) {
    fn.template operator()<2>(i);
    i += 2;
  }
  if ((count & 1) != 0) fn.template operator()<1>(i);
}

__m256 LoadWide(const float* p) { return _mm256_loadu_ps(p); }
__m256 LoadWide(const std::uint16_t* p) {
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}

// Copies `count` elements of the KV's type as float32.
void Widen(const void* array, DType dtype, std::int64_t at, int count, float* to) {
  if (dtype == DType::kF32) {
    std::memcpy(to, static_cast<const float*>(array) + at, static_cast<std::size_t>(count) * 4);
    return;
  }
  const auto* halves = static_cast<const std::uint16_t*>(array) + at;
  int i = 0;
  for (; i + kWidth <= count; i += kWidth) _mm256_storeu_ps(to + i, LoadWide(halves + i));
  for (; i < count; ++i) to[i] = _cvtsh_ss(halves[i]);
}

// Where the chunk's K and V lie. The K of `kWidth` positions from kWidth * j on: element i
// at k[j] + i * k_stride. The V of position p: p % v_run rows of v_stride after
// v[p / v_run].
template <typename Element>
struct Chunk {
  const Element* k[kChunkVectors];
  const Element* v[kAttentionChunk];
  std::int64_t k_stride;
  std::int64_t v_stride;
  int v_run;
};

// One query head of one token in this chunk.
struct Query {
  const float* q;
  float* partial;  // max and sum
  float* out;      // the weighted V of all chunks
  int seen;        // positions from the chunk's first on, may be beyond the chunk
  int count;       // of them in the chunk
};

class Slice {
 public:
  explicit Slice(const AttentionSlice& slice)
      : slice_(slice),
        kv_(*slice.kv),
        group_(slice.num_heads / kv_.num_kv_heads),
        padded_((kv_.head_dim + kWidth - 1) / kWidth * kWidth),
        k_(slice.scratch),
        v_(k_ + std::int64_t{padded_} * kAttentionChunk),
        next_(v_ + std::int64_t{padded_} * kAttentionChunk) {}

  void Run() {
    int num_positions = 0;
    for (int i = 0; i < slice_.num_tokens; ++i) {
      const int seen = slice_.position[slice_.tokens[i]] + 1;
      num_positions = seen > num_positions ? seen : num_positions;
    }
    const bool in_place =
        kv_.dtype == DType::kF16 && kv_.page_size % kWidth == 0 && kv_.head_dim % kWidth == 0;
    for (int chunk = slice_.chunk_begin; chunk < slice_.chunk_end; ++chunk) {
      const int begin = chunk * kAttentionChunk;
      const int left = num_positions - begin;
      if (left <= 0) return;
      const int count = left < kAttentionChunk ? left : kAttentionChunk;
      if (in_place) {
        AttendAll(FindChunk(begin, count), begin);
      } else {
        AttendAll(WidenChunk(begin, count), begin);
      }
    }
  }

 private:
  // The start of this KV head in the page of `position`, in elements.
  std::int64_t HeadAt(int position) const {
    const auto page = static_cast<std::int32_t>(slice_.pages[position / kv_.page_size]);
    return (std::int64_t{page} * kv_.num_kv_heads + slice_.kv_head) * kv_.head_dim * kv_.page_size;
  }

  Chunk<std::uint16_t> FindChunk(int begin, int count) const {
    Chunk<std::uint16_t> chunk;
    chunk.k_stride = kv_.page_size;
    chunk.v_stride = kv_.head_dim;
    chunk.v_run = kv_.page_size;
    const auto* k = static_cast<const std::uint16_t*>(kv_.k);
    const auto* v = static_cast<const std::uint16_t*>(kv_.v);
    for (int p = 0; p < count; p += kv_.page_size) {
      const std::int64_t head = HeadAt(begin + p);
      chunk.v[p / kv_.page_size] = v + head;
      for (int i = 0; i < kv_.page_size; i += kWidth) chunk.k[(p + i) / kWidth] = k + head + i;
    }
    return chunk;
  }

  // k_ [head_dim][kAttentionChunk] and v_ [kAttentionChunk][padded_]; columns of k_ past the
  // last page keep what they had.
  Chunk<float> WidenChunk(int begin, int count) {
    for (int p = 0; p < count; p += kv_.page_size) {
      const std::int64_t head = HeadAt(begin + p);
      for (int i = 0; i < kv_.head_dim; ++i) {
        Widen(kv_.k, kv_.dtype, head + std::int64_t{i} * kv_.page_size, kv_.page_size,
              k_ + i * kAttentionChunk + p);
      }
      for (int j = 0; j < kv_.page_size && p + j < count; ++j) {
        Widen(kv_.v, kv_.dtype, head + std::int64_t{j} * kv_.head_dim, kv_.head_dim,
              v_ + std::int64_t{p + j} * padded_);
      }
    }
    Chunk<float> chunk;
    chunk.k_stride = kAttentionChunk;
    chunk.v_stride = padded_;
    chunk.v_run = kAttentionChunk;
    for (int j = 0; j < kChunkVectors; ++j) chunk.k[j] = k_ + j * kWidth;
    chunk.v[0] = v_;
    return chunk;
  }

  template <typename Element>
  void AttendAll(const Chunk<Element>& chunk, int begin) {
    Query queries[kAttentionQueries];
    int num_queries = 0;
    for (int i = 0; i < slice_.num_tokens; ++i) {
      const std::int32_t token = slice_.tokens[i];
      const int seen = slice_.position[token] + 1 - begin;
      if (seen <= 0) continue;
      for (int h = slice_.kv_head * group_; h < (slice_.kv_head + 1) * group_; ++h) {
        const std::int64_t at = std::int64_t{token} * slice_.num_heads + h;
        queries[num_queries++] = {slice_.q + at * kv_.head_dim, slice_.partial + 2 * at,
                                  slice_.out + at * kv_.head_dim, seen,
                                  seen < kAttentionChunk ? seen : kAttentionChunk};
        if (num_queries == kAttentionQueries) {
          Attend<kAttentionQueries>(chunk, queries, begin);
          num_queries = 0;
        }
      }
    }
    if (num_queries == 2) Attend<2>(chunk, queries, begin);
    if (num_queries == 1) Attend<1>(chunk, queries, begin);
  }

  template <int kQueries, typename Element>
  void Attend(const Chunk<Element>& chunk, const Query* queries, int begin) {
    alignas(32) float weight[kQueries][kAttentionChunk];
    int most = queries[0].count;
    bool same = true;
    for (int i = 1; i < kQueries; ++i) {
      same = same && queries[i].count == queries[0].count;
      most = queries[i].count > most ? queries[i].count : most;
    }
    Score<kQueries>(chunk, queries, most, weight);
    float max[kQueries];
    float sum[kQueries];
    for (int i = 0; i < kQueries; ++i) Normalize(queries[i].count, weight[i], max[i], sum[i]);
    if (same) {
      WeighV<kQueries>(chunk, most, weight[0], next_);
    } else {  // a weight of 0 is not the same as none: V may hold anything there
      for (int i = 0; i < kQueries; ++i) {
        WeighV<1>(chunk, queries[i].count, weight[i], next_ + i * padded_);
      }
    }
    for (int i = 0; i < kQueries; ++i) {
      Merge(queries[i], begin == 0, max[i], sum[i], next_ + i * padded_);
      if (queries[i].seen <= kAttentionChunk) Finish(queries[i]);
    }
  }

  // weight[i][p] = q.k of query i and position p, for the vectors that hold [0, count).
  template <int kQueries, typename Element>
  void Score(const Chunk<Element>& chunk, const Query* queries, int count,
             float (*weight)[kAttentionChunk]) const {
    InRuns((count + kWidth - 1) / kWidth, [&]<int n>(int first) {
      __m256 dot[kQueries][n];
      for (int u = 0; u < kQueries; ++u) {
        for (int j = 0; j < n; ++j) dot[u][j] = _mm256_setzero_ps();
      }
      for (int i = 0; i < kv_.head_dim; ++i) {
        __m256 value[kQueries];
        for (int u = 0; u < kQueries; ++u) value[u] = _mm256_broadcast_ss(queries[u].q + i);
        for (int j = 0; j < n; ++j) {
          const __m256 k = LoadWide(chunk.k[first + j] + i * chunk.k_stride);
          for (int u = 0; u < kQueries; ++u) dot[u][j] = _mm256_fmadd_ps(value[u], k, dot[u][j]);
        }
      }
      for (int u = 0; u < kQueries; ++u) {
        for (int j = 0; j < n; ++j) _mm256_store_ps(weight[u] + (first + j) * kWidth, dot[u][j]);
      }
    });
  }

  // Turns scores into exp(score * scale - max), 0 past `count`; returns the max and sum.
  void Normalize(int count, float* weight, float& max, float& sum) const {
    const int num_vectors = (count + kWidth - 1) / kWidth;
    const __m256 lowest = _mm256_set1_ps(-__builtin_inff());
    __m256 maxima = lowest;
    for (int j = 0; j < num_vectors; ++j) {
      __m256 s = _mm256_mul_ps(_mm256_load_ps(weight + j * kWidth), _mm256_set1_ps(slice_.scale));
      const int left = count - j * kWidth;
      if (left < kWidth) s = _mm256_blendv_ps(lowest, s, _mm256_castsi256_ps(FirstLanes(left)));
      _mm256_store_ps(weight + j * kWidth, s);
      maxima = _mm256_max_ps(s, maxima);
    }
    max = Max(maxima);
    Lanes lanes;
    for (int j = 0; j < num_vectors; ++j) {
      const __m256 s = _mm256_load_ps(weight + j * kWidth);
      const __m256 e = Exp(_mm256_sub_ps(s, _mm256_set1_ps(max)));
      _mm256_store_ps(weight + j * kWidth, e);
      __m256& lane = j % 2 == 0 ? lanes.low : lanes.high;
      lane = _mm256_add_ps(lane, e);
    }
    sum = lanes.Fold();
  }

  // Query i: to [padded_] = sum over p of weight[p] * V of p, weights kAttentionChunk apart.
  template <int kQueries, typename Element>
  void WeighV(const Chunk<Element>& chunk, int count, const float* weight, float* to) const {
    InRuns(padded_ / kWidth, [&]<int n>(int first) {
      __m256 sum[kQueries][n];
      for (int u = 0; u < kQueries; ++u) {
        for (int j = 0; j < n; ++j) sum[u][j] = _mm256_setzero_ps();
      }
      for (int begin = 0; begin < count; begin += chunk.v_run) {
        const Element* v = chunk.v[begin / chunk.v_run] + first * kWidth;
        for (int p = begin; p < begin + chunk.v_run && p < count; ++p, v += chunk.v_stride) {
          __m256 value[kQueries];
          for (int u = 0; u < kQueries; ++u) {
            value[u] = _mm256_broadcast_ss(weight + u * kAttentionChunk + p);
          }
          for (int j = 0; j < n; ++j) {
            const __m256 wide = LoadWide(v + j * kWidth);
            for (int u = 0; u < kQueries; ++u) {
              sum[u][j] = _mm256_fmadd_ps(value[u], wide, sum[u][j]);
            }
          }
        }
      }
      for (int u = 0; u < kQueries; ++u) {
        for (int j = 0; j < n; ++j) {
          _mm256_storeu_ps(to + u * padded_ + (first + j) * kWidth, sum[u][j]);
        }
      }
    });
  }

  // Adds this chunk's (max, sum, V) to what the query came to before.
  void Merge(const Query& query, bool is_first, float next_max, float next_sum,
             const float* next) const {
    float* partial = query.partial;
    if (is_first) {
      partial[0] = next_max;
      partial[1] = next_sum;
      std::memcpy(query.out, next, static_cast<std::size_t>(kv_.head_dim) * sizeof(float));
      return;
    }
    const float max = next_max > partial[0] ? next_max : partial[0];
    const __m256 scale_all = Exp(_mm256_set1_ps(partial[0] - max));
    const __m256 scale_next = Exp(_mm256_set1_ps(next_max - max));
    partial[0] = max;
    partial[1] = __builtin_fmaf(partial[1], _mm256_cvtss_f32(scale_all),
                                next_sum * _mm256_cvtss_f32(scale_next));
    for (int i = 0; i < kv_.head_dim; i += kWidth) {
      const __m256 scaled = _mm256_mul_ps(_mm256_loadu_ps(next + i), scale_next);
      const __m256 all = LoadFirst(query.out + i, kv_.head_dim - i);
      StoreFirst(query.out + i, _mm256_fmadd_ps(all, scale_all, scaled), kv_.head_dim - i);
    }
  }

  void Finish(const Query& query) const {
    const __m256 inverse = _mm256_set1_ps(1.0f / query.partial[1]);
    for (int i = 0; i < kv_.head_dim; i += kWidth) {
      const __m256 all = LoadFirst(query.out + i, kv_.head_dim - i);
      StoreFirst(query.out + i, _mm256_mul_ps(all, inverse), kv_.head_dim - i);
    }
  }

  const AttentionSlice& slice_;
  const KvLayer& kv_;
  int group_;
  int padded_;  // head_dim in whole vectors
  float* k_;
  float* v_;
  float* next_;  // [kAttentionQueries][padded_]
};

}  // namespace

void Attention(const AttentionSlice& slice) { Slice(slice).Run(); }

}  // namespace espalier::avx2
