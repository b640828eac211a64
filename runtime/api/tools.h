// Tools: what a chat may call, and whether it must.
//
// Whatever the choice, the arguments of a call keep to the tool's schema from their first
// byte: a structural tag sees to it. A tool whose schema cannot be enforced is refused as
// any schema is.
//
// Source: OpenAI's API reference, tools and tool_choice.
//
// Thread safety: immutable once read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "kernels/base/status.h"
#include "runtime/api/tool_format.h"

namespace espalier {

struct Tool {
  std::string name;
  nlohmann::ordered_json parameters;  // a schema
  nlohmann::ordered_json json;        // as it came, for the chat template
};

struct Tools {
  enum class Choice : unsigned char { kNone, kAuto, kRequired };

  std::vector<Tool> list;
  Choice choice = Choice::kNone;
  std::string named;  // the one that must be called; "": any
  bool parallel = true;

  bool active() const { return choice != Choice::kNone; }
};

// From the body's members; null ones are absent. kInvalidArgument or kUnsupported begins with
// the place: "tools[1].function.name must be ...".
Result<Tools> ReadTools(const nlohmann::ordered_json& tools, const nlohmann::ordered_json& choice,
                        const nlohmann::ordered_json& parallel);

// The structural tag that outputs of this chat keep to. `answer`: what an answer that calls no
// tool must look like; null: anything. REQUIRES: tools.active()
nlohmann::ordered_json ToolTag(const Tools& tools, const ToolFormat& format,
                               nlohmann::ordered_json answer);

// Messages for a chat template that knows nothing of tools: they are described in the
// system message, calls stand in the content.
nlohmann::ordered_json WithToolsDescribed(nlohmann::ordered_json messages, const Tools& tools,
                                          const ToolFormat& format);

}  // namespace espalier
