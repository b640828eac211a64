// The names __x__ that a program may define in a class and read from an object. All
// others do not exist: there is no way from a value to the machinery beneath it.
//
// Thread safety: immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "frontend_lang/script/values/operators.h"

namespace espalier::script {

// In the order of their names in special_methods.cc. Operators stand in the order of
// BinaryOp, CompareOp and UnaryOp.
enum class Special : std::uint8_t {
  kInit,
  kNew,
  kRepr,
  kStr,
  kFormat,
  kBool,
  kLen,
  kHash,
  kCall,
  kIter,
  kNext,
  kContains,
  kGetItem,
  kSetItem,
  kDelItem,
  kMissing,
  kReversed,
  kEnter,
  kExit,
  kGetAttr,
  kSetAttr,
  kDelAttr,
  kInt,
  kFloat,
  kIndex,
  kAbs,
  kRound,
  kAsyncEnter,
  kAsyncExit,
  kAsyncIter,
  kAsyncNext,
  kAwait,
  kGet,  // of descriptors: values in a class that say what reading and setting them means
  kSet,
  kDelete,
  kDel,
  kEq,  // the six comparisons
  kPos = kEq + 6,
  kAdd = kPos + 3,        // thirteen operators, self on the left
  kRightAdd = kAdd + 13,  // on the right
  kInPlaceAdd = kRightAdd + 13,
};
inline constexpr std::size_t kNumSpecials = static_cast<std::size_t>(Special::kInPlaceAdd) + 13;

inline Special SpecialOf(lang::CompareOp op) {
  return static_cast<Special>(static_cast<int>(Special::kEq) + static_cast<int>(op));
}
inline Special SpecialOf(lang::UnaryOp op) {
  return static_cast<Special>(static_cast<int>(Special::kPos) + static_cast<int>(op));
}
inline Special SpecialOf(lang::BinaryOp op, Special first) {
  return static_cast<Special>(static_cast<int>(first) + static_cast<int>(op));
}

std::string_view NameOf(Special special);

// Whether a program may say x.name: any name but a __name__, of which only the special
// methods, __name__, __doc__ and __members__ exist.
bool IsAllowedAttribute(std::string_view name);

// Whether a class may bind that __name__ in its body.
bool IsAllowedDefinition(std::string_view name);

}  // namespace espalier::script
