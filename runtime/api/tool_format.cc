#include "runtime/api/tool_format.h"

#include <array>

namespace espalier {
namespace {

// Sources: the chat templates of these families. Hermes' is Qwen's too.
constexpr auto kFormats = std::to_array<ToolFormat>({
    {.name = "hermes",
     .mark = "<tool_call>",
     .begin = "<tool_call>\n{\"name\": \"",
     .middle = "\", \"arguments\": ",
     .end = "}\n</tool_call>",
     .separator = "\n"},
    {.name = "mistral",
     .mark = "[TOOL_CALLS]",
     .open = "[TOOL_CALLS] [",
     .begin = "{\"name\": \"",
     .middle = "\", \"arguments\": ",
     .end = "}",
     .separator = ", ",
     .close = "]"},
    {.name = "llama3",
     .mark = "<|python_tag|>",
     .begin = "{\"name\": \"",
     .middle = "\", \"parameters\": ",
     .end = "}",
     .separator = "; "},
    {.name = "generic",
     .mark = "",
     .begin = "{\"tool\": \"",
     .middle = "\", \"arguments\": ",
     .end = "}",
     .separator = "\n"},
});

}  // namespace

const ToolFormat& ToolFormatOf(std::string_view chat_template) {
  for (const ToolFormat& format : kFormats) {
    if (chat_template.find(format.mark) != std::string_view::npos) return format;
  }
  return kFormats.back();
}

}  // namespace espalier
