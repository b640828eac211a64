// Attention for AVX2. The chunk's K and V are widened to float32 once, then every query
// head of every token in the slice uses them: lanes hold positions in q.k, head_dim in p.V.
#include "kernels/cpu/avx2.h"

namespace espalier::avx2 {
namespace {

constexpr int kMaxVectors = 8;  // accumulators in registers
static_assert(kAttentionChunk == kMaxVectors * kWidth);

// Calls fn.template operator()<n>(first) so that the n = 8, 4, 2 or 1 vectors from each
// `first` cover [0, count).
template <typename Fn>
void InRuns(int count, const Fn& fn) {
  int i = 0;
  for (; i + 8 <= count; i += 8) fn.template operator()<8>(i);
  if ((count & 4) != 0) {
    fn.template operator()<4>(i);
    i += 4;
  }
  if ((count & 2) != 0) {
    fn.template operator()<2>(i);
    i += 2;
  }
  if ((count & 1) != 0) fn.template operator()<1>(i);
}

// Copies `count` elements of the KV's type as float32.
void Widen(const void* array, DType dtype, std::int64_t at, int count, float* to) {
  if (dtype == DType::kF32) {
    std::memcpy(to, static_cast<const float*>(array) + at, static_cast<std::size_t>(count) * 4);
    return;
  }
  const auto* halves = static_cast<const std::uint16_t*>(array) + at;
  int i = 0;
  for (; i + kWidth <= count; i += kWidth) {
    const __m128i eight = _mm_loadu_si128(reinterpret_cast<const __m128i*>(halves + i));
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(eight));
  }
  for (; i < count; ++i) to[i] = _cvtsh_ss(halves[i]);
}

class Slice {
 public:
  explicit Slice(const AttentionSlice& slice)
      : slice_(slice),
        kv_(*slice.kv),
        pages_(slice.pages),
        group_(slice.num_heads / kv_.num_kv_heads),
        dim_vectors_((kv_.head_dim + kWidth - 1) / kWidth),
        padded_(dim_vectors_ * kWidth),
        k_(slice.scratch),
        v_(k_ + std::int64_t{padded_} * kAttentionChunk),
        queries_(v_ + std::int64_t{padded_} * kAttentionChunk) {}

  void Run() {
    int num_positions = 0;
    for (int t = slice_.token_begin; t < slice_.token_end; ++t) {
      const int seen = slice_.position[t] + 1;
      num_positions = seen > num_positions ? seen : num_positions;
    }
    for (int begin = 0; begin < num_positions; begin += kAttentionChunk) {
      const int count = num_positions - begin;
      LoadChunk(begin, count < kAttentionChunk ? count : kAttentionChunk);
      ForEachQuery([&](int token, int head, float* state) {
        const int seen = slice_.position[token] + 1 - begin;
        if (seen <= 0) return;
        Attend(QueryAt(token, head), seen < kAttentionChunk ? seen : kAttentionChunk, begin == 0,
               state);
      });
    }
    ForEachQuery([&](int token, int head, float* state) { Finish(token, head, state); });
  }

 private:
  // Of one query, in scratch: max, sum, 2 unused, V of all chunks, V of this one.
  static constexpr int kHeader = 4;

  template <typename Fn>
  void ForEachQuery(const Fn& fn) {
    float* state = queries_;
    for (int t = slice_.token_begin; t < slice_.token_end; ++t) {
      for (int h = slice_.kv_head * group_; h < (slice_.kv_head + 1) * group_; ++h) {
        fn(t, h, state);
        state += kHeader + 2 * padded_;
      }
    }
  }

  std::int64_t OffsetOf(int token, int head) const {
    return (std::int64_t{token} * slice_.num_heads + head) * kv_.head_dim;
  }
  const float* QueryAt(int token, int head) const { return slice_.q + OffsetOf(token, head); }

  // k_ [head_dim][kAttentionChunk] and v_ [kAttentionChunk][padded_]; columns of k_ past the
  // last page keep what they had.
  void LoadChunk(int begin, int count) {
    for (int p = 0; p < count; p += kv_.page_size) {
      const std::int64_t page = static_cast<std::int32_t>(pages_[(begin + p) / kv_.page_size]);
      const std::int64_t head =
          (page * kv_.num_kv_heads + slice_.kv_head) * kv_.head_dim * kv_.page_size;
      for (int i = 0; i < kv_.head_dim; ++i) {
        Widen(kv_.k, kv_.dtype, head + std::int64_t{i} * kv_.page_size, kv_.page_size,
              k_ + i * kAttentionChunk + p);
      }
      for (int j = 0; j < kv_.page_size && p + j < count; ++j) {
        Widen(kv_.v, kv_.dtype, head + std::int64_t{j} * kv_.head_dim, kv_.head_dim,
              v_ + std::int64_t{p + j} * padded_);
      }
    }
  }

