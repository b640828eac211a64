// PatternParser: what may stand behind `case`. Brackets nest as deep as the lexer
// allows, so recursion is bounded.
#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "frontend_lang/script/syntax/expr_parser.h"

namespace espalier::script {

class PatternParser {
 public:
  // REQUIRES: all three outlive this.
  PatternParser(Ast& ast, TokenCursor& cursor, ExprParser& exprs)
      : ast_(ast), cursor_(cursor), exprs_(exprs) {}

  // A pattern, or several with commas. Names in it are checked.
  const Pattern* CasePattern();

  // "wildcard" or "name capture 'x'" for a pattern that matches anything; or "".
  static std::string Irrefutable(const Pattern& pattern);

 private:
  using Names = std::set<std::string_view>;

  const Pattern* As();
  const Pattern* Or();
  const Pattern* Closed();
  const Pattern* Literal();
  const Pattern* Name();
  const Pattern* Group();
  const Pattern* Sequence(std::vector<const Pattern*> items, TokenKind close, std::uint32_t begin);
  const Pattern* SequenceItem();
  const Pattern* Mapping();
  const Pattern* Class(const Expr* type, std::uint32_t begin);
  const Expr* DottedName();
  const Expr* LiteralExpr();
  bool AtLiteral() const;
  std::string_view Target();
  Names NamesOf(const Pattern& pattern);
  Names NamesOfAlternatives(const OrPattern& pattern, Span span);

  std::string_view TextOf(const Token& token) const { return ast_.source->Text(token.span); }
  const Pattern* Make(Pattern::Node node, std::uint32_t begin) {
    return &ast_.patterns.emplace_back(Pattern{std::move(node), {begin, cursor_.last_end()}});
  }

  Ast& ast_;
  TokenCursor& cursor_;
  ExprParser& exprs_;
  std::set<const Pattern*> starred_;
};

}  // namespace espalier::script
