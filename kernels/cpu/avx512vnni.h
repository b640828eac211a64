// The ops that AVX-512 with VNNI does better than AVX2. Declarations only.
#pragma once

#include "kernels/cpu/ops.h"

namespace espalier::avx512vnni {

void Linear(const LinearSlice& slice, const Rows& x);

}  // namespace espalier::avx512vnni
