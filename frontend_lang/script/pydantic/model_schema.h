// The JSON Schema of a model, equal in content and order to pydantic's.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <nlohmann/json.hpp>

#include "frontend_lang/script/pydantic/model.h"

namespace espalier::script {

// Model.model_json_schema(): models and enumerations within stand in $defs.
Outcome<nlohmann::ordered_json> SchemaOf(Host& host, ClassObject& model);

// The same for an enumeration, a dataclass or any annotation.
Outcome<nlohmann::ordered_json> SchemaOfAnnotation(Host& host, const Value& annotation,
                                                   ClassObject& around);

}  // namespace espalier::script
