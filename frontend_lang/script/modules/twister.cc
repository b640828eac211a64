#include "frontend_lang/script/modules/twister.h"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

namespace espalier::script {

void Twister::SeedOne(std::uint32_t seed) {
  state_[0] = seed;
  for (std::size_t i = 1; i < kSize; ++i) {
    const std::uint32_t last = state_[i - 1];
    state_[i] = 1812433253U * (last ^ (last >> 30)) + static_cast<std::uint32_t>(i);
  }
  next_ = kSize;
}

void Twister::Seed(std::span<const std::uint32_t> key) {
  SeedOne(19650218U);
  std::size_t i = 1, j = 0;
  const auto step = [&] {
    if (++i < kSize) return;
    state_[0] = state_[kSize - 1];
    i = 1;
  };
  for (std::size_t k = std::max(kSize, key.size()); k > 0; --k) {
    const std::uint32_t last = state_[i - 1];
    state_[i] =
        (state_[i] ^ ((last ^ (last >> 30)) * 1664525U)) + key[j] + static_cast<std::uint32_t>(j);
    step();
    if (++j == key.size()) j = 0;
  }
  for (std::size_t k = kSize - 1; k > 0; --k) {
    const std::uint32_t last = state_[i - 1];
    state_[i] = (state_[i] ^ ((last ^ (last >> 30)) * 1566083941U)) - static_cast<std::uint32_t>(i);
    step();
  }
  state_[0] = 0x80000000U;
}

void Twister::SeedText(std::string_view text) {
  std::string number(text);
  for (const std::uint8_t byte : Sha512(text)) number += static_cast<char>(byte);
  std::vector<std::uint32_t> key;  // big-endian bytes, taken from the end
  for (std::size_t end = number.size(); end > 0; end -= std::min<std::size_t>(4, end)) {
    std::uint32_t digit = 0;
    for (std::size_t i = end - std::min<std::size_t>(4, end); i < end; ++i) {
      digit = digit << 8 | static_cast<std::uint8_t>(number[i]);
    }
    key.push_back(digit);
  }
  while (key.size() > 1 && key.back() == 0) key.pop_back();
  Seed(key);
}

std::uint32_t Twister::Next() {
  constexpr std::size_t kShift = 397;
  if (next_ == kSize) {
    for (std::size_t i = 0; i < kSize; ++i) {
      const std::uint32_t mixed =
          (state_[i] & 0x80000000U) | (state_[(i + 1) % kSize] & 0x7FFFFFFFU);
      state_[i] = state_[(i + kShift) % kSize] ^ (mixed >> 1) ^ ((mixed & 1U) * 0x9908B0DFU);
    }
    next_ = 0;
  }
  std::uint32_t y = state_[next_++];
  y ^= y >> 11;
  y ^= (y << 7) & 0x9D2C5680U;
  y ^= (y << 15) & 0xEFC60000U;
  return y ^ (y >> 18);
}

double Twister::NextReal() {
  const std::uint32_t a = Next() >> 5, b = Next() >> 6;
  return (a * 67108864.0 + b) * (1.0 / 9007199254740992.0);
}

std::uint64_t Twister::NextBits(int count) {
  if (count <= 32) return Next() >> (32 - count);
  const std::uint64_t low = Next();  // the low digit comes first
  return low | static_cast<std::uint64_t>(Next() >> (64 - count)) << 32;
}

std::uint64_t Twister::NextBelow(std::uint64_t bound) {
  const int count = std::bit_width(bound);
  std::uint64_t value = NextBits(count);
  while (value >= bound) value = NextBits(count);
  return value;
}

}  // namespace espalier::script
