// The built-in names of scripts: functions, types, exceptions, and the modules that
// need no model.
#pragma once

#include "frontend_lang/script/machine/machine.h"

namespace espalier::script {

// Adds all of them. (The module sglang is the program layer's.)
void AddBuiltins(Machine& machine);

// Writes a text where print's file= says: None is sys.stdout.
Fault WriteTo(Host& host, const Value& file, std::string text);

// The parts, one file each.
void AddTypeBuiltins(Machine& machine);      // int, str, list, ...; the exceptions
void AddClassBuiltins(Machine& machine);     // type, isinstance, getattr, property, ...
void AddSequenceBuiltins(Machine& machine);  // len, sorted, min, sum, ...
void AddIteratorBuiltins(Machine& machine);  // zip, map, enumerate, next, ...
void AddTextBuiltins(Machine& machine);      // print, repr, chr, abs, round, ...
void AddOpenBuiltin(Machine& machine);
void AddAsyncBuiltins(Machine& machine);                // anext, aiter
void AddFromKeys(Machine& machine, const Value& type);  // to a type of dicts
void AddTypeMembers(Machine& machine);                  // str.upper, dict.fromkeys, ...

}  // namespace espalier::script
