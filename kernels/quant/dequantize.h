// Any tensor row as float32, bit for bit what the `gguf` package gives.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>

#include "kernels/tensor.h"

namespace espalier {

// Writes row `row` of `tensor` to out [tensor.columns].
// REQUIRES: 0 <= row < tensor.rows
void DequantizeRow(const TensorView& tensor, std::int64_t row, float* out);

}  // namespace espalier
