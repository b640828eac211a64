// Twister: the Mersenne Twister MT19937 (Matsumoto and Nishimura 1998), seeded and read
// as CPython's random does, so that programs get the same numbers.
//
// Thread safety: none.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace espalier::script {

class Twister {
 public:
  Twister() { Seed(std::array<std::uint32_t, 1>{0}); }

  // `key`: a number's 32-bit digits, the lowest first; at least one.
  void Seed(std::span<const std::uint32_t> key);
  // All that the next numbers follow from: 624 words, and the place of the next one.
  static constexpr std::size_t kSize = 624;
  const std::array<std::uint32_t, kSize>& words() const { return state_; }
  std::size_t next() const { return next_; }
  // REQUIRES: next <= kSize
  void SetState(const std::array<std::uint32_t, kSize>& words, std::size_t next) {
    state_ = words;
    next_ = next;
  }

  // What random.seed(text) does: the text and its SHA-512 as one number.
  void SeedText(std::string_view text);

  std::uint32_t Next();                          // 32 bits
  double NextReal();                             // in [0, 1), 53 bits
  std::uint64_t NextBits(int count);             // REQUIRES: 1 <= count <= 64
  std::uint64_t NextBelow(std::uint64_t bound);  // uniform. REQUIRES: bound > 0

 private:
  void SeedOne(std::uint32_t seed);

  std::array<std::uint32_t, kSize> state_;
  std::size_t next_ = kSize;
};

// FIPS 180-4.
std::array<std::uint8_t, 64> Sha512(std::string_view bytes);

}  // namespace espalier::script
