// typing.Protocol: classes that stand for what an object can do.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include "frontend_lang/script/classes/class_object.h"

namespace espalier::script {

// Marks a class that names Protocol among its own bases.
void MarkProtocol(ClassObject& cls);
bool IsProtocol(const ClassObject& cls);

// @runtime_checkable: a TypeError for what is no protocol.
Outcome<Value> RuntimeCheckable(Host& host, const Value&, const Args& args);

// isinstance(value, cls), for a value whose class does not derive from it: whether it has
// every member of the protocol. A TypeError where the protocol is not runtime_checkable.
Outcome<bool> HasMembers(Host& host, const Value& value, const ClassObject& cls);

}  // namespace espalier::script
