// Ints as bytes: int.to_bytes and int.from_bytes.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "frontend_lang/script/values/integer/integer.h"

namespace espalier::lang {

enum class ByteOrder : unsigned char { kBig, kLittle };
enum class Sign : unsigned char { kNone, kTwosComplement };

// An OverflowError where `length` bytes do not hold the number. REQUIRES: number.is_integer()
Outcome<std::string> IntegerToBytes(const Value& number, std::size_t length, ByteOrder order,
                                    Sign sign);
Value IntegerFromBytes(Heap& heap, std::string_view bytes, ByteOrder order, Sign sign);

}  // namespace espalier::lang
