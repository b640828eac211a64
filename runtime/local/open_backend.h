// OpenLocalBackend: a model in this process, for embedded programs (frontend_lang/sgl.h).
//
// Thread safety: pure function.
#pragma once

#include <memory>

#include "frontend_lang/backend.h"
#include "runtime/local/local_model_options.h"

namespace espalier {

// Fails as LocalModel::Load does: no such file, a broken file, an unknown architecture.
Result<std::unique_ptr<Backend>> OpenLocalBackend(const LocalModelOptions& options = {});

}  // namespace espalier
