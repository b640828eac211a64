// Files that commands read whole.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <string>

#include "kernels/base/status.h"

namespace espalier {

inline constexpr std::size_t kMaxFileBytes = std::size_t{1} << 30;

// All of a file, or of stdin for "-". Fails as InputFile::Open does, and with kLimit if it is
// longer than kMaxFileBytes.
Result<std::string> ReadFile(const std::string& path);

// What a flag takes that means JSON: the text itself if it begins with '{', else the file.
Result<std::string> ReadJsonOrFile(const std::string& value);

}  // namespace espalier
