// The linear layers of SmolLM2-135M on random weights: 30 layers of q4_1 and a q8_0 head,
// 96.4 MB a step, so that one column reads memory and not a cache.
//   build/kernels_bench --benchmark_filter=Step
// ESPALIER_BENCH_ISA and ESPALIER_BENCH_THREADS choose what runs.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "kernels/kernels.h"
#include "tests/kernels/random_tensor.h"

namespace espalier {
namespace {

struct Shape {
  std::int64_t rows;
  std::int64_t columns;
};
constexpr Shape kLayer[] = {{576, 576},  {192, 576},  {192, 576}, {576, 576},
                            {1536, 576}, {1536, 576}, {576, 1536}};
constexpr int kNumLayers = 30;
constexpr Shape kHead = {49152, 576};
constexpr int kMaxTokens = 256;
constexpr int kMaxWidth = 1536;

std::string Env(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? "" : value;
}

int Threads() {
  const std::string threads = Env("ESPALIER_BENCH_THREADS");
  return threads.empty() ? 0 : std::stoi(threads);
}

// Packed weights; the unpacked ones are dropped, so only what a step reads is in memory.
class Model {
 public:
  explicit Model(DType layers) : pool_(Threads()) {
    kernels_ = MakeKernels({.isa = Env("ESPALIER_BENCH_ISA")}, pool_).value();
    for (int i = 0; i < kNumLayers; ++i) {
      for (const Shape& shape : kLayer) Append(layers, shape);
    }
    Append(DType::kQ8_0, kHead);
    narrow_ = kernels_->NewActivations(kMaxTokens, kMaxWidth);
    wide_ = kernels_->NewActivations(kMaxTokens, kMaxWidth);
    x_ = test::RandomFloats(std::size_t{kMaxTokens} * kMaxWidth, 1);
    y_.resize(std::size_t{kMaxTokens} * kHead.rows);
  }

  // One forward pass over `num_tokens`, of which `num_heads` want logits.
  void Step(int num_tokens, int num_heads) {
    kernels_->Quantize(x_.data(), num_tokens, 576, *narrow_);
    kernels_->Quantize(x_.data(), num_tokens, 1536, *wide_);
    for (std::size_t i = 0; i + 1 < matrices_.size(); ++i) {
      const Activations& x = matrices_[i]->columns() == 576 ? *narrow_ : *wide_;
      kernels_->Linear(*matrices_[i], x, y_.data());
    }
    kernels_->Quantize(x_.data(), num_heads, 576, *narrow_);
    kernels_->Linear(*matrices_.back(), *narrow_, y_.data());
  }

  std::string Label() const {
    return std::string(kernels_->isa()) + ", " + std::to_string(pool_.num_threads()) + " threads";
  }

 private:
  void Append(DType dtype, const Shape& shape) {
    tensors_.emplace_back(dtype, shape.rows, shape.columns, 1u);
    matrices_.push_back(kernels_->Pack(tensors_.back().view));
    if (kernels_->isa() != "scalar") tensors_.pop_back();
  }

  ThreadPool pool_;
  std::unique_ptr<Kernels> kernels_;
  std::vector<test::RandomTensor> tensors_;
  std::vector<std::unique_ptr<Matrix>> matrices_;
  std::unique_ptr<Activations> narrow_;
  std::unique_ptr<Activations> wide_;
  std::vector<float> x_;
  std::vector<float> y_;
};

void BM_Step(benchmark::State& state, DType dtype, bool is_prefill) {
  Model model(dtype);
  const auto num_tokens = static_cast<int>(state.range(0));
  for (auto _ : state) model.Step(num_tokens, is_prefill ? 1 : num_tokens);
  state.SetItemsProcessed(state.iterations() * num_tokens);
  state.SetLabel(model.Label());
}

// What the threads read from memory together: the roofline of one stream.
void BM_ReadMemory(benchmark::State& state) {
  constexpr std::size_t kWords = std::size_t{32} << 20;  // 256 MiB
  constexpr int kParts = 64;
  ThreadPool pool(Threads());
  const std::vector<std::uint64_t> memory(kWords, 1);
  std::vector<std::uint64_t> sums(std::size_t{kParts} * 8);
  for (auto _ : state) {
    pool.ParallelFor(kParts, [&](int part, int) {
      const std::uint64_t* from = memory.data() + static_cast<std::size_t>(part) * kWords / kParts;
      std::uint64_t lanes[8] = {};
      for (std::size_t i = 0; i < kWords / kParts; i += 8) {
        for (int lane = 0; lane < 8; ++lane) lanes[lane] += from[i + static_cast<unsigned>(lane)];
      }
      for (const std::uint64_t lane : lanes) sums[static_cast<std::size_t>(part) * 8] += lane;
    });
    benchmark::DoNotOptimize(sums.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(kWords) * 8);
}
BENCHMARK(BM_ReadMemory)->UseRealTime();

BENCHMARK_CAPTURE(BM_Step, Decode_q4_1, DType::kQ4_1, false)
    ->Arg(1)
    ->Arg(8)
    ->Arg(32)
    ->UseRealTime();
BENCHMARK_CAPTURE(BM_Step, Prefill_q4_1, DType::kQ4_1, true)->Arg(256)->UseRealTime();
BENCHMARK_CAPTURE(BM_Step, Decode_q8_0, DType::kQ8_0, false)->Arg(1)->Arg(8)->UseRealTime();
BENCHMARK_CAPTURE(BM_Step, Decode_q5_0, DType::kQ5_0, false)->Arg(1)->Arg(8)->UseRealTime();
BENCHMARK_CAPTURE(BM_Step, Decode_f16, DType::kF16, false)->Arg(1)->Arg(8)->UseRealTime();

}  // namespace
}  // namespace espalier

BENCHMARK_MAIN();
