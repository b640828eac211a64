// collections.namedtuple and typing.NamedTuple: tuples whose places have names.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include "frontend_lang/script/classes/class_object.h"
#include "frontend_lang/script/machine/machine.h"

namespace espalier::script {

// The class NamedTuple, from which such classes derive: one a machine.
Value NamedTupleClass(Machine& machine);

// collections.namedtuple(typename, field_names, *, defaults=None)
Outcome<Value> NamedTupleFunction(Host& host, const Value&, const Args& args);

}  // namespace espalier::script
