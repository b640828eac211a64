// Tokenizing 1 MB of each kind of text with the default model's vocabulary, and
// loading it. Bytes per second is the figure.
#include <benchmark/benchmark.h>

#include <random>
#include <string>

#include "runtime/tokenizer/load.h"
#include "tests/support/paths.h"

namespace espalier {
namespace {

constexpr std::size_t kSize = 1 << 20;

std::shared_ptr<const Gguf> OpenDefault() {
  const std::string path = test::DefaultModelPath();
  if (path.empty()) return nullptr;
  auto gguf = Gguf::Open(path);
  return gguf.ok() ? *gguf : nullptr;
}

std::string Repeated(std::string_view unit) {
  std::string text;
  while (text.size() < kSize) text += unit;
  return text;
}

std::string RandomBytes() {
  std::mt19937 random(1);
  std::string text;
  while (text.size() < kSize) text += static_cast<char>(random());
  return text;
}

void Encode(benchmark::State& state, const std::string& text) {
  const auto gguf = OpenDefault();
  if (gguf == nullptr) return state.SkipWithError("the default model is absent");
  auto tokenizer = TokenizerFromGguf(*gguf);
  for (auto _ : state) {
    benchmark::DoNotOptimize((*tokenizer)->Encode(text, SpecialTokens::kParse));
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

void Load(benchmark::State& state) {
  const auto gguf = OpenDefault();
  if (gguf == nullptr) return state.SkipWithError("the default model is absent");
  for (auto _ : state) benchmark::DoNotOptimize(TokenizerFromGguf(*gguf));
}

BENCHMARK_CAPTURE(Encode, english,
                  Repeated("The quick brown fox doesn't jump over 12 lazy dogs; it sleeps.\n"));
BENCHMARK_CAPTURE(Encode, one_letter, Repeated("a"));
BENCHMARK_CAPTURE(Encode, spaces, Repeated(" "));
BENCHMARK_CAPTURE(Encode, newlines, Repeated("\n"));
BENCHMARK_CAPTURE(Encode, emoji, Repeated("\U0001F642"));
BENCHMARK_CAPTURE(Encode, chinese, Repeated("\u4F60\u597D\u4E16\u754C\uFF0C"));
BENCHMARK_CAPTURE(Encode, digits, Repeated("1234567890"));
BENCHMARK_CAPTURE(Encode, random_bytes, RandomBytes());
BENCHMARK_CAPTURE(Encode, half_special_tokens, Repeated("<|im_star"));
BENCHMARK(Load)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace espalier
