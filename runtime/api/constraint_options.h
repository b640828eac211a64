// The options of JSON constraints by their names, as flags and request lines say them.
//
// Thread safety: pure functions.
#pragma once

#include <string_view>

#include "grammar/constraint.h"
#include "kernels/base/status.h"

namespace espalier {

// fixed, compact, flexible. kInvalidArgument for any other name.
Status SetJsonWhitespace(std::string_view name, ConstraintSpec& to);

// schema, any. kInvalidArgument for any other name.
Status SetPropertyOrder(std::string_view name, ConstraintSpec& to);

// known, all, none: what FormatUse says. kInvalidArgument for any other name.
Status SetFormatUse(std::string_view name, ConstraintSpec& to);

// plain, any: what JsonForms says. kInvalidArgument for any other name.
Status SetJsonForms(std::string_view name, ConstraintSpec& to);

}  // namespace espalier
