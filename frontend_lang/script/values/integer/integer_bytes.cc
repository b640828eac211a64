#include "frontend_lang/script/values/integer/integer_bytes.h"

#include <algorithm>
#include <utility>

namespace espalier::lang {
namespace {

// 2^n - the number that the bytes hold, the lowest byte first.
void Negate(std::string& bytes) {
  bool carry = true;
  for (char& byte : bytes) {
    const unsigned flipped = (~static_cast<unsigned>(static_cast<unsigned char>(byte)) & 0xFFU) +
                             static_cast<unsigned>(carry);
    byte = static_cast<char>(flipped & 0xFFU);
    carry = flipped > 0xFF;
  }
}

bool HighBit(const std::string& bytes) {
  return !bytes.empty() && (static_cast<unsigned char>(bytes.back()) & 0x80) != 0;
}

}  // namespace

Outcome<std::string> IntegerToBytes(const Value& number, std::size_t length, ByteOrder order,
                                    Sign sign) {
  const IntegerView view(number);
  if (view.negative() && sign == Sign::kNone) {
    return Raise("OverflowError", "can't convert negative int to unsigned");
  }
  std::string bytes(length, '\0');
  bool fits = true;
  for (std::size_t i = 0; i < view.magnitude().size() * sizeof(Limb); ++i) {
    const Limb limb = view.magnitude()[i / sizeof(Limb)];
    const auto byte = static_cast<char>(limb >> (8 * (i % sizeof(Limb))) & 0xFF);
    if (i < length) {
      bytes[i] = byte;
    } else {
      fits &= byte == 0;
    }
  }
  const bool high = HighBit(bytes);
  if (view.negative()) Negate(bytes);
  if (sign == Sign::kTwosComplement && fits) {
    fits = view.negative() ? HighBit(bytes) || view.zero() : !high;
  }
  if (!fits) return Raise("OverflowError", "int too big to convert");
  if (order == ByteOrder::kBig) std::ranges::reverse(bytes);
  return bytes;
}

Value IntegerFromBytes(Heap& heap, std::string_view bytes, ByteOrder order, Sign sign) {
  std::string lowest_first(bytes);
  if (order == ByteOrder::kBig) std::ranges::reverse(lowest_first);
  Integer number;
  number.negative = sign == Sign::kTwosComplement && HighBit(lowest_first);
  if (number.negative) Negate(lowest_first);
  number.magnitude.resize((lowest_first.size() + sizeof(Limb) - 1) / sizeof(Limb));
  for (std::size_t i = 0; i < lowest_first.size(); ++i) {
    number.magnitude[i / sizeof(Limb)] |=
        static_cast<Limb>(static_cast<unsigned char>(lowest_first[i])) << (8 * (i % sizeof(Limb)));
  }
  Trim(number.magnitude);
  return MakeInteger(heap, std::move(number));
}

}  // namespace espalier::lang
