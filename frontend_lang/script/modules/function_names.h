// functools.wraps: a function takes over the names and attributes of another.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include "frontend_lang/script/modules/standard_modules.h"

namespace espalier::script {

Outcome<Value> Wraps(Host& host, const Value&, const Args& args);
Outcome<Value> UpdateWrapper(Host& host, const Value&, const Args& args);

}  // namespace espalier::script
