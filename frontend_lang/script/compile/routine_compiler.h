// RoutineCompiler: the instructions of one function, or of the file itself.
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_lang/script/compile/emitter.h"
#include "frontend_lang/script/compile/scopes.h"
#include "frontend_lang/script/syntax/ast.h"
#include "frontend_lang/script/values/operators.h"

namespace espalier::script {

// What all functions of one program share while they are compiled.
struct Compilation {
  const Ast& ast;
  const Scopes& scopes;
  Pools pools;
  std::optional<SyntaxProblem> problem;  // the first
  bool postponed_annotations = false;    // from __future__ import annotations

  void Fail(std::string message, Span span, std::string hint = "") {
    if (!problem) {
      problem = SyntaxProblem{"SyntaxError", std::move(message), std::move(hint), span};
    }
  }
};

// REQUIRES: op is the token of a binary operator.
lang::BinaryOp BinaryOpOf(TokenKind op);

// The text of a string that stands first in a def or class; "" for none.
std::string DocOf(const Body& body);

class RoutineCompiler {
 public:
  // `name` is the qualified name of the function; "" for the file.
  RoutineCompiler(Compilation& compilation, const Scope& scope, std::string name)
      : shared_(compilation), scope_(scope), out_(compilation.pools), name_(std::move(name)) {}

  std::unique_ptr<const Routine> File(const Body& body);
  std::unique_ptr<const Routine> Function(const FunctionStmt& function);
  std::unique_ptr<const Routine> ClassBody(const ClassStmt& statement);
  std::unique_ptr<const Routine> Lambda(const LambdaExpr& lambda);
  std::unique_ptr<const Routine> Comprehension(const ComprehensionExpr& comprehension);

  // Called by std::visit, one for each kind of node.
  void operator()(const ExprStmt& s);
  void operator()(const AssignStmt& s);
  void operator()(const AugmentedStmt& s);
  void operator()(const AnnotatedStmt& s);
  void operator()(const ReturnStmt& s);
  void operator()(const RaiseStmt& s);
  void operator()(const AssertStmt& s);
  void operator()(const DelStmt& s);
  void operator()(const PassStmt&) {}
  void operator()(const BreakStmt& s);
  void operator()(const ContinueStmt& s);
  void operator()(const GlobalStmt&) {}
  void operator()(const NonlocalStmt&) {}
  void operator()(const IfStmt& s);
  void operator()(const WhileStmt& s);
  void operator()(const ForStmt& s);
  void operator()(const TryStmt& s);
  void operator()(const WithStmt& s);
  void operator()(const MatchStmt& s);
  void operator()(const FunctionStmt& s);
  void operator()(const ClassStmt& s);
  void operator()(const ImportStmt& s);
  void operator()(const FromImportStmt& s);

  void operator()(const NoneExpr&) { out_.LoadNone(); }
  void operator()(const EllipsisExpr& e);
  void operator()(const BoolExpr& e) { out_.Load(e.value); }
  void operator()(const NumberExpr& e);
  void operator()(const StringExpr& e) {
    if (e.is_bytes) return out_.Load(BytesLiteral{e.text});
    out_.Load(e.text);
  }
  void operator()(const NameExpr& e);
  void operator()(const TupleExpr& e);
  void operator()(const ListExpr& e);
  void operator()(const SetExpr& e);
  void operator()(const DictExpr& e);
  void operator()(const StarredExpr& e);
  void operator()(const UnaryExpr& e);
  void operator()(const BinaryExpr& e);
  void operator()(const LogicalExpr& e);
  void operator()(const CompareExpr& e);
  void operator()(const ConditionalExpr& e);
  void operator()(const CallExpr& e);
  void operator()(const AttributeExpr& e);
  void operator()(const SubscriptExpr& e);
  void operator()(const SliceExpr& e);
  void operator()(const LambdaExpr& e);
  void operator()(const ComprehensionExpr& e);
  void operator()(const FormattedExpr& e);
  void operator()(const JoinedExpr& e);
  void operator()(const WalrusExpr& e);
  void operator()(const YieldExpr& e);
  void operator()(const AwaitExpr& e);

