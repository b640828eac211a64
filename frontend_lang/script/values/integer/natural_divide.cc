// Quotients of naturals: Knuth, The Art of Computer Programming, volume 2, 4.3.1,
// algorithm D.
#include <bit>

#include "frontend_lang/script/values/integer/natural.h"

namespace espalier::lang {
namespace {

constexpr std::uint64_t kRadix = std::uint64_t{1} << kLimbBits;

// The digit of the quotient at the top of `rest`, at most 1 too large. (Step D3.)
std::uint64_t Guess(std::span<const Limb> rest, std::span<const Limb> divisor) {
  const std::size_t n = divisor.size();
  const std::uint64_t top = std::uint64_t{rest[n]} << kLimbBits | rest[n - 1];
  std::uint64_t digit = top / divisor[n - 1], over = top % divisor[n - 1];
  while (digit >= kRadix || digit * divisor[n - 2] > (over << kLimbBits | rest[n - 2])) {
    --digit;
    over += divisor[n - 1];
    if (over >= kRadix) break;
  }
  return digit;
}

// rest -= digit * divisor; whether it went below zero. (Step D4.)
bool SubtractProduct(std::span<Limb> rest, std::span<const Limb> divisor, std::uint64_t digit) {
  std::uint64_t carry = 0, borrow = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    carry += i < divisor.size() ? digit * divisor[i] : 0;
    const std::uint64_t taken = (carry & (kRadix - 1)) + borrow;
    borrow = rest[i] < taken ? 1 : 0;
    rest[i] = static_cast<Limb>(rest[i] - taken);
    carry >>= kLimbBits;
  }
  return borrow != 0;
}

// (Step D6.)
void AddBack(std::span<Limb> rest, std::span<const Limb> divisor) {
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    carry += std::uint64_t{rest[i]} + (i < divisor.size() ? divisor[i] : 0);
    rest[i] = static_cast<Limb>(carry);
    carry >>= kLimbBits;
  }
}

}  // namespace

Limb DivideInPlace(Natural& a, Limb b) {
  std::uint64_t rest = 0;
  for (std::size_t i = a.size(); i-- > 0;) {
    rest = rest << kLimbBits | a[i];
    a[i] = static_cast<Limb>(rest / b);
    rest %= b;
  }
  Trim(a);
  return static_cast<Limb>(rest);
}

Outcome<Division> Divide(Host& host, Limbs a, Limbs b) {
  if (CompareNaturals(a, b) < 0) return Division{{}, Natural(a.begin(), a.end())};
  ESP_TRY(host.Reserve(static_cast<std::int64_t>(a.size() * 3 * sizeof(Limb))));
  if (b.size() == 1) {
    ESP_TRY(host.Step(static_cast<std::int64_t>(a.size() / 256)));
    Division division{Natural(a.begin(), a.end()), {}};
    division.remainder = MakeNatural(DivideInPlace(division.quotient, b[0]));
    return division;
  }
  const int shift = std::countl_zero(b.back());
  ESP_TRY_ASSIGN(const Natural divisor, ShiftLeft(host, b, shift));
  ESP_TRY_ASSIGN(Natural rest, ShiftLeft(host, a, shift));
  rest.resize(a.size() + 1);
  const std::size_t n = divisor.size();
  Division division;
  division.quotient.resize(rest.size() - n);
  for (std::size_t at = rest.size() - n; at-- > 0;) {
    ESP_TRY(host.Step(static_cast<std::int64_t>(n / 512)));
    const std::span<Limb> part = std::span(rest).subspan(at, n + 1);
    std::uint64_t digit = Guess(part, divisor);
    if (SubtractProduct(part, divisor, digit)) {
      --digit;
      AddBack(part, divisor);
    }
    division.quotient[at] = static_cast<Limb>(digit);
  }
  ESP_TRY(host.Step(static_cast<std::int64_t>(division.quotient.size() * (n % 512) / 512)));
  Trim(division.quotient);
  Trim(rest);
  division.remainder = ShiftRight(rest, shift);
  return division;
}

}  // namespace espalier::lang
