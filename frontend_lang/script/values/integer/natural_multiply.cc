// Products and powers of naturals.
#include <algorithm>

#include "frontend_lang/script/values/integer/natural.h"

namespace espalier::lang {
namespace {

// From this many limbs in the shorter factor on, Karatsuba's way is the faster one.
constexpr std::size_t kKaratsubaLimbs = 48;
constexpr std::size_t kLimbsAStep = 1024;  // products of two limbs in about a microsecond

// product += a * b, where there is room for it.
Fault MultiplyBySchool(Host& host, Limbs a, Limbs b, std::span<Limb> product) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    ESP_TRY(host.Step(static_cast<std::int64_t>(b.size() / kLimbsAStep)));
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      carry += product[i + j] + std::uint64_t{a[i]} * b[j];
      product[i + j] = static_cast<Limb>(carry);
      carry >>= kLimbBits;
    }
    product[i + b.size()] = static_cast<Limb>(carry);
  }
  const std::size_t rest = a.size() * (b.size() % kLimbsAStep) / kLimbsAStep;
  return host.Step(1 + static_cast<std::int64_t>(rest));
}

// target += addend << (32 * at), where there is room for it.
void AddAt(std::span<Limb> target, std::size_t at, Limbs addend) {
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < addend.size() || carry != 0; ++i) {
    carry += std::uint64_t{target[at + i]} + (i < addend.size() ? addend[i] : 0);
    target[at + i] = static_cast<Limb>(carry);
    carry >>= kLimbBits;
  }
}

Outcome<Natural> Product(Host& host, Limbs a, Limbs b);

// With a = a1 B + a0 and b = b1 B + b0:
//   a b = a1 b1 B^2 + ((a1 + a0) (b1 + b0) - a1 b1 - a0 b0) B + a0 b0
// REQUIRES: a is not shorter than b
Outcome<Natural> ProductOfHalves(Host& host, Limbs a, Limbs b) {
  const std::size_t half = (a.size() + 1) / 2;
  const Limbs a0 = Trimmed(a.first(half)), a1 = a.subspan(half);
  Natural product(a.size() + b.size() + 1);
  if (b.size() <= half) {  // b has no upper half
    ESP_TRY_ASSIGN(const Natural low, Product(host, a0, b));
    ESP_TRY_ASSIGN(const Natural high, Product(host, a1, b));
    AddAt(product, 0, low);
    AddAt(product, half, high);
  } else {
    const Limbs b0 = Trimmed(b.first(half)), b1 = b.subspan(half);
    ESP_TRY_ASSIGN(const Natural low, Product(host, a0, b0));
    ESP_TRY_ASSIGN(const Natural high, Product(host, a1, b1));
    ESP_TRY_ASSIGN(const Natural sums, Product(host, Add(a1, a0), Add(b1, b0)));
    AddAt(product, 0, low);
    AddAt(product, half, Subtract(Subtract(sums, low), high));
    AddAt(product, 2 * half, high);
  }
  Trim(product);
  return product;
}

// Halving bounds the depth of the recursion by the bits of a size.
Outcome<Natural> Product(Host& host, Limbs a, Limbs b) {
  if (a.size() < b.size()) std::swap(a, b);
  if (b.empty()) return Natural();
  if (b.size() >= kKaratsubaLimbs) return ProductOfHalves(host, a, b);
  Natural product(a.size() + b.size());
  ESP_TRY(MultiplyBySchool(host, b, a, product));
  Trim(product);
  return product;
}

}  // namespace

Outcome<Natural> Multiply(Host& host, Limbs a, Limbs b) {
  constexpr std::int64_t kWithHalves = 4;  // what Karatsuba's parts take meanwhile
  const std::size_t num_limbs = a.size() + b.size();
  ESP_TRY(host.Reserve(static_cast<std::int64_t>(num_limbs * sizeof(Limb)),
                       std::min(a.size(), b.size()) < kKaratsubaLimbs ? 1 : kWithHalves));
  return Product(host, a, b);
}

void MultiplyInPlace(Natural& a, Limb factor, Limb addend) {
  std::uint64_t carry = addend;
  for (Limb& limb : a) {
    carry += std::uint64_t{limb} * factor;
    limb = static_cast<Limb>(carry);
    carry >>= kLimbBits;
  }
  if (carry != 0) a.push_back(static_cast<Limb>(carry));
}

// From the exponent's highest bit down: square, and multiply where the bit is set.
Outcome<Natural> Power(Host& host, Limbs base, std::uint64_t exponent) {
  if (base.empty() && exponent != 0) return Natural();
  if (CompareNaturals(base, MakeNatural(1)) == 0 || exponent == 0) return MakeNatural(1);
  const std::int64_t least_bits = NumBits(base) - 1;  // base >= 2^least_bits
  if (exponent > (std::uint64_t{1} << 62)) exponent = std::uint64_t{1} << 62;  // fails anyway
  ESP_TRY(host.Reserve(static_cast<std::int64_t>(exponent / 8), least_bits));
  Natural power = MakeNatural(1);
  for (int bit = 63; bit >= 0; --bit) {
    if (!power.empty() && power != Natural{1}) {
      ESP_TRY_ASSIGN(power, Multiply(host, power, power));
    }
    if ((exponent >> bit & 1) != 0) {
      ESP_TRY_ASSIGN(power, Multiply(host, power, base));
    }
  }
  return power;
}

Outcome<Natural> PowerModulo(Host& host, Limbs base, Limbs exponent, Limbs modulus) {
  ESP_TRY_ASSIGN(const Division reduced, Divide(host, base, modulus));
  ESP_TRY_ASSIGN(Division power, Divide(host, MakeNatural(1), modulus));
  for (std::int64_t bit = NumBits(exponent); bit-- > 0;) {
    ESP_TRY(host.Step());
    ESP_TRY_ASSIGN(const Natural square, Multiply(host, power.remainder, power.remainder));
    ESP_TRY_ASSIGN(power, Divide(host, square, modulus));
    if ((exponent[static_cast<std::size_t>(bit / kLimbBits)] >> (bit % kLimbBits) & 1) == 0) {
      continue;
    }
    ESP_TRY_ASSIGN(const Natural product, Multiply(host, power.remainder, reduced.remainder));
    ESP_TRY_ASSIGN(power, Divide(host, product, modulus));
  }
  return std::move(power.remainder);
}

}  // namespace espalier::lang
