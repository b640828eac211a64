// References that apply a schema to the same value without end.
#pragma once

#include <vector>

#include "grammar/schema/schema_document.h"

namespace espalier {

// A node of each cycle of $ref, $dynamicRef (where it leads by itself), allOf, anyOf, oneOf, not,
// if, then, else and dependentSchemas: a value cannot be checked against it without checking it
// against it first, which the specification forbids. O(nodes and their references).
std::vector<SchemaId> EndlessReferences(const std::vector<SchemaNode>& nodes);

}  // namespace espalier
