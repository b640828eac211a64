// JSON text, cut into the texts of its parts.
//
// For text whose numbers must keep their digits: a schema inside a line, an instance inside
// a file. Only the outermost level is read; whoever parses a part finds what is wrong in it.
// A part views the text that it was cut from.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/status.h"

namespace espalier {

struct JsonPart {
  std::string name;  // decoded
  std::string_view value;
};

// In the order of the text; a name that stands twice comes twice. kInvalidArgument with the
// byte at which the text is not an object, or not an array.
Result<std::vector<JsonPart>> ObjectMembers(std::string_view text);
Result<std::vector<std::string_view>> ArrayElements(std::string_view text);

// The text that a JSON string stands for. kInvalidArgument if `json` is no JSON string, with
// `what` as the name of it.
Result<std::string> StringOf(std::string_view json, std::string_view what);

// The end of the string that begins with the quote at `text[begin]`, behind its last quote;
// npos if it has none.
std::size_t EndOfJsonString(std::string_view text, std::size_t begin);

}  // namespace espalier
