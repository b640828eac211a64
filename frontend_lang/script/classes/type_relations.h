// Which type a value is of, and which types derive from which: isinstance and issubclass.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include "frontend_lang/script/classes/descriptors.h"

namespace espalier::script {

// A class, a built-in type or the type of an exception.
bool IsTypeValue(const Value& value);

// isinstance(value, type) and issubclass(type, ancestor): by a class, a built-in type, an
// exception type, a name of typing, a tuple or a union.
Outcome<bool> IsInstance(Host& host, const Value& value, const Value& type);
Outcome<bool> IsSubclass(Host& host, const Value& type, const Value& ancestor);

// The class that a name of typing means where it stands for one (Mapping, Deque); else Unset.
Outcome<Value> ClassMeantBy(Host& host, const Value& typing_name);

// cls.register(other): other counts as derived from cls from now on.
Outcome<Value> RegisterSubclass(Host& host, const Value& cls, const Args& args);

}  // namespace espalier::script
