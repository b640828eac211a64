// ForEachChild: calls `visit(const Expr&)` for the expressions directly below a node,
// in the order in which they are evaluated. The nested scopes of lambdas and
// comprehensions count as children too.
#pragma once

#include "frontend_lang/script/syntax/ast.h"

namespace espalier::script {

namespace internal {

template <typename Visit>
struct ChildVisitor {
  Visit& visit;

  void Maybe(const Expr* expr) {
    if (expr != nullptr) visit(*expr);
  }
  void All(const std::vector<const Expr*>& exprs) {
    for (const Expr* expr : exprs) visit(*expr);
  }
  void Defaults(const Parameters& parameters) {
    for (const Parameter& p : parameters.positional) Maybe(p.default_value);
    for (const Parameter& p : parameters.keyword_only) Maybe(p.default_value);
  }

  template <typename Leaf>
  void operator()(const Leaf&) {}
  void operator()(const TupleExpr& e) { All(e.items); }
  void operator()(const ListExpr& e) { All(e.items); }
  void operator()(const SetExpr& e) { All(e.items); }
  void operator()(const DictExpr& e) {
    for (const DictItem& item : e.items) Maybe(item.key), visit(*item.value);
  }
  void operator()(const StarredExpr& e) { visit(*e.value); }
  void operator()(const UnaryExpr& e) { visit(*e.operand); }
  void operator()(const BinaryExpr& e) { visit(*e.left), visit(*e.right); }
  void operator()(const LogicalExpr& e) { All(e.items); }
  void operator()(const CompareExpr& e) {
    visit(*e.first);
    for (const auto& [op, operand] : e.rest) visit(*operand);
  }
  void operator()(const ConditionalExpr& e) { visit(*e.test), visit(*e.then), visit(*e.otherwise); }
  void operator()(const CallExpr& e) {
    visit(*e.callee);
    for (const Argument& argument : e.arguments) visit(*argument.value);
  }
  void operator()(const AttributeExpr& e) { visit(*e.object); }
  void operator()(const SubscriptExpr& e) { visit(*e.object), visit(*e.index); }
  void operator()(const SliceExpr& e) { Maybe(e.start), Maybe(e.stop), Maybe(e.step); }
  void operator()(const LambdaExpr& e) { Defaults(e.parameters), visit(*e.body); }
  void operator()(const ComprehensionExpr& e) {
    for (const Clause& clause : e.clauses) {
      visit(*clause.source), visit(*clause.target);
      All(clause.conditions);
    }
    visit(*e.element), Maybe(e.value);
  }
  void operator()(const FormattedExpr& e) { visit(*e.value), Maybe(e.spec); }
  void operator()(const JoinedExpr& e) { All(e.parts); }
  void operator()(const WalrusExpr& e) { visit(*e.value); }
  void operator()(const YieldExpr& e) { Maybe(e.value); }
  void operator()(const AwaitExpr& e) { visit(*e.value); }
};

}  // namespace internal

template <typename Visit>
void ForEachChild(const Expr& expr, Visit&& visit) {
  std::visit(internal::ChildVisitor<Visit>{visit}, expr.node);
}

// Calls visit(const Pattern&) for the patterns directly below one, in the order in
// which they are tried.
template <typename Visit>
void ForEachSubpattern(const Pattern& pattern, Visit&& visit) {
  if (const auto* as = pattern.If<AsPattern>()) visit(*as->pattern);
  if (const auto* alternatives = pattern.If<OrPattern>()) {
    for (const Pattern* one : alternatives->alternatives) visit(*one);
  }
  if (const auto* sequence = pattern.If<SequencePattern>()) {
    for (const Pattern* item : sequence->items) visit(*item);
  }
  if (const auto* mapping = pattern.If<MappingPattern>()) {
    for (const auto& [key, item] : mapping->items) visit(*item);
  }
  if (const auto* type = pattern.If<ClassPattern>()) {
    for (const Pattern* item : type->positional) visit(*item);
    for (const auto& [name, item] : type->keywords) visit(*item);
  }
}

}  // namespace espalier::script
