// The body of OpenAI's /v1/embeddings: to native request lines.
//
// Source: OpenAI's API reference; vLLM's protocol for the extras.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "kernels/base/status.h"

namespace espalier {

struct EmbeddingsBody {
  std::vector<nlohmann::ordered_json> lines;  // a native request an input; not empty
  std::string model;                          // as the body names it
  std::string request_id;
  enum class Encoding : unsigned char { kFloat, kBase64 } encoding = Encoding::kFloat;
  double timeout_s = 0;              // 0: none is asked for
  std::int64_t dimensions = 0;       // 0: as many as there are
  std::vector<std::string> unknown;  // fields that nobody here knows
};

// kInvalidArgument or kUnsupported, with the field's name in front.
Result<EmbeddingsBody> ReadEmbeddingsBody(const nlohmann::ordered_json& body);

}  // namespace espalier
