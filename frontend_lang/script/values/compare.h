// Truth, equality, order and hash of values, as Python defines them.
//
// Each may run the program's own code (extension objects), so each takes the host.
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

// Equal values have equal hashes. A TypeError for what can change: "unhashable type".
Outcome<std::uint64_t> Hash(Host& host, const Value& value);
std::uint64_t HashStr(Heap& heap, std::string_view text);

}  // namespace espalier::lang
