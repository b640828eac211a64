// Loading a tokenizer: from a GGUF file's metadata or from a tokenizer.json.
//
// Thread safety: pure functions.
#pragma once

#include <memory>
#include <string_view>

#include "kernels/base/status.h"
#include "runtime/model/gguf.h"
#include "runtime/tokenizer/tokenizer.h"

namespace espalier {

// kUnsupported names an unknown tokenizer.ggml.model or .pre; kDataLoss names what
// is missing or inconsistent.
Result<std::shared_ptr<const Tokenizer>> TokenizerFromGguf(const Gguf& gguf);

// `json`: the text of a Hugging Face tokenizer.json (BPE models).
Result<std::shared_ptr<const Tokenizer>> TokenizerFromJson(std::string_view json);

}  // namespace espalier
