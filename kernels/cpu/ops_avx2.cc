#include "kernels/cpu/avx2.h"
#include "kernels/cpu/packed.h"

namespace espalier {

const CpuOps& Avx2Ops() {
  static constexpr CpuOps kOps = {
      .isa = "avx2",
      .tile_bytes = PackedTileBytes,
      .pack_tiles = PackTiles,
      .linear = avx2::Linear,
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
