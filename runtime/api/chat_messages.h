// Chat messages as OpenAI's clients send them: checked, and in the form that chat
// templates expect.
//
// Thread safety: pure functions.
#pragma once

#include <nlohmann/json.hpp>

#include "kernels/base/status.h"

namespace espalier {

// Text parts are joined to one string, a missing or null content becomes "", the role
// developer becomes system; all else is kept for the template. kInvalidArgument or
// kUnsupported begins with the place: "messages[2].content[0].image_url is not supported".
Result<nlohmann::ordered_json> TemplateMessages(const nlohmann::ordered_json& messages);

}  // namespace espalier
