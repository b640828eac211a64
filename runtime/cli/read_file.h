// Files that commands read whole.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <string>

#include "kernels/base/status.h"

namespace espalier {

inline constexpr std::size_t kMaxFileBytes = std::size_t{1} << 30;

// All of a file, or of stdin for "-". The error names the path: kNotFound if it cannot be
// opened, kInvalidArgument if it is a folder, kLimit if it is longer than kMaxFileBytes.
Result<std::string> ReadFile(const std::string& path);

// What a flag takes that means JSON: the text itself if it begins with '{', else the file.
Result<std::string> ReadJsonOrFile(const std::string& value);

}  // namespace espalier
