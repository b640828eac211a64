#include "frontend_lang/script/compile/scopes.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "frontend_lang/script/compile/scope_resolver.h"
#include "frontend_lang/script/syntax/walk.h"

namespace espalier::script {

Variable Scope::Find(std::string_view name) const {
  const auto found = symbols_.find(name);
  if (found == symbols_.end() || found->second.slot < 0 || found->second.is_global) return {};
  const Symbol& symbol = found->second;
  const bool cell = symbol.captured || (symbol.free && !IsOwn(symbol));
  return {cell ? Storage::kCell : Storage::kLocal, symbol.slot};
}

Scope::Symbol& Scope::Touch(std::string_view name, Span span) {
  const auto [at, added] = symbols_.try_emplace(name);
  if (added) {
    at->second.span = span;
    order_.push_back(name);
  }
  return at->second;
}

// Walks the tree once and notes what each scope binds and uses.
class ScopeBuilder {
 public:
  explicit ScopeBuilder(Scopes& scopes) : scopes_(scopes) {}

  std::optional<SyntaxProblem> Run(const Ast& ast) {
    scope_ = Open(nullptr);
    Visit(ast.body);
    return problem_ ? std::move(problem_) : ScopeResolver(in_order_).Run();
  }

  // Statements.
  void operator()(const ExprStmt& s) { Visit(*s.value); }
  void operator()(const AssignStmt& s) {
    Visit(*s.value);
    for (const Expr* target : s.targets) Bind(*target);
  }
  void operator()(const AugmentedStmt& s) { Bind(*s.target), Visit(*s.value); }
  void operator()(const AnnotatedStmt& s) {
    if (s.value != nullptr) Visit(*s.value);
    Bind(*s.target);
    if (scope_->is_class_) Visit(*s.annotation);
  }
  void operator()(const ReturnStmt& s) {
    Maybe(s.value);
    if (s.value != nullptr && !std::exchange(scope_->returns_value_, true)) scope_->return_ = at_;
  }
  void operator()(const RaiseStmt& s) { Maybe(s.error), Maybe(s.cause); }
  void operator()(const AssertStmt& s) { Visit(*s.test), Maybe(s.message); }
  void operator()(const DelStmt& s) {
    for (const Expr* target : s.targets) Bind(*target);
  }
  void operator()(const PassStmt&) {}
  void operator()(const BreakStmt&) {}
  void operator()(const ContinueStmt&) {}
  void operator()(const GlobalStmt& s) {
    for (const auto name : s.names) Declare(name, "global");
  }
  void operator()(const NonlocalStmt& s) {
    for (const auto name : s.names) Declare(name, "nonlocal");
  }
  void operator()(const IfStmt& s) {
    for (const IfBranch& branch : s.branches) Visit(*branch.test), Visit(branch.body);
    Visit(s.otherwise);
  }
  void operator()(const WhileStmt& s) { Visit(*s.test), Visit(s.body), Visit(s.otherwise); }
  void operator()(const ForStmt& s) {
    if (s.is_async) NeedAsync("'async for'", at_);
    Visit(*s.source), Bind(*s.target), Visit(s.body), Visit(s.otherwise);
  }
  void operator()(const TryStmt& s) {
    Visit(s.body);
    for (const ExceptClause& clause : s.clauses) {
      Maybe(clause.type);
      if (!clause.name.empty()) BindName(clause.name, clause.span);
      Visit(clause.body);
    }
    Visit(s.otherwise), Visit(s.last);
  }
  void operator()(const WithStmt& s) {
    if (s.is_async) NeedAsync("'async with'", at_);
    for (const WithItem& item : s.items) {
      Visit(*item.manager);
      if (item.target != nullptr) Bind(*item.target);
    }
    Visit(s.body);
  }
  void operator()(const MatchStmt& s) {
    Visit(*s.subject);
    for (const MatchCase& one : s.cases) {
      BindPattern(*one.pattern);
      Maybe(one.guard);
      Visit(one.body);
    }
  }
  void operator()(const FunctionStmt& s) {
    for (const Expr* decorator : s.decorators) Visit(*decorator);
    Defaults(s.parameters);
    Maybe(s.annotate);
    BindName(s.name, s.name_span);
    Enter(&s, s.parameters);
    scope_->is_async_ = s.is_async;
    Visit(s.body);
    if (scope_->is_async_ && scope_->is_generator_ && scope_->returns_value_) {
      Fail("'return' with value in async generator", scope_->return_);
    }
    Leave();
  }
  void operator()(const ClassStmt& s) {
    for (const Expr* decorator : s.decorators) Visit(*decorator);
    for (const Argument& argument : s.arguments) Visit(*argument.value);
    BindName(s.name, s.name_span);
    EnterClass(s);
    Visit(s.body);
    Leave();
  }
  void operator()(const ImportStmt& s) {
    for (const ImportedName& module : s.modules) BindName(module.alias, module.span);
  }
  void operator()(const FromImportStmt& s) {
    if (s.module == "__future__") return;
    for (const ImportedName& name : s.names) BindName(name.alias, name.span);
  }

