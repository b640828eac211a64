// DecimalMultiples: a place in a decimal text whose value is to be a multiple of
// modulus * 10^-places.
//
// The texts are digits, or digits "." digits. What was read is remembered as its remainder
// modulo `modulus`, so there are about modulus * places different places, made as they are
// reached. Whether the text can still be completed is a closed form, since k more digits
// add any number below 10^k; so no place that is entered is a dead end.
//
// Thread safety: a value.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>

namespace espalier {

class DecimalMultiples {
 public:
  static constexpr std::uint32_t kUnbounded = ~std::uint32_t{0};

  // max_whole_digits: before the point; may be kUnbounded. REQUIRES: 0 < modulus <= 10^18
  DecimalMultiples(std::uint64_t modulus, std::uint32_t places, std::uint32_t max_whole_digits)
      : modulus_(modulus), places_(places), left_(max_whole_digits) {}

  bool nullable() const;  // the text may end here
  // The place behind `byte`; empty if no text goes on with it.
  std::optional<DecimalMultiples> Derive(std::uint8_t byte) const;
  std::uint64_t MinBytes() const;  // to the nearest end
  // The same place if no more than num_bytes bytes can follow.
  DecimalMultiples Clamp(std::uint32_t num_bytes) const;

  std::array<std::uint64_t, 4> words() const;  // equal for equal places

  friend auto operator<=>(const DecimalMultiples&, const DecimalMultiples&) = default;

 private:
  enum class Phase : std::uint8_t { kStart, kWhole, kPoint, kFraction };

  // Whether some num_digits digits, and then num_zeros zeros, make what was read a multiple.
  bool Completes(std::uint32_t num_digits, std::uint32_t num_zeros) const;
  bool behind_point() const { return phase_ == Phase::kPoint || phase_ == Phase::kFraction; }
  bool alive() const;

  std::uint64_t modulus_;
  std::uint64_t remainder_ = 0;  // of the digits so far
  std::uint32_t places_;         // behind the point; further digits are zeros
  std::uint32_t left_;           // digits before the point, or places behind it, still to come
  Phase phase_ = Phase::kStart;
};

}  // namespace espalier
