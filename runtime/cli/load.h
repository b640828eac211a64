// Loading the model that the flags name, with a sign of life when it is slow.
//
// Thread safety: main thread only.
#pragma once

#include <memory>

#include "kernels/base/status.h"
#include "runtime/cli/flags.h"
#include "runtime/local/local_model.h"

namespace espalier {

// Also refuses --url, and says what 'tiny' is.
Result<std::unique_ptr<LocalModel>> LoadLocalModel(const CommonFlags& flags);

// Says how large the KV cache is, where no flag did: for commands with many requests, whose
// speed and memory depend on it.
void LogKvCache(const CommonFlags& flags, const LocalModel& model);

}  // namespace espalier
