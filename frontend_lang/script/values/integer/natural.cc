#include "frontend_lang/script/values/integer/natural.h"

#include <algorithm>
#include <bit>

namespace espalier::lang {

Natural MakeNatural(std::uint64_t value) {
  Natural natural = {static_cast<Limb>(value), static_cast<Limb>(value >> kLimbBits)};
  Trim(natural);
  return natural;
}

void Trim(Natural& natural) {
  while (!natural.empty() && natural.back() == 0) natural.pop_back();
}

Limbs Trimmed(Limbs limbs) {
  while (!limbs.empty() && limbs.back() == 0) limbs = limbs.first(limbs.size() - 1);
  return limbs;
}

std::int64_t NumBits(Limbs limbs) {
  if (limbs.empty()) return 0;
  return static_cast<std::int64_t>(limbs.size()) * kLimbBits - std::countl_zero(limbs.back());
}

int CompareNaturals(Limbs a, Limbs b) {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  for (std::size_t i = a.size(); i-- > 0;) {
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return 0;
}

Natural Add(Limbs a, Limbs b) {
  if (a.size() < b.size()) std::swap(a, b);
  Natural sum(a.size() + 1);
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    carry += std::uint64_t{a[i]} + (i < b.size() ? b[i] : 0);
    sum[i] = static_cast<Limb>(carry);
    carry >>= kLimbBits;
  }
  sum[a.size()] = static_cast<Limb>(carry);
  Trim(sum);
  return sum;
}

Natural Subtract(Limbs a, Limbs b) {
  Natural difference(a.size());
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::uint64_t taken = std::uint64_t{i < b.size() ? b[i] : 0} + borrow;
    borrow = a[i] < taken ? 1 : 0;
    difference[i] = static_cast<Limb>(a[i] - taken);
  }
  Trim(difference);
  return difference;
}

Outcome<Natural> ShiftLeft(Host& host, Limbs a, std::int64_t count) {
  if (a.empty()) return Natural();
  ESP_TRY(host.Reserve(count / 8 + static_cast<std::int64_t>(a.size() + 2) * 4));
  const auto num_limbs = static_cast<std::size_t>(count / kLimbBits);
  const auto num_bits = static_cast<int>(count % kLimbBits);
  ESP_TRY(host.Step(static_cast<std::int64_t>((num_limbs + a.size()) / 1024)));
  Natural shifted(num_limbs + a.size() + 1);
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    carry |= std::uint64_t{a[i]} << num_bits;
    shifted[num_limbs + i] = static_cast<Limb>(carry);
    carry >>= kLimbBits;
  }
  shifted.back() = static_cast<Limb>(carry);
  Trim(shifted);
  return shifted;
}

Natural ShiftRight(Limbs a, std::int64_t count) {
  if (count >= NumBits(a)) return {};
  const auto num_limbs = static_cast<std::size_t>(count / kLimbBits);
  const auto num_bits = static_cast<int>(count % kLimbBits);
  Natural shifted(a.size() - num_limbs);
  for (std::size_t i = num_limbs; i < a.size(); ++i) {
    const std::uint64_t high = i + 1 < a.size() ? a[i + 1] : 0;
    shifted[i - num_limbs] = static_cast<Limb>((high << kLimbBits | a[i]) >> num_bits);
  }
  Trim(shifted);
  return shifted;
}

bool AnyBitBelow(Limbs a, std::int64_t count) {
  const auto num_limbs =
      static_cast<std::size_t>(std::min(count / kLimbBits, static_cast<std::int64_t>(a.size())));
  for (std::size_t i = 0; i < num_limbs; ++i) {
    if (a[i] != 0) return true;
  }
  const auto num_bits = static_cast<int>(count % kLimbBits);
  return num_limbs < a.size() && (a[num_limbs] & ((Limb{1} << num_bits) - 1)) != 0;
}

}  // namespace espalier::lang
