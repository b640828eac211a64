// A client's field, as a key of a request line.
//
// Thread safety: pure functions.
#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

#include "kernels/base/status.h"
#include "runtime/api/field_names.h"

namespace espalier {

// Gives `key` of the line what the client's field `name` says, and notes the name.
// kInvalidArgument if another field has said something else: none is dropped unseen.
Status PutField(nlohmann::ordered_json& line, FieldNames& names, std::string_view key,
                std::string_view name, const nlohmann::ordered_json& value);

}  // namespace espalier
