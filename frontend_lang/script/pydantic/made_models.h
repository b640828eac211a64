// Models that no class statement makes as it is: RootModel, which stands for one value, and those
// of create_model(...).
//
// Thread safety: none; one thread a Heap.
#pragma once

#include "frontend_lang/script/pydantic/model.h"

namespace espalier::script {

// class Tags(RootModel[list[str]]), or with a field `root` of its own.
Value MakeRootModelClass(Machine& machine, const Value& base_model);

// create_model("Name", field=(type, default), ...)
Outcome<Value> CreateModel(Host& host, const Value&, const Args& args);

}  // namespace espalier::script
