// Embeddings as the answer of OpenAI's /v1/embeddings has them.
//
// Thread safety: pure functions.
#pragma once

#include <span>
#include <vector>

#include <nlohmann/json.hpp>

#include "kernels/base/status.h"
#include "runtime/api/embeddings_body.h"

namespace espalier {

// Of length 1. kInternal if it has no length, or one that is no number.
Result<std::vector<float>> Normalized(std::span<const float> embedding);

// A list of numbers, each in the fewest digits that give it back; or base64 of their four
// bytes each, the lowest first.
nlohmann::ordered_json EmbeddingJson(std::span<const float> embedding,
                                     EmbeddingsBody::Encoding encoding);

}  // namespace espalier
