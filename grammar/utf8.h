// UTF-8 as the Unicode standard defines it (table 3-7): no overlong forms, no
// surrogates, nothing past U+10FFFF.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace espalier {

// The length of the longest prefix of `text` that is valid UTF-8.
std::size_t ValidUtf8Prefix(std::string_view text);

// REQUIRES: valid UTF-8
std::u32string DecodeUtf8(std::string_view text);

}  // namespace espalier
