#include "kernels/cpu/avx2_ops.h"
#include "kernels/cpu/avx512vnni.h"
#include "kernels/cpu/packed.h"

namespace espalier {

const CpuOps& Avx512VnniOps() {
  static constexpr CpuOps kOps = {
      .isa = "avx512vnni",
      .tile_bytes = PackedTileBytes,
      .pack_tiles = PackTiles,
      .linear = avx512vnni::Linear,
      .linear_exact = avx2::LinearExact,
      .quantize = avx2::Quantize,
      .attention = avx2::Attention,
      .rms_norm = avx2::RmsNorm,
      .add = avx2::Add,
      .silu_mul = avx2::SiluMul,
      .rope = avx2::Rope,
      .store_kv = avx2::StoreKv,
  };
  return kOps;
}

}  // namespace espalier
