// References that apply a schema to the same value without end.
#pragma once

#include <vector>

#include "grammar/schema/schema_document.h"

namespace espalier {

// A node of each cycle of nothing but $ref and allOf: no value can be checked against it.
// Cycles through anyOf, if and the like may end, and are left to the engine. O(nodes).
std::vector<SchemaId> EndlessReferences(const std::vector<SchemaNode>& nodes);

}  // namespace espalier
