// Parse: program text -> syntax tree, or the first problem.
//
// The grammar is Python 3.11's, less what frontend_lang/README.md lists; that is
// refused by name, never misread. Nesting is bounded (see Lex and Expr), so no text
// can exhaust the stack.
//
// Thread safety: pure function.
#pragma once

#include <memory>
#include <variant>

#include "frontend_lang/script/syntax/ast.h"

namespace espalier::script {

using ParseResult = std::variant<std::unique_ptr<const Ast>, SyntaxProblem>;

ParseResult Parse(std::shared_ptr<const Source> source);

}  // namespace espalier::script
