// | & - ^ of sets, and what their methods share: the same steps in the same order as CPython's,
// as the order of the result follows from them. Also | of dicts.
//
// Each may run the program's own code: the caller holds the set and the iterable.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include "frontend_lang/script/values/host.h"
#include "frontend_lang/script/values/operators.h"
#include "frontend_lang/script/values/set.h"

namespace espalier::lang {

// left op right for two sets, or left | right for two dicts; else Unset.
Outcome<Value> SetBinary(Host& host, BinaryOp op, const Value& left, const Value& right);
// The same in `target` itself; false when it has no such form.
Outcome<bool> UpdateInPlace(Host& host, BinaryOp op, Value& target, const Value& right);

// The set of an iterable's items.
Outcome<Value> MakeSet(Host& host, const Value& iterable, Set::Kind kind = Set::Kind::kSet);

// set.update, difference_update, symmetric_difference_update with one iterable.
Fault AddAll(Host& host, Set& set, const Value& iterable);
Fault EraseAll(Host& host, Set& set, const Value& iterable);
Fault ToggleAll(Host& host, Set& set, const Value& iterable);

// set.intersection, difference with one iterable: new sets of the kind of `set`.
Outcome<Value> Intersection(Host& host, const Value& set, const Value& iterable);
Outcome<Value> Difference(Host& host, const Value& set, const Value& iterable);

// Whether no item of the iterable is in the container; looks at no more than it must.
Outcome<bool> AreDisjoint(Host& host, const Value& container, const Value& iterable);

}  // namespace espalier::lang
