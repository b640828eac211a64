// Truth, equality and order of values, as Python defines them. (Their hash: hash.h.)
//
// Each may run the program's own code (extension objects), so each takes the host, and its caller
// holds copies of the Values that it gives: that code may change the containers they came from.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <cstdint>
#include <string_view>

#include "frontend_lang/script/values/host.h"
#include "frontend_lang/script/values/operators.h"

namespace espalier::lang {

Outcome<bool> Truth(Host& host, const Value& value);

// a == b. Ints and floats compare exactly, whatever their size.
Outcome<bool> Equals(Host& host, const Value& a, const Value& b);

// a == b, or the same object: how containers look for a member.
Outcome<bool> Same(Host& host, const Value& a, const Value& b);

// a op b as a bool. A TypeError when the two have no order.
Outcome<bool> Compare(Host& host, CompareOp op, const Value& a, const Value& b);

// The same as a value: an extension object may answer with anything.
Outcome<Value> CompareValue(Host& host, CompareOp op, const Value& a, const Value& b);

}  // namespace espalier::lang
