// The body of SGLang's /generate: to native requests.
//
// A field that may be a list for several requests may be one here too; one-element lists
// that hold null, which some of SGLang's own clients send, are as if absent.
//
// Source: reference of SGLang's native API; its frontend's runtime_endpoint.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "kernels/base/status.h"

namespace espalier {

struct SglangBody {
  struct Item {
    nlohmann::ordered_json line;  // a native request, with its prompt
    std::string rid;              // "": none was given
  };
  std::vector<Item> items;  // not empty
  bool is_list = false;     // the answer is one too
  double timeout_s = 0;     // 0: none is asked for
  bool stream = false;
  bool return_logprob = false;
  bool text_in_logprobs = false;
  std::vector<std::string> unknown;  // fields that nobody here knows
};

// kInvalidArgument or kUnsupported, with the field's name in front.
Result<SglangBody> ReadSglangBody(const nlohmann::ordered_json& body);

}  // namespace espalier
