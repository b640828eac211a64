// The syntax tree of a program.
//
// Nodes live in an Ast and refer to each other by plain pointers: the Ast frees them
// without recursion. A pointer is null only where its comment says so.
//
//   1. Expr::height is 1 + the largest height of its children, and at most
//      kMaxHeight: walking an expression needs bounded stack. Statements nest at
//      most as deep as lines can be indented.
//   2. Names and texts of constants are decoded: nothing refers to token text but
//      number literals, which the compiler converts.
//
// Thread safety: immutable once parsed.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "frontend_lang/script/syntax/source.h"
#include "frontend_lang/script/syntax/token.h"

namespace espalier::script {

struct Expr;
struct Stmt;
using Body = std::vector<const Stmt*>;

// ---- Expressions.

struct NoneExpr {};
struct EllipsisExpr {};
struct BoolExpr {
  bool value;
};
struct NumberExpr {
  std::string_view literal;  // as written
  bool is_float;
};
struct StringExpr {
  std::string text;
  bool is_bytes = false;
};
struct NameExpr {
  std::string_view name;
};
struct TupleExpr {
  std::vector<const Expr*> items;
};
struct ListExpr {
  std::vector<const Expr*> items;
};
struct SetExpr {
  std::vector<const Expr*> items;
};
struct DictItem {
  const Expr* key;  // null: **value
  const Expr* value;
};
struct DictExpr {
  std::vector<DictItem> items;
};
struct StarredExpr {
  const Expr* value;
};
struct UnaryExpr {
  TokenKind op;  // kPlus, kMinus, kTilde, kNot
  const Expr* operand;
};
struct BinaryExpr {
  TokenKind op;
  const Expr *left, *right;
};
struct LogicalExpr {
  TokenKind op;  // kAnd, kOr
  std::vector<const Expr*> items;
};
enum class CompareOp : std::uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kIn,
  kNotIn,
  kIs,
  kIsNot,
};
struct CompareExpr {
  const Expr* first;
  std::vector<std::pair<CompareOp, const Expr*>> rest;
};
struct ConditionalExpr {
  const Expr *test, *then, *otherwise;
};
enum class ArgumentKind : std::uint8_t { kPositional, kKeyword, kStar, kDoubleStar };
struct Argument {
  ArgumentKind kind;
  std::string_view name;  // of a kKeyword
  const Expr* value;
};
struct CallExpr {
  const Expr* callee;
  std::vector<Argument> arguments;
};
struct AttributeExpr {
  const Expr* object;
  std::string_view name;
};
struct SubscriptExpr {
  const Expr *object, *index;
};
struct SliceExpr {
  const Expr *start, *stop, *step;  // each may be null
};
struct Parameter {
  std::string_view name;
  const Expr* default_value;  // null: none
  Span span;
};
struct Parameters {
  std::vector<Parameter> positional;
  std::size_t num_positional_only = 0;  // of `positional`
  std::vector<Parameter> keyword_only;
  std::string_view star, double_star;  // names of *args and **kwargs; may be empty
  std::vector<DictItem> annotations;   // by name, of those that have one
};
struct LambdaExpr {
  Parameters parameters;
  const Expr* body;
};
struct Clause {  // "for target in source if condition if condition"
  const Expr *target, *source;
  std::vector<const Expr*> conditions;
  bool is_async = false;
};
enum class ComprehensionKind : std::uint8_t { kList, kSet, kDict, kGenerator };
struct ComprehensionExpr {
  ComprehensionKind kind;
  const Expr* element;  // of a kDict: the key
  const Expr* value;    // of a kDict; otherwise null
  std::vector<Clause> clauses;
};
struct FormattedExpr {  // {value!conversion:spec}
  const Expr* value;
  char conversion;   // 's', 'r', 'a' or '\0'
  const Expr* spec;  // a StringExpr or JoinedExpr; null: none
};
struct JoinedExpr {                // an f-string
  std::vector<const Expr*> parts;  // StringExpr and FormattedExpr
};
struct WalrusExpr {
  std::string_view name;
  const Expr* value;
};
struct YieldExpr {
  const Expr* value;  // null: None
  bool from;
};
struct AwaitExpr {
  const Expr* value;
};

struct Expr {
  using Node = std::variant<NoneExpr, EllipsisExpr, BoolExpr, NumberExpr, StringExpr, NameExpr,
                            TupleExpr, ListExpr, SetExpr, DictExpr, StarredExpr, UnaryExpr,
                            BinaryExpr, LogicalExpr, CompareExpr, ConditionalExpr, CallExpr,
                            AttributeExpr, SubscriptExpr, SliceExpr, LambdaExpr, ComprehensionExpr,
                            FormattedExpr, JoinedExpr, WalrusExpr, YieldExpr, AwaitExpr>;
  static constexpr int kMaxHeight = 1000;

  Node node;
  Span span;
  int height = 1;

  template <typename T>
  const T* If() const {
    return std::get_if<T>(&node);
  }
};

