// TypeAdapter(type): validation, dumps and the JSON Schema of any type, as a model has them.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include "frontend_lang/script/machine/objects.h"

namespace espalier::script {

// TypeAdapter(type). A TypeError for what has no schema.
Outcome<Value> MakeTypeAdapter(Host& host, const Value&, const Args& args);

}  // namespace espalier::script
