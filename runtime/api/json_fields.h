// Members of bodies that are of a plain type: read, or refused by name.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "kernels/base/status.h"

namespace espalier {

Status Invalid(std::string message);  // kInvalidArgument

Status ReadBool(std::string_view name, const nlohmann::ordered_json& value, bool& to);
Status ReadText(std::string_view name, const nlohmann::ordered_json& value, std::string& to);
// Above 0.
Status ReadSeconds(std::string_view name, const nlohmann::ordered_json& value, double& to);

}  // namespace espalier