// ---- Patterns: what may stand behind `case`.

struct Pattern;

struct WildcardPattern {};
struct CapturePattern {
  std::string_view name;
};
struct ValuePattern {  // a literal or a dotted name
  const Expr* value;
};
struct AsPattern {
  const Pattern* pattern;
  std::string_view name;
};
struct OrPattern {
  std::vector<const Pattern*> alternatives;
};
struct SequencePattern {
  std::vector<const Pattern*> items;
  int star = -1;  // which item is starred: a WildcardPattern or CapturePattern
};
struct MappingPattern {
  std::vector<std::pair<const Expr*, const Pattern*>> items;
  std::string_view rest;  // of **rest; may be empty
};
struct ClassPattern {
  const Expr* type;
  std::vector<const Pattern*> positional;
  std::vector<std::pair<std::string_view, const Pattern*>> keywords;
};

struct Pattern {
  using Node = std::variant<WildcardPattern, CapturePattern, ValuePattern, AsPattern, OrPattern,
                            SequencePattern, MappingPattern, ClassPattern>;
  Node node;
  Span span;

  template <typename T>
  const T* If() const {
    return std::get_if<T>(&node);
  }
};

// ---- Statements.

struct ExprStmt {
  const Expr* value;
};
struct AssignStmt {
  std::vector<const Expr*> targets;  // a = b = value
  const Expr* value;
};
struct AugmentedStmt {
  const Expr* target;
  TokenKind op;  // kPlus for +=, ...
  const Expr* value;
};
struct AnnotatedStmt {
  const Expr* target;
  const Expr* annotation;
  const Expr* value;  // null: a declaration only
};
struct ReturnStmt {
  const Expr* value;  // null: None
};
struct RaiseStmt {
  const Expr *error, *cause;  // each may be null
};
struct AssertStmt {
  const Expr *test, *message;  // message may be null
};
struct DelStmt {
  std::vector<const Expr*> targets;
};
struct PassStmt {};
struct BreakStmt {};
struct ContinueStmt {};
struct GlobalStmt {
  std::vector<std::string_view> names;
};
struct NonlocalStmt {
  std::vector<std::string_view> names;
};
struct IfBranch {
  const Expr* test;
  Body body;
};
struct IfStmt {
  std::vector<IfBranch> branches;  // if, elif, elif, ...
  Body otherwise;
};
struct WhileStmt {
  const Expr* test;
  Body body, otherwise;
};
struct ForStmt {
  const Expr *target, *source;
  Body body, otherwise;
  bool is_async = false;
};
struct ExceptClause {
  const Expr* type;       // null: bare except
  std::string_view name;  // may be empty
  Body body;
  Span span;
};
struct TryStmt {
  Body body;
  std::vector<ExceptClause> clauses;
  Body otherwise, last;  // else and finally; may be empty
  bool is_star = false;  // except*
};
struct WithItem {
  const Expr* manager;
  const Expr* target;  // may be null
};
struct WithStmt {
  std::vector<WithItem> items;
  Body body;
  bool is_async = false;
};
struct MatchCase {
  const Pattern* pattern;
  const Expr* guard;  // may be null
  Body body;
};
struct MatchStmt {
  const Expr* subject;
  std::vector<MatchCase> cases;
};
struct FunctionStmt {
  std::string_view name;
  Span name_span;
  Parameters parameters;
  Body body;
  std::vector<const Expr*> decorators;
  bool is_async = false;
  const Expr* annotate = nullptr;  // a lambda that makes the dict of its annotations; null: none
};
struct ClassStmt {
  std::string_view name;
  Span name_span;
  std::vector<Argument> arguments;  // bases and keywords
  Body body;
  std::vector<const Expr*> decorators;
};
struct ImportedName {
  std::string_view name;   // of a module; may hold dots
  std::string_view alias;  // the variable
  Span span;
};
struct ImportStmt {
  std::vector<ImportedName> modules;
};
struct FromImportStmt {
  std::string_view module;
  Span module_span;
  std::vector<ImportedName> names;  // none: import *
};

struct Stmt {
  using Node = std::variant<ExprStmt, AssignStmt, AugmentedStmt, AnnotatedStmt, ReturnStmt,
                            RaiseStmt, AssertStmt, DelStmt, PassStmt, BreakStmt, ContinueStmt,
                            GlobalStmt, NonlocalStmt, IfStmt, WhileStmt, ForStmt, TryStmt, WithStmt,
                            MatchStmt, FunctionStmt, ClassStmt, ImportStmt, FromImportStmt>;
  Node node;
  Span span;

  template <typename T>
  const T* If() const {
    return std::get_if<T>(&node);
  }
};

struct Ast {
  std::shared_ptr<const Source> source;
  std::deque<Expr> exprs;
  std::deque<Stmt> stmts;
  std::deque<Pattern> patterns;
  std::deque<std::string> texts;  // names that are not written as such in the source
  Body body;
};

}  // namespace espalier::script