 private:
  // What break, continue and return must undo on their way out, innermost last.
  struct Region {
    enum class Kind {
      kFor,
      kWhile,
      kBlock,
      kHandler,
      kStarHandler,
      kFinally,
      kFinallyBody,
      kWith,
      kAsyncWith
    };
    Kind kind;
    Label* on_continue = nullptr;  // of loops
    Label* on_break = nullptr;
    Label* finally = nullptr;     // of a kFinally
    std::string_view error_name;  // of a kHandler
  };
  // One case of a match while its pattern is compiled. What the pattern binds is put
  // into a list first: names are bound only when all of it has matched.
  struct Matching {
    std::vector<std::string_view> names;  // places in that list
    std::size_t depth = 0;                // values above the list
    std::vector<Label> fail;              // to go to with so many values above the list
  };
  enum class Top { kNothing, kValue };  // what lies on the stack above the regions' own

  std::unique_ptr<const Routine> Finish(std::string name);
  void SetParameters(const Parameters& parameters);
  void Statements(const Body& body);
  void Statement(const Stmt& stmt);
  void Value(const Expr& expr);
  void Source(const Expr& expr);
  void KeptSet(const SetExpr& e);
  void Store(const Expr& target);
  bool AssignPair(const AssignStmt& s);
  void StoreUnpacked(const std::vector<const Expr*>& items, Span span);
  void Delete(const Expr& target);
  void LoadName(std::string_view name);
  void StoreName(std::string_view name);
  void DeleteName(std::string_view name);
  void CheckAttribute(std::string_view name);
  Span NamedLine(const AttributeExpr& e, Span span) const;
  int AttributeName(std::string_view name);
  void Annotate(std::string_view name, const Expr& annotation);  // a class's attribute
  void Annotate(const LambdaExpr& annotate);                     // the function on the stack
  bool SuperCall(const CallExpr& e);
  RoutineCompiler Inner(const void* node, std::string_view name) const;
  void AugmentName(std::string_view name, int op);
  void Items(const std::vector<const Expr*>& items, Op build, Op append, Op extend);
  void PlainCall(const CallExpr& e);
  void MethodCall(const CallExpr& e, const AttributeExpr& method);
  void SpreadCall(const CallExpr& e);
  void MakeFunction(const Parameters& parameters, std::unique_ptr<const Routine> code);
  void Clauses(const ComprehensionExpr& e, std::size_t at);
  void Exit(const Region& region, Top top);
  void ExitTo(std::size_t depth, Top top);
  void ExitLoop(bool is_break);
  void TryExcept(const TryStmt& s);
  void Handler(const ExceptClause& clause, Label& end);
  void StarHandler(const ExceptClause& clause);
  // No statement leaves a clause of except* by itself. `depth`: of the regions that stay
  void CheckLeavesNoStar(std::size_t depth);
  void EnterFinally(Label& finally, Label& after);
  void WithItems(const WithStmt& s, std::size_t at);
  void LeaveAsync();
  void NextOf(bool is_async, Label& end);
  void Delegate();
  void Await();
  void Case(const MatchCase& one, Label& end);
  void Match(const Pattern& pattern, Matching& m);
  void MatchPart(const ValuePattern& pattern, Matching& m);
  void MatchPart(const OrPattern& pattern, Matching& m);
  void MatchPart(const SequencePattern& pattern, Matching& m);
  void MatchPart(const MappingPattern& pattern, Matching& m);
  void MatchPart(const ClassPattern& pattern, Matching& m);
  void Capture(std::string_view name, Matching& m);
  void FailUnless(Matching& m);
  void BindFailures(Matching& m, std::size_t depth);
  std::string Qualified(std::string_view name) const;  // of a function in this one

  Compilation& shared_;
  const Scope& scope_;
  Emitter out_;
  std::string name_;
  std::string_view class_name_;  // of the innermost class statement around; "" for none
  std::vector<Region> regions_;
};

}  // namespace espalier::script
