#include "frontend_lang/script/compile/scope_resolver.h"

#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace espalier::script {

std::optional<SyntaxProblem> ScopeResolver::Run() {
  for (Scope* scope : scopes_) {
    Resolve(*scope);
    if (problem_) return std::move(problem_);
  }
  for (Scope* scope : scopes_) AssignSlots(*scope);
  return std::nullopt;
}

void ScopeResolver::Resolve(Scope& scope) {
  if (scope.is_module()) return;
  // Resolving may add names to scopes in between, which are resolved already or later.
  for (std::size_t i = 0; i < scope.order_.size(); ++i) {
    const std::string_view name = scope.order_[i];
    Scope::Symbol& symbol = scope.symbols_[name];
    if (symbol.is_global || symbol.free || (symbol.bound && !symbol.is_nonlocal)) continue;
    ResolveFree(scope, name, symbol);
  }
}

void ScopeResolver::ResolveFree(Scope& scope, std::string_view name, Scope::Symbol& symbol) {
  Scope* owner = scope.parent_;
  for (; !owner->is_module(); owner = owner->parent_) {
    const auto found = owner->symbols_.find(name);
    if (found == owner->symbols_.end()) continue;
    if (owner->is_class_ && name != kClassCell) continue;
    if (found->second.is_global) owner = scopes_.front();
    if (owner->is_module() || found->second.free) break;
    if (found->second.bound && !found->second.is_nonlocal) break;
  }
  if (owner->is_module()) {
    if (symbol.is_nonlocal) {
      problem_ = SyntaxProblem{
          "SyntaxError", fmt::format("no binding for nonlocal '{}' found", name), "", symbol.span};
    }
    symbol.is_global = true;
    return;
  }
  Scope::Symbol& owned = owner->symbols_[name];
  if (!owned.free) owned.captured = true;
  for (Scope* between = &scope; between != owner; between = between->parent_) {
    between->Touch(name, symbol.span).free = true;
  }
}

void ScopeResolver::AssignSlots(Scope& scope) {
  if (scope.is_module()) return;
  const auto add = [&](std::string_view name, Scope::Symbol& symbol) {
    symbol.slot = static_cast<int>(scope.locals_.size());
    scope.locals_.push_back(name);
  };
  for (const std::string_view name : scope.order_) {
    Scope::Symbol& symbol = scope.symbols_[name];
    if (!scope.IsOwn(symbol)) continue;
    add(name, symbol);
    if (symbol.captured) scope.own_cells_.push_back(symbol.slot);
  }
  scope.first_free_ = static_cast<int>(scope.locals_.size());
  for (const std::string_view name : scope.order_) {
    Scope::Symbol& symbol = scope.symbols_[name];
    if (!symbol.free) continue;
    const int own = symbol.slot;
    add(name, symbol);
    symbol.free_slot = std::exchange(symbol.slot, own >= 0 ? own : symbol.slot);
    const Scope::Symbol& outer = scope.parent_->symbols_[name];
    scope.captures_.push_back(outer.free ? outer.free_slot : outer.slot);
  }
}

}  // namespace espalier::script
