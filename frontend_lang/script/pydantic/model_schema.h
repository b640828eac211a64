// The JSON Schema of a model, equal in content and order to pydantic's.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <nlohmann/json.hpp>

#include "frontend_lang/script/pydantic/model.h"

namespace espalier::script {

enum class SchemaNames { kAliases, kFields };  // what properties are named by

// Of model_json_schema(by_alias=False, mode="validation"). A NotImplementedError for what shapes
// the schema otherwise.
Outcome<SchemaNames> AskedNames(Host& host, const Args& args, const ModelFields* model);

// Model.model_json_schema(): models and enumerations within stand in $defs.
Outcome<nlohmann::ordered_json> SchemaOf(Host& host, ClassObject& model,
                                         SchemaNames names = SchemaNames::kAliases);

// The same for any type.
Outcome<nlohmann::ordered_json> SchemaOf(Host& host, const FieldType& type, SchemaNames names);

}  // namespace espalier::script
