// The table of architectures, and loading a model from a file.
//
// Thread safety: pure functions.
#pragma once

#include <memory>
#include <string>

#include "kernels/kernels.h"
#include "runtime/model/config.h"
#include "runtime/model/gguf.h"
#include "runtime/model/model.h"

namespace espalier {

struct ModelOptions {
  std::string device = "cpu";
  std::string isa;  // empty: the best that this machine has
  Precision precision = Precision::kQuantized;
  DType kv_dtype = DType::kF16;  // kF32 with kExact
  int page_size = 16;
  ModelLimits limits;
};

// The config of a file of any architecture of the table. kUnsupported names another.
Result<ModelConfig> ReadConfig(const Gguf& gguf);

// Builds the model of `gguf`, which it keeps mapped. kUnsupported names an unknown
// architecture or tensor type; kDataLoss names what is missing or misshapen.
// `pool` must outlive the model.
Result<std::unique_ptr<Model>> LoadModel(std::shared_ptr<const Gguf> gguf,
                                         const ModelOptions& options, ThreadPool& pool);

// The image of the built-in model "tiny": 2 layers of fixed pseudo-random weights,
// byte-level vocabulary and a ChatML template; for tests and offline trials.
std::string TinyModelGguf();

}  // namespace espalier
