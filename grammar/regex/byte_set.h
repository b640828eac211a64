// ByteSet: a set of byte values, as 256 bits.
//
// Thread safety: a value.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace espalier {

class ByteSet {
 public:
  constexpr ByteSet() = default;
  static constexpr ByteSet Of(std::uint8_t byte) { return Range(byte, byte); }
  // The bytes first .. last, both included.
  static constexpr ByteSet Range(std::uint8_t first, std::uint8_t last) {
    ByteSet set;
    for (unsigned b = first; b <= last; ++b) set.words_[b / 64] |= std::uint64_t{1} << (b % 64);
    return set;
  }
  static constexpr ByteSet All() { return Range(0, 255); }

  constexpr bool contains(std::uint8_t byte) const {
    return ((words_[byte / 64] >> (byte % 64)) & 1) != 0;
  }
  constexpr bool empty() const { return *this == ByteSet(); }
  constexpr std::size_t size() const {
    std::size_t count = 0;
    for (const std::uint64_t word : words_) count += static_cast<std::size_t>(std::popcount(word));
    return count;
  }
  // The smallest member. REQUIRES: !empty()
  constexpr std::uint8_t first() const {
    std::size_t i = 0;
    while (words_[i] == 0) ++i;
    return static_cast<std::uint8_t>(64 * i +
                                     static_cast<std::size_t>(std::countr_zero(words_[i])));
  }

  constexpr ByteSet& operator|=(const ByteSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
  }
  constexpr ByteSet& operator&=(const ByteSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
    return *this;
  }
  constexpr ByteSet operator~() const {
    ByteSet set;
    for (std::size_t i = 0; i < words_.size(); ++i) set.words_[i] = ~words_[i];
    return set;
  }
  friend constexpr ByteSet operator|(ByteSet a, const ByteSet& b) { return a |= b; }
  friend constexpr ByteSet operator&(ByteSet a, const ByteSet& b) { return a &= b; }
  friend constexpr auto operator<=>(const ByteSet&, const ByteSet&) = default;

  constexpr const std::array<std::uint64_t, 4>& words() const { return words_; }

 private:
  std::array<std::uint64_t, 4> words_{};
};

}  // namespace espalier