  // weight[p] = q.k of position p, for the vectors that hold [0, count).
  void Score(const float* q, int count, float* weight) const {
    InRuns((count + kWidth - 1) / kWidth, [&]<int n>(int first) {
      __m256 dot[n];
      for (int j = 0; j < n; ++j) dot[j] = _mm256_setzero_ps();
      const float* k = k_ + first * kWidth;
      for (int i = 0; i < kv_.head_dim; ++i, k += kAttentionChunk) {
        const __m256 value = _mm256_broadcast_ss(q + i);
        for (int j = 0; j < n; ++j) {
          dot[j] = _mm256_fmadd_ps(value, _mm256_loadu_ps(k + j * kWidth), dot[j]);
        }
      }
      for (int j = 0; j < n; ++j) _mm256_storeu_ps(weight + (first + j) * kWidth, dot[j]);
    });
  }

  // Turns scores into exp(score * scale - max), 0 past `count`; returns the max and sum.
  void Normalize(int count, float* weight, float& max, float& sum) const {
    const int num_vectors = (count + kWidth - 1) / kWidth;
    const __m256 lowest = _mm256_set1_ps(-__builtin_inff());
    __m256 maxima = lowest;
    for (int j = 0; j < num_vectors; ++j) {
      __m256 s = _mm256_mul_ps(_mm256_loadu_ps(weight + j * kWidth), _mm256_set1_ps(slice_.scale));
      const int left = count - j * kWidth;
      if (left < kWidth) s = _mm256_blendv_ps(lowest, s, _mm256_castsi256_ps(FirstLanes(left)));
      _mm256_storeu_ps(weight + j * kWidth, s);
      maxima = _mm256_max_ps(s, maxima);
    }
    max = Max(maxima);
    Lanes lanes;
    for (int j = 0; j < num_vectors; ++j) {
      const __m256 s = _mm256_loadu_ps(weight + j * kWidth);
      const __m256 e = Exp(_mm256_sub_ps(s, _mm256_set1_ps(max)));
      _mm256_storeu_ps(weight + j * kWidth, e);
      __m256& lane = j % 2 == 0 ? lanes.low : lanes.high;
      lane = _mm256_add_ps(lane, e);
    }
    sum = lanes.Fold();
  }

  // out = sum over p of weight[p] * V of p.
  void WeighV(const float* weight, int count, float* out) const {
    InRuns(dim_vectors_, [&]<int n>(int first) {
      __m256 sum[n];
      for (int j = 0; j < n; ++j) sum[j] = _mm256_setzero_ps();
      const float* v = v_ + first * kWidth;
      for (int p = 0; p < count; ++p, v += padded_) {
        const __m256 value = _mm256_broadcast_ss(weight + p);
        for (int j = 0; j < n; ++j) {
          sum[j] = _mm256_fmadd_ps(value, _mm256_loadu_ps(v + j * kWidth), sum[j]);
        }
      }
      for (int j = 0; j < n; ++j) _mm256_storeu_ps(out + (first + j) * kWidth, sum[j]);
    });
  }

  void Attend(const float* q, int count, bool is_first, float* state) const {
    alignas(32) float weight[kAttentionChunk];
    float* all = state + kHeader;
    Score(q, count, weight);
    if (is_first) {
      Normalize(count, weight, state[0], state[1]);
      WeighV(weight, count, all);
      return;
    }
    float* next = all + padded_;
    float next_max;
    float next_sum;
    Normalize(count, weight, next_max, next_sum);
    WeighV(weight, count, next);
    Merge(next_max, next_sum, next, state);
  }

  void Merge(float next_max, float next_sum, const float* next, float* state) const {
    const float max = next_max > state[0] ? next_max : state[0];
    const __m256 scale_all = Exp(_mm256_set1_ps(state[0] - max));
    const __m256 scale_next = Exp(_mm256_set1_ps(next_max - max));
    state[0] = max;
    state[1] = __builtin_fmaf(state[1], _mm256_cvtss_f32(scale_all),
                              next_sum * _mm256_cvtss_f32(scale_next));
    float* all = state + kHeader;
    for (int i = 0; i < padded_; i += kWidth) {
      const __m256 scaled = _mm256_mul_ps(_mm256_loadu_ps(next + i), scale_next);
      _mm256_storeu_ps(all + i, _mm256_fmadd_ps(_mm256_loadu_ps(all + i), scale_all, scaled));
    }
  }

  void Finish(int token, int head, const float* state) const {
    float* out = slice_.out + OffsetOf(token, head);
    const __m256 inverse = _mm256_set1_ps(1.0f / state[1]);
    for (int i = 0; i < kv_.head_dim; i += kWidth) {
      StoreFirst(out + i, _mm256_mul_ps(_mm256_loadu_ps(state + kHeader + i), inverse),
                 kv_.head_dim - i);
    }
  }

  const AttentionSlice& slice_;
  const KvLayer& kv_;
  const PageId* pages_;
  int group_;
  int dim_vectors_;
  int padded_;  // head_dim in whole vectors
  float* k_;
  float* v_;
  float* queries_;
};

}  // namespace

void Attention(const AttentionSlice& slice) { Slice(slice).Run(); }

}  // namespace espalier::avx2
