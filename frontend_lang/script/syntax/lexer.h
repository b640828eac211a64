// Lex: program text -> tokens, with Python's rules of indentation.
//
// The list always ends with kEnd. Where the text is not lexable it ends with kError,
// kEnd, and `problem` says why; it is told of rather than what the parser finds, as a
// word that is none confuses everything around it.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <vector>

#include "frontend_lang/script/syntax/source.h"
#include "frontend_lang/script/syntax/token.h"

namespace espalier::script {

struct TokenList {
  std::vector<Token> tokens;
  std::optional<SyntaxProblem> problem;
  std::uint32_t unclosed_line_end = 0;    // where the line of that bracket ends
  std::optional<SyntaxProblem> unclosed;  // the innermost bracket left open, if any
};

TokenList Lex(const Source& source);

// The tokens of an expression inside an f-string: no newlines and no indentation.
TokenList LexExpression(const Source& source, Span span);

}  // namespace espalier::script
