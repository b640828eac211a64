#include "frontend_lang/script/compile/constant.h"

#include <algorithm>

namespace espalier::script {
namespace {

bool AllConstant(const std::vector<const Expr*>& items) {
  return std::ranges::all_of(items, [](const Expr* item) { return IsConstant(*item); });
}

}  // namespace

bool IsConstant(const Expr& expr) {
  if (const auto* tuple = expr.If<TupleExpr>()) return AllConstant(tuple->items);
  if (const auto* unary = expr.If<UnaryExpr>()) return IsConstant(*unary->operand);
  if (const auto* binary = expr.If<BinaryExpr>()) {
    return IsConstant(*binary->left) && IsConstant(*binary->right);
  }
  return expr.If<NoneExpr>() != nullptr || expr.If<EllipsisExpr>() != nullptr ||
         expr.If<BoolExpr>() != nullptr || expr.If<NumberExpr>() != nullptr ||
         expr.If<StringExpr>() != nullptr;
}

bool IsConstantSet(const SetExpr& set) { return AllConstant(set.items); }

}  // namespace espalier::script
