// The metaschemas of the drafts, which schemas may refer to: as JSON text, without titles,
// descriptions and defaults.
//
// Thread safety: constants.
#pragma once

#include <string_view>

namespace espalier {

// By URI without fragment. Empty if it is no metaschema that this build knows.
std::string_view FindMetaschema(std::string_view uri);

}  // namespace espalier
