// FieldNames: what a client calls the fields that our messages name.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kernels/base/status.h"

namespace espalier {

using FieldNames = std::vector<std::pair<std::string, std::string>>;  // (ours, theirs)

// The error, whose message begins with the name of a field, in the client's own name.
Status InNamesOf(const FieldNames& names, const Status& error);

}  // namespace espalier
