// StmtParser: the statements of the grammar. Statements nest as deep as lines can be
// indented, which the lexer bounds.
#pragma once

#include <string_view>
#include <vector>

#include "frontend_lang/script/syntax/expr_parser.h"

namespace espalier::script {

class StmtParser {
 public:
  StmtParser(Ast& ast, TokenCursor& cursor) : ast_(ast), cursor_(cursor), exprs_(ast, cursor) {}

  Body File();

 private:
  // What a statement stands in.
  struct Place {
    bool in_function = false, in_loop = false;
  };

  void Statement(Body& to);
  void SimpleLine(Body& to);
  void RefuseStatement(std::string_view what, std::string_view hint);
  const Stmt* Simple();
  const Stmt* ExpressionOrAssignment();
  void CheckLegacyCall(std::string_view name, std::uint32_t begin);
  const Stmt* Assignment(const Expr* first, std::uint32_t begin);
  const Stmt* Annotated(const Expr* target, std::uint32_t begin);
  const Stmt* Return();
  const Stmt* Raise();
  const Stmt* Assert();
  const Stmt* Del();
  const Stmt* Names();  // global, nonlocal
  const Stmt* Import();
  const Stmt* FromImport();
  Token DottedName();
  ImportedName OneImport(Token name);

  const Stmt* If();
  const Stmt* While();
  const Stmt* For();
  const Stmt* Try();
  ExceptClause Except(TryStmt& around);
  const Stmt* With();
  WithItem OneWithItem();
  bool WithIsParenthesized() const;
  const Stmt* Function();
  const Stmt* Class();
  const Stmt* Decorated();
  const Stmt* Async();
  bool AtMatchStatement() const;
  const Stmt* Match();
  MatchCase Case();
  bool IsWord(const Token& token, std::string_view word) const {
    return token.kind == TokenKind::kName && TextOf(token) == word;
  }

  // ':' and the block behind it. `what` names it: "'if' statement".
  Body Block(std::string_view what, const Token& opener);
  void FailIndent(std::string_view what, const Token& opener);
  void ExpectedColon(const Token& opener);
  const Expr* Condition();
  Body LoopBlock(std::string_view what, const Token& opener);
  Body Else(std::string_view what);
  void ExpectNewline();

  const Stmt* Make(Stmt::Node node, std::uint32_t begin) {
    return &ast_.stmts.emplace_back(Stmt{std::move(node), {begin, cursor_.last_end()}});
  }
  std::string_view TextOf(const Token& token) const { return ast_.source->Text(token.span); }

  std::string_view source_text(Span span) const { return ast_.source->Text(span); }

  Ast& ast_;
  TokenCursor& cursor_;
  ExprParser exprs_;
  Place place_;
};

}  // namespace espalier::script
