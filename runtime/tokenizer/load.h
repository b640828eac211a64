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

// kUnsupported names an unknown tokenizer.ggml.model or .pre (a missing .pre too: how
// text is split would be a guess); kDataLoss names what is missing or inconsistent;
// kLimit what is too large.
Result<std::shared_ptr<const Tokenizer>> TokenizerFromGguf(const Gguf& gguf);

// `json`: the text of a Hugging Face tokenizer.json of a byte-level BPE. The same
// errors; a stage of the file is known exactly, or refused by name. Such a file does
// not say which token is eos: only end tokens of known names are set.
Result<std::shared_ptr<const Tokenizer>> TokenizerFromJson(std::string_view json);

}  // namespace espalier
