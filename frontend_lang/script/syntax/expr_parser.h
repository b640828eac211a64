// ExprParser: the expressions of the grammar, by recursive descent; operators by
// precedence levels. Every method returns a node, also after a failure (see
// TokenCursor), so no caller checks for null.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend_lang/script/syntax/ast.h"
#include "frontend_lang/script/syntax/token_cursor.h"

namespace espalier::script {

class ExprParser {
 public:
  // REQUIRES: ast and cursor outlive this. `depth` counts the expressions around.
  ExprParser(Ast& ast, TokenCursor& cursor, int depth = 0)
      : ast_(ast), cursor_(cursor), depth_(depth) {}

  const Expr* Expression();        // no walrus, no tuple
  const Expr* NamedExpression();   // name := value
  const Expr* StarExpressions();   // a, *b: a tuple where there is a comma
  const Expr* NamedExpressions();  // the same with walruses: behind match
  const Expr* YieldOrStarExpressions();
  const Expr* TargetList();  // between "for" and "in"
  const Expr* PrimaryTarget();
  Parameters ParameterList(TokenKind end);  // up to, not including, `end`
  std::vector<Argument> Arguments();        // with both parentheses

  // Fails unless `expr` can be assigned to. `suffix` ends the message.
  void CheckTarget(const Expr& expr, std::string_view verb, std::string_view suffix);

  // Fails at '=' behind an expression that is no target here.
  void FailAssignment(const Expr& expr);
  // Fails at an expression right behind another.
  void FailComma(const Expr& last);
  // How error messages call this kind of expression.
  static std::string_view KindOf(const Expr& expr);
  bool StartsExpression() const;

  const Expr* Make(Expr::Node node, Span span);

 private:
  friend class StringParser;

  static constexpr int kMaxDepth = 200;

  // One level of recursion.
  class Nest {
   public:
    explicit Nest(ExprParser& parser) : parser_(parser) {
      if (++parser_.depth_ > kMaxDepth) {
        parser_.cursor_.Fail("expression is nested too deeply", parser_.cursor_.Peek().span,
                             "give an inner part a name of its own");
      }
    }
    ~Nest() { --parser_.depth_; }

   private:
    ExprParser& parser_;
  };

  const Source& source() const { return *ast_.source; }
  std::string_view TextOf(const Token& token) const { return source().Text(token.span); }
  void Refuse(std::string what, Span span, std::string hint);

  const Expr* Logical(TokenKind op);
  const Expr* Not();
  const Expr* Comparison();
  bool AcceptCompareOp(CompareOp* op);
  const Expr* Binary(int level);
  const Expr* Unary();
  const Expr* Power();
  const Expr* AwaitOrPrimary();
  const Expr* Primary();
  const Expr* Call(const Expr* callee, std::uint32_t begin);
  Argument OneArgument(bool* keywords_began, bool* unpacking_began);
  const Expr* Subscript(const Expr* object, std::uint32_t begin);
  const Expr* SliceOrIndex();
  const Expr* Atom();
  const Expr* Parenthesized();
  const Expr* ListDisplay();
  const Expr* BraceDisplay();
  const Expr* DictDisplay(DictItem first, Span open);
  DictItem OneDictItem();
  const Expr* DictValue();
  const Expr* StarOrNamed();
  const Expr* StarOrExpression();
  const Expr* Lambda();
  const Expr* Yield();
  bool AtClause() const;
  std::vector<Clause> Clauses();
  const Expr* Comprehension(ComprehensionKind kind, const Expr* element, const Expr* value,
                            std::uint32_t begin);
  void ExpectClose(TokenKind close, const Expr* last);
  const Expr* Annotation(Parameters& to, const Token& name);  // behind ':'
  void AddParameter(Parameters& to, std::vector<Parameter>& list, TokenKind end);
  void StarParameter(Parameters& to, TokenKind end);
  enum class Starred { kNo, kYes };
  void SlashParameter(Parameters& to, Starred starred);

  Ast& ast_;
  TokenCursor& cursor_;
  int depth_;
};

}  // namespace espalier::script
