// Models as plain values: model_dump, model_dump_json.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <nlohmann/json.hpp>

#include "frontend_lang/script/modules/json_text.h"
#include "frontend_lang/script/pydantic/model.h"

namespace espalier::script {

struct DumpOptions {
  bool json = false;  // mode="json": enumerations become values, tuples and sets lists
  bool by_alias = false, exclude_none = false, exclude_unset = false, exclude_defaults = false;
  bool exclude_computed = false;
  Value include = Value::Unset(), exclude = Value::Unset();  // a set, list or dict of names
};

Outcome<DumpOptions> ReadDumpOptions(Host& host, const Args& args);
// How pydantic writes JSON: without blanks, or over lines where there is an `indent`.
JsonStyle DumpStyle(const Args& args);

// A dict of an object of a model; other values with the models in them dumped.
Outcome<Value> Dump(Host& host, const Value& value, const DumpOptions& options);

// Any value as JSON, models and enumerations within included.
Outcome<nlohmann::ordered_json> DumpedJson(Host& host, const Value& value);

}  // namespace espalier::script
