// The numbers that objects stand for, where a built-in operation wants a number.
#pragma once

#include "frontend_lang/script/values/host.h"

namespace espalier::lang {

// The int that `value` is, that it stands for (of a subclass of int), or that its
// __index__ gives. The value itself where there is none: the caller says what it wanted.
Outcome<Value> AsInteger(Host& host, const Value& value);

// The same for a number: __float__ is asked before __index__.
Outcome<Value> AsReal(Host& host, const Value& value);

}  // namespace espalier::lang
