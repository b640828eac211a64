// The server's own description, as OpenAPI 3.1: all routes of the table, and each served
// program with its arguments from its type hints.
//
// Thread safety: io thread only.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "runtime/server/service.h"

namespace espalier {

nlohmann::ordered_json OpenApiDocument(Service& service);

// The schemas of the bodies that routes take, by name: "#/components/schemas/<name>".
const nlohmann::ordered_json& BodySchemas();

}  // namespace espalier
