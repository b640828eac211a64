// The byte-level alphabet of GPT-2: 256 printable characters for the 256 bytes.
//
// The 188 printable bytes of Latin-1 stand for themselves; the other 68, in order,
// are U+0100 and on. A vocabulary file writes its tokens in this alphabet.
//
// Source: Radford et al. 2019 (GPT-2's bytes_to_unicode).
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace espalier {

// The bytes that `text` stands for, or nullopt if a character is not in the alphabet.
std::optional<std::string> BytesFromByteLevel(std::string_view text);

// What stands for one byte.
std::string ByteLevelFromByte(std::uint8_t byte);

}  // namespace espalier
