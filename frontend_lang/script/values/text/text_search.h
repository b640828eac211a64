// Finding text in text, in linear time on any input.
#pragma once

#include <string_view>

namespace espalier::lang {

inline constexpr std::size_t kNotFound = std::string_view::npos;

// Offset of the first needle at or after `from`, or kNotFound.
std::size_t FindText(std::string_view text, std::string_view needle, std::size_t from = 0);
// Offset of the last needle, or kNotFound.
std::size_t FindLastText(std::string_view text, std::string_view needle);

}  // namespace espalier::lang
