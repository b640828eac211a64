// Any bytes as a GGUF file: refused by a Status, or a file whose every tensor can be
// read and whose config can be asked for.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "runtime/model/registry.h"

namespace {

constexpr const char* kKeys[] = {"general.architecture", "tokenizer.ggml.tokens", "words",
                                 "numbers"};

void ReadAll(const espalier::Gguf& gguf) {
  unsigned sum = 0;
  for (const auto& tensor : gguf.tensors()) {
    const auto* bytes = static_cast<const unsigned char*>(tensor.view.data);
    for (std::int64_t i = 0; i < tensor.view.size_bytes(); ++i) sum += bytes[i];
    if (gguf.FindTensor(tensor.name) != &tensor) std::abort();
  }
  for (const char* key : kKeys) {
    if (auto words = gguf.GetStrings(key); words.ok() && words->has_value()) {
      for (const std::string_view word : **words) sum += word.empty() ? 0u : unsigned(word.back());
    }
    (void)gguf.GetInts(key).ok();
    (void)gguf.GetFloats(key).ok();
    (void)gguf.GetInt(key).ok();
  }
  if (sum == 0xffffffff) std::abort();  // keeps the reads
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string image(reinterpret_cast<const char*>(data), size);
  auto gguf = espalier::Gguf::FromMemory(image);
  if (!gguf.ok()) return gguf.status().message().empty();
  ReadAll(**gguf);
  (void)espalier::ReadConfig(**gguf).ok();
  if (size < (1 << 17)) {
    espalier::ThreadPool threads(1);
    (void)espalier::LoadModel(*gguf, {.limits = {.max_tokens = 1, .max_logits = 1}}, threads).ok();
  }
  return 0;
}
