// The types that SGLang's modules give names to, for type hints and isinstance:
// sglang.lang.interpreter.ProgramState and so on. Programs make none of them by name.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <functional>
#include <string>

#include "frontend_lang/script/machine/machine.h"

namespace espalier::program {

// Calls `add` with the module and the type, for each.
void AddSglTypes(script::Machine& machine,
                 const std::function<void(const std::string& module, std::string_view name,
                                          lang::Value type)>& add);

}  // namespace espalier::program
