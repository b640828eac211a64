// The operators of the two languages, by name.
#pragma once

#include <cstdint>
#include <string_view>

namespace espalier::lang {

enum class BinaryOp : std::uint8_t {
  kAdd,
  kSub,
  kMul,
  kDiv,
  kFloorDiv,
  kMod,
  kPow,
  kLeftShift,
  kRightShift,
  kAnd,
  kXor,
  kOr,
  kMatMul,
};
enum class CompareOp : std::uint8_t { kEq, kNe, kLt, kLe, kGt, kGe };
enum class UnaryOp : std::uint8_t { kPlus, kMinus, kInvert };
enum class Side : std::uint8_t { kLeft, kRight };

// As Python spells them: "+", "//", "** or pow()", "<=".
std::string_view Symbol(BinaryOp op);
std::string_view Symbol(CompareOp op);
std::string_view Symbol(UnaryOp op);

}  // namespace espalier::lang
