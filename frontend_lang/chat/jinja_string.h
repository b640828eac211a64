// The escapes of a string literal in a template: Python's.
#pragma once

#include <string>
#include <string_view>

#include "kernels/base/status.h"

namespace espalier::jinja {

// The value of what stands between the quotes. An unknown escape stays as it is; a
// broken \x, \u or \U, and \N, are kInvalidArgument.
Result<std::string> UnescapeString(std::string_view literal);

}  // namespace espalier::jinja
