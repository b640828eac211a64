// Making instances: what a call of a class does.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include "frontend_lang/script/classes/class_object.h"

namespace espalier::script {

class Instance;

// cls(args), with __init__ run by a nested call. (Machine runs it in its own loop.)
Outcome<Value> Construct(Host& host, ClassObject& cls, const Args& args);
// The same without what cls's metaclass says of a call: type.__call__(cls, args).
Outcome<Value> ConstructPlainly(Host& host, ClassObject& cls, const Args& args);

// An instance whose __init__ has not run: an exception for an exception class, else with
// the payload of a built-in type that `args` make. Fails for an abstract class.
Outcome<Value> Allocate(Host& host, ClassObject& cls, const Args& args);

// What object's own __init__ does, or the built-in type's.
Outcome<Value> InitDefault(Host& host, Instance& instance, const Args& args);

// A TypeError unless an __init__ returned None.
Fault CheckInitResult(const Value& returned);

}  // namespace espalier::script
