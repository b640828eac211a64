// Variables of the environment that look like ours and are none.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace espalier {

// A line for each variable ESPALIER_* of `environment` ("NAME=value" each) that is neither one
// of `known` nor one that the launcher and the tests take.
std::vector<std::string> StrangeVariables(std::span<const std::string_view> environment,
                                          std::span<const std::string_view> known);

// What this process was started with.
std::vector<std::string_view> Environment();

}  // namespace espalier
