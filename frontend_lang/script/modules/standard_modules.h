// The modules that every program may import, a file each. (The module sglang is the
// program layer's.)
//
// A module is made by its first import, so a run pays for what it uses.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "frontend_lang/script/machine/machine.h"

namespace espalier::script {

void AddStandardModules(Machine& machine);

// A row of a module's functions.
struct ModuleFunction {
  std::string_view name;  // a literal
  lang::NativeCode code;
};

// A module with these functions.
Value NewModule(Machine& machine, std::string_view name, std::span<const ModuleFunction> functions);
inline Module& ModuleOf(const Value& value) { return *static_cast<Module*>(value.object()); }

// A type that a module has: made by calling `make` (its first argument is the type),
// known to isinstance() and type(). `name` has the module's: "collections.deque".
Value NewType(Machine& machine, std::string_view name, lang::NativeCode make,
              TypeObject::Test test);

// The type of an exception that a module has.
Value NewErrorType(Machine& machine, std::string_view name);

// An argument that must be an int, with CPython's words for another.
Outcome<std::int64_t> IndexArgument(const Value& value);
Outcome<double> RealArgument(Host& host, const Value& value);

Value MakeAbcModule(Machine& machine);
Value MakeAstModule(Machine& machine);
Value MakeAsyncioModule(Machine& machine);
Value MakeBase64Module(Machine& machine);
Value MakeBisectModule(Machine& machine);
Value MakeClockModule(Machine& machine);
Value MakeCollectionsModule(Machine& machine);
Value MakeAbstractModule(Machine& machine);
Value MakeCopyModule(Machine& machine);
Value MakeDataclassesModule(Machine& machine);
Value MakeEnumModule(Machine& machine);
Value MakeFunctoolsModule(Machine& machine);
Value MakeGlobModule(Machine& machine);
Value MakeHashlibModule(Machine& machine);
Value MakeHeapqModule(Machine& machine);
Value MakeItertoolsModule(Machine& machine);
Value MakeJsonModule(Machine& machine);
Value MakeMachineModule(Machine& machine);
Value MakeMathModule(Machine& machine);
Value MakeOperatorModule(Machine& machine);
Value MakeOsModule(Machine& machine);
Value MakeOsPathModule(Machine& machine);
Value MakePydanticModule(Machine& machine);
Value MakeRandomModule(Machine& machine);
Value MakeReModule(Machine& machine);
Value MakeStatisticsModule(Machine& machine);
Value MakeStringModule(Machine& machine);
Value MakeSysModule(Machine& machine);
Value MakeTextwrapModule(Machine& machine);
Value MakeTracebackModule(Machine& machine);
Value MakeTypingModule(Machine& machine);

}  // namespace espalier::script
