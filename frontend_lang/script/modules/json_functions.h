// What the functions of json share with its classes JSONEncoder and JSONDecoder.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <span>
#include <string>

#include "frontend_lang/script/machine/machine.h"
#include "frontend_lang/script/modules/json_text.h"

namespace espalier::script {

// The text of a value, in the style that keywords of dumps (but cls) tell.
Outcome<std::string> WriteStyled(Host& host, const Value& value,
                                 std::span<const lang::Keyword> keywords);
// What keywords of loads (but cls) tell.
Outcome<JsonHooks> ReadHooks(Host& host, std::span<const lang::Keyword> keywords);

// Adds the two classes to the module.
void AddJsonClasses(Machine& machine, const Value& module);

}  // namespace espalier::script
