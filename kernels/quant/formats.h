// From a dtype at run time to its block's type: the one place that lists the formats'
// headers.
#pragma once

#include "kernels/base/check.h"
#include "kernels/quant/q4_0.h"
#include "kernels/quant/q4_1.h"
#include "kernels/quant/q4_k.h"
#include "kernels/quant/q5_0.h"
#include "kernels/quant/q5_1.h"
#include "kernels/quant/q5_k.h"
#include "kernels/quant/q6_k.h"
#include "kernels/quant/q8_0.h"
#include "kernels/tensor.h"

namespace espalier {

constexpr bool IsQuantized(DType dtype) { return Traits(dtype).block_size > 1; }

// Returns fn.template operator()<Block>() for the format's block.
// REQUIRES: IsQuantized(dtype)
template <typename Fn>
auto WithBlock(DType dtype, const Fn& fn) {
  switch (dtype) {
    case DType::kQ4_0: return fn.template operator()<Q4_0Block>();
    case DType::kQ4_1: return fn.template operator()<Q4_1Block>();
    case DType::kQ5_0: return fn.template operator()<Q5_0Block>();
    case DType::kQ5_1: return fn.template operator()<Q5_1Block>();
    case DType::kQ8_0: return fn.template operator()<Q8_0Block>();
    case DType::kQ4_K: return fn.template operator()<Q4_KBlock>();
    case DType::kQ5_K: return fn.template operator()<Q5_KBlock>();
    case DType::kQ6_K: return fn.template operator()<Q6_KBlock>();
    case DType::kF32:
    case DType::kF16:
    case DType::kBF16: break;
  }
  ESP_CHECK(false) << Traits(dtype).name << " has no blocks";
  __builtin_unreachable();
}

}  // namespace espalier