 private:
  Scope* Open(const void* node) {
    auto& scope = scopes_.by_node_[node];
    scope = std::make_unique<Scope>();
    scope->parent_ = node == nullptr ? nullptr : scope_;
    in_order_.push_back(scope.get());
    return scope.get();
  }
  void Enter(const void* node, const Parameters& parameters);
  void EnterClass(const ClassStmt& s);
  void TouchName(std::string_view name, Span span);
  void Leave() { scope_ = scope_->parent_; }

  void Fail(std::string message, Span span) {
    if (!problem_) problem_ = SyntaxProblem{"SyntaxError", std::move(message), "", span};
  }

  void Visit(const Body& body) {
    for (const Stmt* stmt : body) {
      at_ = stmt->span;
      std::visit(*this, stmt->node);
    }
  }
  void Maybe(const Expr* expr) {
    if (expr != nullptr) Visit(*expr);
  }
  void Visit(const Expr& expr);
  void VisitComprehension(const ComprehensionExpr& e, Span span);
  void VisitYield(const YieldExpr& e, Span span);
  void VisitAwait(Span span);
  void NeedAsync(std::string_view what, Span span);
  void BindPattern(const Pattern& pattern);
  void BindWalrus(const WalrusExpr& e, Span span);
  void Defaults(const Parameters& parameters) {
    for (const Parameter& p : parameters.positional) Maybe(p.default_value);
    for (const Parameter& p : parameters.keyword_only) Maybe(p.default_value);
  }
  void Bind(const Expr& target);
  void BindName(std::string_view name, Span span) { scope_->Touch(name, span).bound = true; }
  void Declare(std::string_view name, std::string_view kind);
  void AddParameter(std::string_view name, Span span);

