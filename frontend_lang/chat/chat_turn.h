// ChatTurn: one message of a conversation.
#pragma once

#include <string>

namespace espalier {

struct ChatTurn {
  std::string role;  // "system", "user", "assistant"
  std::string content;
};

}  // namespace espalier
