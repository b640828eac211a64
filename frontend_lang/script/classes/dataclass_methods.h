// The methods that a dataclass gets: __init__, __repr__, comparisons, __hash__.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include "frontend_lang/script/classes/dataclass.h"

namespace espalier::script {

// Those that the options ask for and the class does not define itself.
Fault AddDataclassMethods(Host& host, ClassObject& cls, const DataclassFields& fields);

}  // namespace espalier::script
