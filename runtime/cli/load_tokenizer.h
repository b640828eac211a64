// Loading a tokenizer without its model.
//
// Thread safety: pure functions.
#pragma once

#include <memory>
#include <string>

#include "kernels/base/status.h"
#include "runtime/tokenizer/tokenizer.h"

namespace espalier {

// Of a tokenizer.json, known by its ending, or of a model as OpenModelFile takes it.
Result<std::shared_ptr<const Tokenizer>> LoadTokenizer(const std::string& path);

}  // namespace espalier
