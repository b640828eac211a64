// What is wrong with a JSON text, in the words of pydantic's reader.
//
// Thread safety: immutable.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace espalier::script {

// "expected `:` at line 1 column 6"; nothing where the text is JSON. Values nested more
// than kMaxJsonDepth deep are a complaint too.
inline constexpr int kMaxJsonDepth = 200;
std::optional<std::string> ComplainOfJson(std::string_view text);

}  // namespace espalier::script
