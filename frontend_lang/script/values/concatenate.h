// + and * of strings, lists and tuples, and their in-place forms.
#pragma once

#include "frontend_lang/script/values/host.h"
#include "frontend_lang/script/values/operators.h"

namespace espalier::lang {

// left + right; Unset when left is no sequence.
Outcome<Value> Concatenate(Host& host, const Value& left, const Value& right);
// sequence * count, either way round; Unset when there is no sequence and int.
Outcome<Value> Repeat(Host& host, const Value& left, const Value& right);

// Tries to do `target op= right` in target itself; false when it has no such form.
Outcome<bool> ExtendInPlace(Host& host, BinaryOp op, Value& target, const Value& right);

}  // namespace espalier::lang
