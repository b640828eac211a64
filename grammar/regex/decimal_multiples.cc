#include "grammar/regex/decimal_multiples.h"

#include <algorithm>
#include <numeric>

namespace espalier {

bool DecimalMultiples::Completes(std::uint32_t num_digits, std::uint32_t num_zeros) const {
  // Zeros at the end make up for common factors of the modulus with 10.
  std::uint64_t modulus = modulus_;
  for (std::uint32_t k = 0; k < num_zeros && modulus > 1; ++k) {
    modulus /= std::gcd(modulus, std::uint64_t{10});
  }
  std::uint64_t remainder = remainder_ % modulus;
  std::uint64_t power = 1;
  for (std::uint32_t k = 0; k < num_digits; ++k) {
    remainder = remainder * 10 % modulus;
    power = std::min(power * 10, modulus);
  }
  return remainder == 0 || modulus - remainder < power;
}

bool DecimalMultiples::alive() const {
  if (behind_point()) return Completes(left_, 0);
  for (std::uint32_t k = 0; k <= left_; ++k) {
    if (Completes(k + places_, 0)) return true;
  }
  return false;
}

bool DecimalMultiples::nullable() const {
  if (phase_ == Phase::kStart || phase_ == Phase::kPoint) return false;
  return Completes(0, phase_ == Phase::kWhole ? places_ : left_);
}

std::optional<DecimalMultiples> DecimalMultiples::Derive(std::uint8_t byte) const {
  DecimalMultiples next = *this;
  if (byte == '.') {
    if (phase_ != Phase::kWhole) return {};
    next.phase_ = Phase::kPoint;
    next.left_ = places_;
  } else if (byte < '0' || byte > '9') {
    return {};
  } else if (left_ > 0) {
    next.phase_ = behind_point() ? Phase::kFraction : Phase::kWhole;
    next.remainder_ = (remainder_ * 10 + (byte - '0')) % modulus_;
    if (left_ != kUnbounded) --next.left_;
  } else {
    if (!behind_point() || byte != '0') return {};
    next.phase_ = Phase::kFraction;
  }
  if (!next.alive()) return {};
  return next;
}

std::uint64_t DecimalMultiples::MinBytes() const {
  if (nullable()) return 0;
  if (behind_point()) {
    std::uint32_t k = 1;
    while (k < left_ && !Completes(k, left_ - k)) ++k;
    return k;
  }
  for (std::uint32_t k = 1; k <= left_; ++k) {
    if (Completes(k, places_)) return k;
  }
  // So few digits are left before the point that only some behind it can help.
  for (std::uint32_t num_digits = 1; num_digits < left_ + places_; ++num_digits) {
    const std::uint32_t most = std::min(num_digits, places_);
    const std::uint32_t fewest = num_digits > left_ ? num_digits - left_ : 1;
    for (std::uint32_t behind = fewest; behind <= most; ++behind) {
      if (Completes(num_digits, places_ - behind)) return num_digits + 1;
    }
  }
  return left_ + places_ + 1;
}

std::array<std::uint64_t, 4> DecimalMultiples::words() const {
  return {modulus_, remainder_, std::uint64_t{places_} << 32 | left_,
          static_cast<std::uint64_t>(phase_)};
}

DecimalMultiples DecimalMultiples::Clamp(std::uint32_t num_bytes) const {
  // Twenty more digits reach every remainder.
  constexpr std::uint32_t kEnough = 20;
  DecimalMultiples clamped = *this;
  if (!behind_point()) clamped.left_ = std::min(left_, num_bytes + kEnough);
  return clamped;
}

}  // namespace espalier