  Scopes& scopes_;
  Scope* scope_ = nullptr;
  Span at_;                       // of the statement here
  std::vector<Scope*> in_order_;  // outer ones first
  std::optional<SyntaxProblem> problem_;
};

void ScopeBuilder::AddParameter(std::string_view name, Span span) {
  if (scope_->symbols_.contains(name)) {
    Fail(fmt::format("duplicate argument '{}' in function definition", name), span);
  }
  BindName(name, span);
  ++scope_->num_parameters_;
}

void ScopeBuilder::Enter(const void* node, const Parameters& parameters) {
  scope_ = Open(node);
  for (const Parameter& p : parameters.positional) AddParameter(p.name, p.span);
  for (const Parameter& p : parameters.keyword_only) AddParameter(p.name, p.span);
  if (!parameters.star.empty()) AddParameter(parameters.star, at_);
  if (!parameters.double_star.empty()) AddParameter(parameters.double_star, at_);
}

// Its parameters are what the class statement passes: see kMakeClass.
void ScopeBuilder::EnterClass(const ClassStmt& s) {
  scope_ = Open(&s);
  scope_->is_class_ = true;
  for (const std::string_view name : {".bases", ".keywords", ".annotations"}) {
    AddParameter(name, s.name_span);
  }
  BindName(kClassCell, s.name_span);
}

// super() without arguments needs the class around.
void ScopeBuilder::TouchName(std::string_view name, Span span) {
  scope_->Touch(name, span);
  if (name != "super" || scope_->is_class_) return;
  for (const Scope* scope = scope_; scope != nullptr; scope = scope->parent_) {
    if (!scope->is_class_) continue;
    scope_->Touch(kClassCell, span);
    return;
  }
}

void ScopeBuilder::Visit(const Expr& expr) {
  if (const auto* name = expr.If<NameExpr>()) {
    TouchName(name->name, expr.span);
  } else if (const auto* lambda = expr.If<LambdaExpr>()) {
    Defaults(lambda->parameters);
    Enter(lambda, lambda->parameters);
    Visit(*lambda->body);
    Leave();
  } else if (const auto* comprehension = expr.If<ComprehensionExpr>()) {
    VisitComprehension(*comprehension, expr.span);
  } else {
    if (const auto* walrus = expr.If<WalrusExpr>()) BindWalrus(*walrus, expr.span);
    if (const auto* yield = expr.If<YieldExpr>()) VisitYield(*yield, expr.span);
    if (expr.If<AwaitExpr>() != nullptr) VisitAwait(expr.span);
    ForEachChild(expr, [this](const Expr& child) { Visit(child); });
  }
}

void ScopeBuilder::VisitYield(const YieldExpr& e, Span span) {
  constexpr std::string_view kNames[] = {"list comprehension", "set comprehension",
                                         "dict comprehension", "generator expression"};
  if (scope_->is_module() || scope_->is_class_) Fail("'yield' outside function", span);
  if (scope_->is_comprehension_) {
    const auto kind = static_cast<std::size_t>(scope_->comprehension_kind_);
    Fail(fmt::format("'yield' inside {}", kNames[kind]), span);
  }
  if (e.from && scope_->is_async_) Fail("'yield from' inside async function", span);
  scope_->is_generator_ = true;
}

void ScopeBuilder::NeedAsync(std::string_view what, Span span) {
  if (scope_->is_async_) return;
  Fail(fmt::format("{} outside {}function", what, scope_->is_module() ? "" : "async "), span);
}

void ScopeBuilder::VisitAwait(Span span) {
  if (scope_->is_comprehension_) {
    scope_->is_async_ = true;
  } else {
    NeedAsync("'await'", span);
  }
}

// Every alternative of an or-pattern binds the same names.
void ScopeBuilder::BindPattern(const Pattern& pattern) {
  const auto bind = [&](std::string_view name) { BindName(name, pattern.span); };
  if (const auto* capture = pattern.If<CapturePattern>()) bind(capture->name);
  if (const auto* value = pattern.If<ValuePattern>()) Visit(*value->value);
  if (const auto* type = pattern.If<ClassPattern>()) Visit(*type->type);
  if (const auto* mapping = pattern.If<MappingPattern>()) {
    for (const auto& [key, item] : mapping->items) Visit(*key);
  }
  ForEachSubpattern(pattern, [this](const Pattern& one) { BindPattern(one); });
  if (const auto* as = pattern.If<AsPattern>()) bind(as->name);
  if (const auto* mapping = pattern.If<MappingPattern>(); mapping && !mapping->rest.empty()) {
    bind(mapping->rest);
  }
}

// The first source is evaluated outside; the rest belongs to the inner function.
void ScopeBuilder::VisitComprehension(const ComprehensionExpr& e, Span span) {
  Visit(*e.clauses[0].source);
  scope_ = Open(&e);
  scope_->is_comprehension_ = true;
  scope_->comprehension_kind_ = e.kind;
  scope_->is_generator_ = e.kind == ComprehensionKind::kGenerator;
  AddParameter(".0", e.clauses[0].source->span);
  for (std::size_t i = 0; i < e.clauses.size(); ++i) {
    if (i > 0) Visit(*e.clauses[i].source);
    scope_->is_async_ |= e.clauses[i].is_async;
    Bind(*e.clauses[i].target);
    for (const Expr* condition : e.clauses[i].conditions) Visit(*condition);
  }
  Visit(*e.element);
  Maybe(e.value);
  const bool awaited = scope_->is_async_ && !scope_->is_generator_;
  Leave();
  if (!awaited || scope_->is_async_) return;
  if (!scope_->is_comprehension_) {
    Fail("asynchronous comprehension outside of an asynchronous function", span);
  }
  scope_->is_async_ = true;
}

void ScopeBuilder::BindWalrus(const WalrusExpr& e, Span span) {
  Scope* home = scope_;
  while (home->is_comprehension_) {
    Scope::Symbol& symbol = home->Touch(e.name, span);
    if (symbol.bound) {
      Fail(fmt::format("assignment expression cannot rebind comprehension iteration variable '{}'",
                       e.name),
           span);
    }
    home = home->parent_;
  }
  const bool in_comprehension = home != scope_;
  Scope::Symbol& symbol = home->Touch(e.name, span);
  symbol.bound = true;
  if (!in_comprehension) return;
  for (Scope* scope = scope_; scope != home; scope = scope->parent_) {
    const bool global = home->is_module() || symbol.is_global;
    (global ? scope->symbols_[e.name].is_global : scope->symbols_[e.name].is_nonlocal) = true;
  }
}

void ScopeBuilder::Bind(const Expr& target) {
  if (const auto* name = target.If<NameExpr>()) return BindName(name->name, target.span);
  if (const auto* starred = target.If<StarredExpr>()) return Bind(*starred->value);
  if (target.If<TupleExpr>() != nullptr || target.If<ListExpr>() != nullptr) {
    return ForEachChild(target, [this](const Expr& item) { Bind(item); });
  }
  Visit(target);
}

void ScopeBuilder::Declare(std::string_view name, std::string_view kind) {
  const bool global = kind == "global";
  if (global && scope_->is_module()) return;
  const auto known = scope_->symbols_.find(name);
  if (known != scope_->symbols_.end()) {
    const Scope::Symbol& symbol = known->second;
    if (symbol.is_global || symbol.is_nonlocal) {
      if (symbol.is_global == global && symbol.bound) {
        Fail(fmt::format("name '{}' is assigned to before {} declaration", name, kind), at_);
      }
      if (symbol.is_global != global)
        Fail(fmt::format("name '{}' is nonlocal and global", name), at_);
      return;
    }
    const auto at = std::find(scope_->order_.begin(), scope_->order_.end(), name);
    const bool parameter = at - scope_->order_.begin() < scope_->num_parameters_;
    return Fail(parameter ? fmt::format("name '{}' is parameter and {}", name, kind)
                : symbol.bound
                    ? fmt::format("name '{}' is assigned to before {} declaration", name, kind)
                    : fmt::format("name '{}' is used prior to {} declaration", name, kind),
                at_);
  }
  Scope::Symbol& symbol = scope_->Touch(name, at_);
  (global ? symbol.is_global : symbol.is_nonlocal) = true;
}

std::variant<Scopes, SyntaxProblem> AnalyzeScopes(const Ast& ast) {
  Scopes scopes;
  if (auto problem = ScopeBuilder(scopes).Run(ast)) return std::move(*problem);
  return scopes;
}

}  // namespace espalier::script
