// Which model file a command means, and opening it.
//
// Thread safety: pure functions.
#pragma once

#include <memory>
#include <string>

#include "kernels/base/status.h"
#include "runtime/model/gguf.h"

namespace espalier {

// Where the default model lies: ${ESPALIER_CACHE:-$HOME/.cache/espalier}/models/.
std::string DefaultModelPath();

// Opens what `model` names: a GGUF file, "tiny" (the built-in model of random
// weights), or "" for the default model. The message says what to do where there
// is no such file.
Result<std::shared_ptr<const Gguf>> OpenModelFile(const std::string& model);

// `result`, whose error names the file that `model` means: for what is read of it once it
// is open.
template <typename T>
Result<T> OfModelFile(const std::string& model, Result<T> result) {
  if (result.ok()) return result;
  const std::string path = model.empty() ? DefaultModelPath() : model;
  return Status(result.status().code(), path + ": " + result.status().message());
}

// What to call that model: its file's name without folder and ending, or "tiny".
std::string ModelName(const std::string& model);

}  // namespace espalier
