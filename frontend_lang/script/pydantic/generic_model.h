// Generic models: Page[int] of class Page(BaseModel, Generic[T]).
//
// Thread safety: none; one thread a Heap.
#pragma once

#include "frontend_lang/script/pydantic/model.h"

namespace espalier::script {

// The model with the types in `key` (one, or a tuple) for its type variables: a class of its
// own that derives from it, and the same one each time. Where `key` itself names variables:
// a form that another generic model's parameters complete.
Outcome<Value> ParametrizedModel(Host& host, ClassObject& cls, const Value& key);

}  // namespace espalier::script
