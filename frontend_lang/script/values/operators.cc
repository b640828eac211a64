#include "frontend_lang/script/values/operators.h"

namespace espalier::lang {

std::string_view Symbol(BinaryOp op) {
  switch (op) {
    case BinaryOp::kAdd: return "+";
    case BinaryOp::kSub: return "-";
    case BinaryOp::kMul: return "*";
    case BinaryOp::kDiv: return "/";
    case BinaryOp::kFloorDiv: return "//";
    case BinaryOp::kMod: return "%";
    case BinaryOp::kPow: return "** or pow()";
    case BinaryOp::kLeftShift: return "<<";
    case BinaryOp::kRightShift: return ">>";
    case BinaryOp::kAnd: return "&";
    case BinaryOp::kXor: return "^";
    case BinaryOp::kOr: return "|";
    case BinaryOp::kMatMul: return "@";
  }
  return "?";
}

std::string_view Symbol(CompareOp op) {
  switch (op) {
    case CompareOp::kEq: return "==";
    case CompareOp::kNe: return "!=";
    case CompareOp::kLt: return "<";
    case CompareOp::kLe: return "<=";
    case CompareOp::kGt: return ">";
    case CompareOp::kGe: return ">=";
  }
  return "?";
}

std::string_view Symbol(UnaryOp op) {
  switch (op) {
    case UnaryOp::kPlus: return "+";
    case UnaryOp::kMinus: return "-";
    case UnaryOp::kInvert: return "~";
  }
  return "?";
}

}  // namespace espalier::lang
