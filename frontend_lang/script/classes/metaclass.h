// Metaclasses of the program's own: classes that derive from type, whose objects are classes.
//
//   1. A class that is a metaclass carries the built-in type `type` (ClassObject::payload_type).
//   2. ClassObject::meta is the metaclass that a class was made by; Unset: type.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include "frontend_lang/script/classes/build_class.h"

namespace espalier::script {

bool IsMetaclass(const ClassObject& cls);

// What asks the special methods of a class's metaclass.
const Metatype& ClassesOfMetaclasses();

// The metaclass of a class statement: the most derived one of its keyword and its bases. Unset:
// type. Another callable is given as it is.
Outcome<Value> MetaclassOf(const ClassBody& body);

// metaclass(name, bases, namespace): its __new__, then its __init__.
Outcome<Value> CallMetaclass(Host& host, const Value& metaclass, const ClassBody& body,
                             lang::Extension* cell);

// The same from the arguments of a call, and of type.__new__(metaclass, name, bases, namespace),
// which makes the class itself.
Outcome<Value> CallMetaclassWith(Host& host, ClassObject& metaclass, const Args& args);
Outcome<Value> NewClass(Host& host, ClassObject* metaclass, const Args& args);

// An attribute of cls that its metaclass has, bound to cls; Unset: none.
Outcome<Value> AttributeOfMetaclass(Host& host, ClassObject& cls, std::string_view name);

}  // namespace espalier::script
