// Functions of the types int and float themselves: int.from_bytes, float.fromhex; and of their
// values what needs bytes.
//
// Thread safety: pure functions.
#pragma once

#include "frontend_lang/script/values/extension.h"

namespace espalier::script {

using lang::Args;
using lang::Host;
using lang::Outcome;
using lang::Value;

Outcome<Value> IntFromBytes(Host& host, const Value&, const Args& args);
Outcome<Value> FloatFromHex(Host& host, const Value&, const Args& args);

}  // namespace espalier::script
