// The value of a built-in type beneath an object of a class of the program's own:
// class Stack(list), class Lru(OrderedDict).
//
//   1. A type that is filled by its __init__ (a list, a Counter) is made empty, and filled or
//      made anew by InitPayload; any other is made from the arguments of the call.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <string>
#include <string_view>

#include "frontend_lang/script/classes/instance.h"

namespace espalier::script {

// Whether a class may derive from the built-in type of that name.
bool CanCarry(std::string_view type);

Outcome<Value> MakePayload(Host& host, const ClassObject& cls, const Args& args);
// What the type's own __init__ does. REQUIRES: the instance has a payload
Fault InitPayload(Host& host, Instance& instance, const Args& args);

// With the name of the class in the place of the type's.
Outcome<std::string> ReprPayload(Host& host, const Instance& instance);

// `result` of an operator on the payload: an object of the class where the type makes one of its
// subclass, as a deque does; else itself.
Outcome<Value> AsOwnResult(Host& host, Instance& instance, lang::BinaryOp op, Value result);

// self.copy() where it makes an object of the same class; Unset: as the payload does.
Outcome<Value> CopyMethodOf(Host& host, Instance& instance);
// cls.fromkeys for classes of dicts; Unset: as the type does.
Outcome<Value> FromKeysOf(Host& host, ClassObject& cls);

}  // namespace espalier::script
