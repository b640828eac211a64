// Naturals as digits.
#include <algorithm>
#include <bit>

#include "frontend_lang/script/values/integer/natural.h"

namespace espalier::lang {
namespace {

constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";

// The largest power of the base that a limb holds, and how many digits that is.
struct Chunk {
  Limb power = 1;
  int num_digits = 0;
};
Chunk ChunkOf(int base) {
  Chunk chunk;
  while (std::uint64_t{chunk.power} * static_cast<unsigned>(base) >> kLimbBits == 0) {
    chunk.power *= static_cast<Limb>(base);
    ++chunk.num_digits;
  }
  return chunk;
}

// `shift` bits a digit.
Outcome<std::string> DigitsOfBits(Host& host, Limbs a, int shift) {
  constexpr std::int64_t kDigitsAStep = 1024;
  std::string text;
  const std::int64_t num_digits = (NumBits(a) + shift - 1) / shift;
  text.reserve(static_cast<std::size_t>(num_digits));
  for (std::int64_t i = num_digits; i-- > 0;) {
    if (i % kDigitsAStep == 0) ESP_TRY(host.Step());
    const auto at = static_cast<std::size_t>(i * shift / kLimbBits);
    const std::uint64_t high = at + 1 < a.size() ? a[at + 1] : 0;
    const std::uint64_t bits = (high << kLimbBits | a[at]) >> (i * shift % kLimbBits);
    text += kDigits[bits & ((1u << shift) - 1)];
  }
  return text;
}

int DigitOf(char c, int base) {
  const char small = static_cast<char>(c | 0x20);
  const int digit = c >= '0' && c <= '9'           ? c - '0'
                    : small >= 'a' && small <= 'z' ? small - 'a' + 10
                                                   : base;
  return digit < base ? digit : -1;
}

std::optional<Natural> ParseBits(std::string_view digits, int shift) {
  Natural number(digits.size() * static_cast<std::size_t>(shift) / kLimbBits + 1);
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const int digit = DigitOf(digits[digits.size() - 1 - i], 1 << shift);
    if (digit < 0) return std::nullopt;
    const std::size_t bit = i * static_cast<std::size_t>(shift);
    const std::uint64_t bits = std::uint64_t(static_cast<unsigned>(digit)) << bit % kLimbBits;
    number[bit / kLimbBits] |= static_cast<Limb>(bits);
    if (bits >> kLimbBits != 0) number[bit / kLimbBits + 1] |= static_cast<Limb>(bits >> kLimbBits);
  }
  Trim(number);
  return number;
}

}  // namespace

Outcome<std::string> Digits(Host& host, Limbs a, int base) {
  if (a.empty()) return std::string("0");
  const bool power_of_two = std::has_single_bit(static_cast<unsigned>(base));
  const int shift = static_cast<int>(std::bit_width(static_cast<unsigned>(base))) - 1;
  ESP_TRY(host.Reserve(NumBits(a) / shift + 1));
  ESP_TRY(host.Step(static_cast<std::int64_t>(a.size() / 16)));
  if (power_of_two) return DigitsOfBits(host, a, shift);
  const Chunk chunk = ChunkOf(base);
  Natural rest(a.begin(), a.end());
  std::string reversed;
  while (!rest.empty()) {
    ESP_TRY(host.Step(1 + static_cast<std::int64_t>(rest.size() / 64)));
    Limb part = DivideInPlace(rest, chunk.power);
    for (int i = 0; i < chunk.num_digits; ++i) {
      reversed += kDigits[part % static_cast<Limb>(base)];
      part /= static_cast<Limb>(base);
    }
  }
  reversed.erase(reversed.find_last_not_of('0') + 1);
  return std::string(reversed.rbegin(), reversed.rend());
}

std::optional<Natural> ParseNatural(std::string_view digits, int base) {
  if (std::has_single_bit(static_cast<unsigned>(base))) {
    return ParseBits(digits, static_cast<int>(std::bit_width(static_cast<unsigned>(base))) - 1);
  }
  const Chunk chunk = ChunkOf(base);
  Natural number;
  while (!digits.empty()) {
    const std::size_t count = std::min(digits.size(), static_cast<std::size_t>(chunk.num_digits));
    Limb part = 0, power = 1;
    for (const char c : digits.substr(0, count)) {
      const int digit = DigitOf(c, base);
      if (digit < 0) return std::nullopt;
      part = part * static_cast<Limb>(base) + static_cast<Limb>(digit);
      power *= static_cast<Limb>(base);
    }
    MultiplyInPlace(number, power, part);
    digits.remove_prefix(count);
  }
  Trim(number);
  return number;
}

}  // namespace espalier::lang
