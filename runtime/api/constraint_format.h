// A request line's constraint as a part of a structural tag (grammar/tags/README.md), so that
// it can stand behind a reasoning or beside calls of tools.
//
// Thread safety: pure functions.
#pragma once

#include <nlohmann/json.hpp>

#include "kernels/base/status.h"

namespace espalier {

// Takes json_schema, regex, ebnf or structural_tag out of the line; null: it has none of them.
// kInvalidArgument, with the key's name in front, where it is none. A line's choices stay in
// it: they are scored by themselves.
Result<nlohmann::ordered_json> TakeConstraintFormat(nlohmann::ordered_json& line);

}  // namespace espalier
