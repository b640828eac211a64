// RmsNorm: a block is a row. It brings the row into shared memory tile by tile; 16 threads sum
// the squares as the 16 virtual lanes of the CPU do, so the bits are the same.
#include "kernels/cuda/ops.h"

namespace espalier::ESP_DEVICE {
namespace {

constexpr int kThreads = 256;
constexpr int kLanes = 16;
constexpr int kTile = 2048;  // a multiple of kLanes

// The lanes' sums folded 8, 4, 2, 1; good in lane 0. All of a warp call it.
__device__ float FoldLanes(float sum) {
  for (int width = kLanes / 2; width > 0; width /= 2) {
    sum += __shfl_down_sync(kFullMask, sum, width);
  }
  return sum;
}

__global__ void RmsNormRow(Global<const float> x, Global<const float> weight, float eps, int width,
                           Global<float> y) {
  ESP_SHARED(float, tile, kTile);
  ESP_SHARED(float, scale, 1);
  const auto thread = static_cast<int>(threadIdx.x);
  const std::int64_t row = std::int64_t{blockIdx.x} * width;
  float sum = 0;
  for (int begin = 0; begin < width; begin += kTile) {
    const int size = Min(width - begin, kTile);
    for (int i = thread; Within(i, size); i += kThreads) tile[i] = x[row + begin + i];
    __syncthreads();
    if (thread < kLanes) {
      for (int i = thread; Within(i, size); i += kLanes) sum = fmaf(tile[i], tile[i], sum);
    }
    __syncthreads();
  }
  if (thread < kWarpSize) {
    sum = FoldLanes(sum);
    if (thread == 0) scale[0] = 1.0f / sqrtf(sum / static_cast<float>(width) + eps);
  }
  __syncthreads();
  for (int i = thread; Within(i, width); i += kThreads) {
    y[row + i] = x[row + i] * scale[0] * weight[i];
  }
}

}  // namespace

void RmsNorm(Stream& stream, const RmsNormTask& task) {
  if (task.num_rows == 0) return;
  const std::int64_t size = std::int64_t{task.num_rows} * task.width;
  Launch(stream, {static_cast<unsigned>(task.num_rows)}, kThreads, RmsNormRow, {task.x, size},
         {task.weight, task.width}, task.eps, task.width, {task.y, size});
}

}  // namespace espalier::ESP_DEVICE
