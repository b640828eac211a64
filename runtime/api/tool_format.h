// ToolFormat: how a family of models writes the calls of tools.
//
// A call is `begin` + name + `middle` + arguments + `end`. A family that puts its calls in
// one list has `open` and `close` around them, and `separator` between them.
//
// Thread safety: immutable.
#pragma once

#include <string>
#include <string_view>

namespace espalier {

struct ToolFormat {
  std::string_view name;
  std::string_view mark;  // what the family's chat templates hold; "": the last resort
  std::string_view open, begin, middle, end, separator, close;

  // What free text before a call ends at.
  std::string_view trigger() const { return open.empty() ? begin : open; }
};

// The format whose mark the template holds, else the generic one.
const ToolFormat& ToolFormatOf(std::string_view chat_template);

}  // namespace espalier
