// Which expressions CPython knows the value of when it compiles: numbers, texts, None, ..., and
// operations and tuples of them. A set of such items is made in another way there, which shows in
// the order of its members.
//
// Thread safety: no state.
#pragma once

#include "frontend_lang/script/syntax/ast.h"

namespace espalier::script {

bool IsConstant(const Expr& expr);

// Whether all items are: a loop walks through a frozenset that CPython keeps then.
bool IsConstantSet(const SetExpr& set);

}  // namespace espalier::script
