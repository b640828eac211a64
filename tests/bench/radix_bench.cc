// What the tree costs: matching one long edge, acquiring, inserting, evicting.
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "radix/prefix_cache.h"

namespace espalier {
namespace {

constexpr int kPageSize = 16;

std::vector<TokenId> RandomTokens(int size, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<TokenId> tokens(static_cast<std::size_t>(size));
  for (TokenId& token : tokens) token = static_cast<TokenId>(random() % 50'000);
  return tokens;
}

bool Insert(PrefixCache& cache, const std::vector<TokenId>& tokens) {
  PrefixLease lease = cache.Acquire(tokens);
  if (!cache.Extend(lease, static_cast<int>(tokens.size()))) return false;
  lease.CopyDone();
  cache.Finish(lease, tokens);
  return true;
}

void BM_MatchOneEdge(benchmark::State& state) {
  const int size = static_cast<int>(state.range(0));
  PrefixCache cache(size / kPageSize + 1, kPageSize);
  const std::vector<TokenId> tokens = RandomTokens(size, 1);
  if (!Insert(cache, tokens)) return state.SkipWithError("no pages");
  const std::vector<TokenId> prompt = tokens;
  for (auto _ : state) benchmark::DoNotOptimize(cache.Match(prompt));
  state.SetItemsProcessed(state.iterations() * size);
}
BENCHMARK(BM_MatchOneEdge)->Arg(1'000)->Arg(10'000)->Arg(100'000);

// The same with the edge and the prompt out of the caches.
void BM_MatchOneEdgeCold(benchmark::State& state) {
  const int size = static_cast<int>(state.range(0));
  PrefixCache cache(size / kPageSize + 1, kPageSize);
  const std::vector<TokenId> tokens = RandomTokens(size, 1);
  if (!Insert(cache, tokens)) return state.SkipWithError("no pages");
  const std::vector<TokenId> prompt = tokens;
  std::vector<char> trash(std::size_t{256} << 20);
  char mark = 0;
  for (auto _ : state) {
    state.PauseTiming();
    std::fill(trash.begin(), trash.end(), ++mark);
    benchmark::DoNotOptimize(trash.data());
    state.ResumeTiming();
    benchmark::DoNotOptimize(cache.Match(prompt));
  }
}
BENCHMARK(BM_MatchOneEdgeCold)->Arg(100'000)->Iterations(20);

void BM_AcquireReleaseOneEdge(benchmark::State& state) {
  const int size = static_cast<int>(state.range(0));
  PrefixCache cache(size / kPageSize + 1, kPageSize);
  const std::vector<TokenId> tokens = RandomTokens(size, 1);
  if (!Insert(cache, tokens)) return state.SkipWithError("no pages");
  for (auto _ : state) benchmark::DoNotOptimize(cache.Acquire(tokens).num_shared());
}
BENCHMARK(BM_AcquireReleaseOneEdge)->Arg(1'000)->Arg(100'000);

// Acquire, Extend, Finish of prompts of 64 tokens of which 32 are shared, the pool
// always full: each one evicts. The argument is the number of pages.
void BM_InsertAndEvict(benchmark::State& state) {
  const int num_pages = static_cast<int>(state.range(0));
  PrefixCache cache(num_pages, kPageSize);
  std::vector<TokenId> tokens = RandomTokens(64, 1);
  std::mt19937 random(2);
  const auto insert_next = [&] {
    for (std::size_t i = 32; i < 64; ++i) tokens[i] = static_cast<TokenId>(random() % 50'000);
    return Insert(cache, tokens);
  };
  for (int i = 0; i < num_pages; ++i) {
    if (!insert_next()) return state.SkipWithError("no pages");
  }
  for (auto _ : state) benchmark::DoNotOptimize(insert_next());
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_InsertAndEvict)->Arg(1'000)->Arg(100'000)->Arg(1'000'000);

// One step of a decoding sequence in sixteen: its page is whole and gets published.
void BM_PublishPageByPage(benchmark::State& state) {
  constexpr int kNumTokens = 16'000;
  const std::vector<TokenId> tokens = RandomTokens(kNumTokens, 1);
  for (auto _ : state) {
    PrefixCache cache(kNumTokens / kPageSize, kPageSize);
    PrefixLease lease = cache.Acquire({});
    for (int end = kPageSize; end <= kNumTokens; end += kPageSize) {
      if (!cache.Extend(lease, end)) return state.SkipWithError("no pages");
      cache.Publish(lease, std::span(tokens).first(static_cast<std::size_t>(end)));
    }
  }
  state.SetItemsProcessed(state.iterations() * (kNumTokens / kPageSize));
}
BENCHMARK(BM_PublishPageByPage);

}  // namespace
}  // namespace espalier

BENCHMARK_MAIN();
