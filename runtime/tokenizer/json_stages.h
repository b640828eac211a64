// The stages around the model in a tokenizer.json: normalizer, pre_tokenizer,
// post_processor, decoder. Each is recognised as a whole, or refused by name.
//
// Thread safety: pure functions.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "kernels/base/status.h"
#include "runtime/tokenizer/build.h"
#include "runtime/tokenizer/pretokenizer.h"

namespace espalier {

using Json = nlohmann::json;

// The member of an object; null if it is absent, JSON null, or `value` no object.
const Json* FindMember(const Json& value, std::string_view key);

// A bool member. kDataLoss if it is there and is none.
Result<bool> ReadFlag(const Json& value, std::string_view key, bool fallback);

// A string member; empty if absent. kDataLoss if it is there and is none.
Result<std::string> ReadText(const Json& value, std::string_view key);

// `root`: the whole file. kUnsupported names a stage that is not known.
Result<Normalizer> ReadNormalizer(const Json& root);
Result<Pretokenizer> ReadPretokenizer(const Json& root);
Status CheckDecoder(const Json& root);

// The special tokens that the file's template puts around a text, by name.
struct TemplateTokens {
  std::optional<std::string> first, last;
};
Result<TemplateTokens> ReadTemplate(const Json& root);

}  // namespace espalier
