// Template text -> syntax tree. The grammar is jinja2's, without what chat templates
// have no use for (imports, inheritance, extensions other than loop controls).
#pragma once

#include <string_view>

#include "frontend_lang/chat/jinja_ast.h"
#include "kernels/base/status.h"

namespace espalier::jinja {

// kInvalidArgument for a syntax error, kUnsupported for a tag, filter or test that is
// not there; both with line and column. Nesting deeper than 200 nodes is refused, so
// that walking the tree needs bounded stack.
Result<Ast> Parse(std::string_view source);

}  // namespace espalier::jinja
