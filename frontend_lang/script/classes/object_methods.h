// The methods that every object has: those of Python's object, and of the built-in type
// that a class derives from. A program says them after super() or a class.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <string>
#include <string_view>

#include "frontend_lang/script/classes/descriptors.h"

namespace espalier::script {

const NativeMethod::Row* FindObjectMethod(std::string_view name);  // null: there is none
const NativeMethod::Row& DictReprMethod();                         // dict.__repr__
// Whether it is one of the built-in type that an object's class derives from.
bool NeedsPayload(const NativeMethod::Row& row);

// payload[key], by __missing__ where a dict lacks the key.
Outcome<Value> PayloadItem(Host& host, Instance& instance, const Value& key);

// A number for id() that says nothing of addresses, and its text in hexadecimal.
std::int64_t IdentityOf(Heap& heap, const lang::Object& object);
std::string IdentityText(Heap& heap, const lang::Object& object);

}  // namespace espalier::script
