// Any bytes as a tokenizer.json: a Status, or a tokenizer that works.
#include <cstdint>
#include <string_view>

#include "kernels/base/check.h"
#include "runtime/tokenizer/load.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using espalier::SpecialTokens;
  const std::string_view json(reinterpret_cast<const char*>(data), size);
  auto tokenizer = espalier::TokenizerFromJson(json);
  if (!tokenizer.ok()) return 0;
  for (const auto special : {SpecialTokens::kParse, SpecialTokens::kAsText}) {
    const auto tokens = (*tokenizer)->Encode("a <x> ab\n1234 e\u0301\xFF", special);
    for (const espalier::TokenId token : tokens) {
      ESP_CHECK(token >= 0 && static_cast<std::size_t>(token) < (*tokenizer)->vocab_size());
      (*tokenizer)->Name(token);
    }
    (*tokenizer)->Decode(tokens, special);
  }
  return 0;
}
