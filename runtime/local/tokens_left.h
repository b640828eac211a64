// How long an answer may be.
//
// Thread safety: pure functions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "runtime/local/local_model.h"

namespace espalier {

// The most tokens that a request with a prompt of `num_prompt` can ask for: to the end of the
// context, or of what the KV cache holds; 0 if the prompt alone fills one of them.
inline std::int32_t TokensLeft(const LocalModel& model, std::size_t num_prompt) {
  const std::int64_t most = std::min<std::int64_t>(model.context_length(), model.kv_cache().tokens);
  return static_cast<std::int32_t>(
      std::max<std::int64_t>(most - static_cast<std::int64_t>(num_prompt), 0));
}

}  // namespace espalier
