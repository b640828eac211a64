// Scopes: which variable every name of a program means.
//
// Python's rules: a name that a function binds is its own everywhere in it, unless it
// says global or nonlocal; other names belong to the nearest enclosing function that
// binds them, or are global. A comprehension is a function of its own, except that :=
// in it binds in the function around it. A class body is one too, but functions in it do
// not see its names, except __class__, through which super() finds the class.
//
// Thread safety: immutable once analyzed.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "frontend_lang/script/syntax/ast.h"

namespace espalier::script {

// The variable of a class body that holds the class, once it is made.
constexpr std::string_view kClassCell = "__class__";

enum class Storage : std::uint8_t { kGlobal, kLocal, kCell };  // kCell: also those of others

struct Variable {
  Storage storage = Storage::kGlobal;
  int slot = -1;  // in the frame; of no use for a kGlobal
};

class Scope {
 public:
  // REQUIRES: the scope uses that name.
  Variable Find(std::string_view name) const;

  const std::vector<std::string_view>& locals() const { return locals_; }  // by slot
  int first_free() const { return first_free_; }
  const std::vector<int>& own_cells() const { return own_cells_; }
  const std::vector<int>& captures() const { return captures_; }  // see Routine
  bool is_module() const { return parent_ == nullptr; }
  bool is_generator() const { return is_generator_; }
  bool is_class() const { return is_class_; }
  bool is_async() const { return is_async_; }  // async def, or a comprehension that awaits

 private:
  friend class ScopeBuilder;
  friend class ScopeResolver;

  struct Symbol {
    bool bound = false, is_global = false, is_nonlocal = false, captured = false, free = false;
    Span span;  // of the declaration, or the first use
    int slot = -1;
    // Where a free variable lies that inner functions capture. It differs from `slot` in a
    // class body that binds the same name for itself.
    int free_slot = -1;
  };
  bool IsOwn(const Symbol& symbol) const {
    return symbol.bound && !symbol.is_global && !symbol.is_nonlocal && (!symbol.free || is_class_);
  }
  Symbol& Touch(std::string_view name, Span span);

  Scope* parent_ = nullptr;
  bool is_comprehension_ = false, is_generator_ = false, is_class_ = false, is_async_ = false;
  ComprehensionKind comprehension_kind_ = ComprehensionKind::kList;
  bool returns_value_ = false;
  Span return_;  // the first with a value
  int num_parameters_ = 0;
  std::unordered_map<std::string_view, Symbol> symbols_;
  std::vector<std::string_view> order_;  // names, as first met; parameters lead
  std::vector<std::string_view> locals_;
  int first_free_ = 0;
  std::vector<int> own_cells_, captures_;
};

class Scopes {
 public:
  // The scope that a node opens (FunctionStmt, ClassStmt, LambdaExpr,
  // ComprehensionExpr), or of the file (null).
  const Scope& Of(const void* node) const { return *by_node_.at(node); }

 private:
  friend class ScopeBuilder;
  std::unordered_map<const void*, std::unique_ptr<Scope>> by_node_;
};

std::variant<Scopes, SyntaxProblem> AnalyzeScopes(const Ast& ast);

}  // namespace espalier::script
