// ConnectToServer: a Backend on the server at an address, whichever protocol it speaks.
//
// Thread safety: pure function.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "frontend_lang/backend.h"

namespace espalier {

// Asks for /get_model_info, which SGLang's protocol has, then for /v1/models. Blocks.
// Fails with kInvalidArgument on a bad address, kNotFound where no server answers,
// kUnsupported where it speaks neither protocol, and kLimit at the deadline.
struct ServerAccess {
  std::string api_key;         // "": none is sent; printable ASCII without spaces
  std::string model;           // the name for an OpenAI server; "": its first
  Backend::Deadline deadline;  // of connecting
};
Result<std::unique_ptr<Backend>> ConnectToServer(std::string_view url, ServerAccess access);

}  // namespace espalier
