// TokenCursor: the parser's place in a token list, and the first problem it met.
//
// After Fail the cursor stands on the final kEnd token for good, so every loop of the
// parser ends by itself and only its last step asks whether anything failed.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "frontend_lang/script/syntax/lexer.h"

namespace espalier::script {

class TokenCursor {
 public:
  explicit TokenCursor(TokenList list) : list_(std::move(list)) {}

  const Token& Peek(std::size_t ahead = 0) const {
    const std::size_t last = list_.tokens.size() - 1;
    return list_.tokens[at_ + ahead < last ? at_ + ahead : last];
  }
  bool At(TokenKind kind) const { return Peek().kind == kind; }
  Token Next() {
    const Token token = Peek();
    if (at_ + 1 < list_.tokens.size()) ++at_;
    return token;
  }
  bool Accept(TokenKind kind) {
    if (!At(kind)) return false;
    Next();
    return true;
  }
  // End of the token before this one.
  std::uint32_t last_end() const { return at_ == 0 ? 0 : list_.tokens[at_ - 1].span.end; }

  bool failed() const { return problem_.has_value(); }
  const std::optional<SyntaxProblem>& problem() const { return problem_; }

  // Words that are none, and brackets left open on an earlier line, are the likelier
  // cause: they come first.
  void Fail(SyntaxProblem problem) {
    if (failed()) return;
    const bool open =
        list_.unclosed && (At(TokenKind::kEnd) || Peek().span.begin > list_.unclosed_line_end);
    problem_ = list_.problem ? *list_.problem : open ? *list_.unclosed : std::move(problem);
    at_ = list_.tokens.size() - 1;
  }
  void Fail(std::string message, Span span, std::string hint = "") {
    Fail(SyntaxProblem{"SyntaxError", std::move(message), std::move(hint), span});
  }
  // A problem of the meaning (a return outside functions), told of only when all can be
  // read.
  void FailLater(std::string message, Span span) {
    if (!late_) late_ = SyntaxProblem{"SyntaxError", std::move(message), "", span};
  }
  void FailWithLate() {
    if (!failed() && late_) problem_ = std::move(late_);
  }
  // The token here fits nothing.
  void FailHere() { Fail("invalid syntax", Peek().span); }

 private:
  TokenList list_;
  std::size_t at_ = 0;
  std::optional<SyntaxProblem> problem_, late_;
};

}  // namespace espalier::script
