#include "kernels/base/random.h"

namespace espalier {
namespace {

constexpr std::uint32_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;

constexpr std::uint32_t Low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
constexpr std::uint32_t High(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

}  // namespace

std::array<std::uint32_t, 4> Philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{kMultiplier0} * counter[0];
    const std::uint64_t b = std::uint64_t{kMultiplier1} * counter[2];
    counter = {High(b) ^ counter[1] ^ key[0], Low(b), High(a) ^ counter[3] ^ key[1], Low(a)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

double UniformDraw(std::uint64_t seed, std::uint32_t choice, std::uint64_t position) {
  const auto bits = Philox4x32({Low(position), High(position), choice, 0}, {Low(seed), High(seed)});
  const std::uint64_t mantissa = (std::uint64_t{bits[0]} << 21) ^ (bits[1] >> 11);
  return static_cast<double>(mantissa) * 0x1p-53;
}

std::uint64_t ChildSeed(std::uint64_t seed, std::uint64_t index) {
  const auto bits = Philox4x32({Low(index), High(index), 0, 0x5EED5EED}, {Low(seed), High(seed)});
  return (std::uint64_t{bits[0]} << 32) | bits[1];
}

}  // namespace espalier
