// What the tree costs: matching one long edge, acquiring, splitting, inserting, evicting under
// each policy, finding one of many children, a long chain, and the memory of a node.
#include <benchmark/benchmark.h>
#include <malloc.h>

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

// Out of the processor's caches with everything.
void FlushCpuCaches() {
  static std::vector<char> trash(std::size_t{256} << 20);
  static char mark = 0;
  std::fill(trash.begin(), trash.end(), ++mark);
  benchmark::DoNotOptimize(trash.data());
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

void BM_MatchOneEdgeCold(benchmark::State& state) {
  const int size = static_cast<int>(state.range(0));
  PrefixCache cache(size / kPageSize + 1, kPageSize);
  const std::vector<TokenId> tokens = RandomTokens(size, 1);
  if (!Insert(cache, tokens)) return state.SkipWithError("no pages");
  const std::vector<TokenId> prompt = tokens;
  for (auto _ : state) {
    state.PauseTiming();
    FlushCpuCaches();
    state.ResumeTiming();
    benchmark::DoNotOptimize(cache.Match(prompt));
  }
}
BENCHMARK(BM_MatchOneEdgeCold)->Arg(100'000)->Iterations(50);

void BM_AcquireReleaseOneEdge(benchmark::State& state) {
  const int size = static_cast<int>(state.range(0));
  PrefixCache cache(size / kPageSize + 1, kPageSize);
  const std::vector<TokenId> tokens = RandomTokens(size, 1);
  if (!Insert(cache, tokens)) return state.SkipWithError("no pages");
  for (auto _ : state) benchmark::DoNotOptimize(cache.Acquire(tokens).num_shared());
}
BENCHMARK(BM_AcquireReleaseOneEdge)->Arg(1'000)->Arg(100'000);

// Acquires half of an edge that is whole until then. The argument is its tokens.
void BM_Split(benchmark::State& state) {
  const int size = static_cast<int>(state.range(0));
  PrefixCache cache(size / kPageSize + 1, kPageSize);
  const std::vector<TokenId> tokens = RandomTokens(size, 1);
  const auto half = std::span(tokens).first(tokens.size() / 2);
  for (auto _ : state) {
    state.PauseTiming();
    cache.Flush();
    if (!Insert(cache, tokens)) return state.SkipWithError("no pages");
    state.ResumeTiming();
    benchmark::DoNotOptimize(cache.Acquire(half).num_shared());
  }
}
BENCHMARK(BM_Split)->Arg(1'024)->Arg(102'400);

// Acquire, Extend, Finish of prompts of 64 tokens of which 32 are shared, the pool
// always full: each one evicts. The arguments are the number of pages and the policy.
void BM_InsertAndEvict(benchmark::State& state) {
  const int num_pages = static_cast<int>(state.range(0));
  const auto policy = static_cast<EvictionPolicy>(state.range(1));
  PrefixCache cache(num_pages, kPageSize, {.eviction = policy});
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
  state.SetLabel(std::string(EvictionPolicyNames()[static_cast<std::size_t>(policy)]));
}
BENCHMARK(BM_InsertAndEvict)
    ->ArgsProduct({{1'000, 100'000}, {0, 1, 2, 3, 4}})
    ->Args({1'000'000, 0});

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

// One of many prompts of a page that have nothing in common: one node with that many children.
// The second argument is how many tokens of the page match.
void BM_FindChild(benchmark::State& state) {
  const int num_children = static_cast<int>(state.range(0));
  const auto num_tokens = static_cast<std::size_t>(state.range(1));
  PrefixCache cache(num_children, kPageSize);
  const std::vector<TokenId> all = RandomTokens(num_children * kPageSize, 1);
  const auto prompt = [&all](std::size_t i, std::size_t size) {
    return std::vector<TokenId>(all.begin() + static_cast<std::ptrdiff_t>(i * kPageSize),
                                all.begin() + static_cast<std::ptrdiff_t>(i * kPageSize + size));
  };
  for (int i = 0; i < num_children; ++i) {
    if (!Insert(cache, prompt(static_cast<std::size_t>(i), kPageSize))) {
      return state.SkipWithError("no pages");
    }
  }
  std::mt19937 random(3);
  std::vector<std::vector<TokenId>> prompts;
  for (int i = 0; i < 4096; ++i) {
    prompts.push_back(prompt(random() % static_cast<unsigned>(num_children), num_tokens));
  }
  std::size_t next = 0;
  for (auto _ : state) benchmark::DoNotOptimize(cache.Match(prompts[next++ % prompts.size()]));
}
BENCHMARK(BM_FindChild)->ArgsProduct({{10, 1'000, 100'000, 1'000'000}, {16, 3}});

// A chain of nodes of one page each, matched to its end.
void BM_MatchChain(benchmark::State& state) {
  const int depth = static_cast<int>(state.range(0));
  PrefixCache cache(depth + 2, kPageSize);
  const std::vector<TokenId> tokens = RandomTokens(depth * kPageSize, 1);
  PrefixLease one = cache.Acquire({}), two = cache.Acquire({});
  for (int end = kPageSize; end <= depth * kPageSize; end += kPageSize) {
    const auto so_far = std::span(tokens).first(static_cast<std::size_t>(end));
    for (PrefixLease* lease : {&one, &two}) {  // in step, so that no node can grow
      if (!cache.Extend(*lease, end)) return state.SkipWithError("no pages");
      cache.Publish(*lease, so_far);
    }
  }
  for (auto _ : state) benchmark::DoNotOptimize(cache.Match(tokens));
  state.SetItemsProcessed(state.iterations() * depth);
}
BENCHMARK(BM_MatchChain)->Arg(1'000)->Arg(100'000);

// A million nodes of one page, a thousand of them below each of a thousand: what a node takes
// beside its tokens and page ids, the allocator's share included.
void BM_MillionNodes(benchmark::State& state) {
  constexpr int kGroups = 1'000, kNodes = kGroups * (kGroups + 1);
  for (auto _ : state) {
    PrefixCache cache(kNodes, kPageSize);
    std::vector<TokenId> tokens(2 * kPageSize);
    const std::size_t before = mallinfo2().uordblks;
    for (int i = 0; i < kGroups * kGroups; ++i) {
      tokens[0] = static_cast<TokenId>(i / kGroups);
      tokens[kPageSize] = static_cast<TokenId>(i % kGroups);
      if (!Insert(cache, tokens)) return state.SkipWithError("no pages");
    }
    const double bytes = static_cast<double>(mallinfo2().uordblks - before) / kNodes;
    state.counters["bytes_a_node"] = bytes - kPageSize * sizeof(TokenId) - sizeof(PageId);
    state.counters["with_tokens"] = bytes;
    state.PauseTiming();
    cache.Flush();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * kGroups * kGroups);
}
BENCHMARK(BM_MillionNodes)->Iterations(1)->Unit(benchmark::kMillisecond);

// What computing so many tokens of a context costs, as eviction_order.cc has it.
double Work(double num_tokens) { return num_tokens * 4096 + num_tokens * num_tokens / 2; }

// Questions of 32 tokens about 200 documents of 64 to 4,096, which are asked about by Zipf's
// law; every third question (if the second argument says so) about one of 1,024 tokens that
// never comes again. The cache holds a quarter of the documents. What of the tokens, and of the
// work, is found in the cache.
void BM_HitRate(benchmark::State& state) {
  const auto policy = static_cast<EvictionPolicy>(state.range(0));
  const bool has_strangers = state.range(1) != 0;
  std::mt19937 random(2);
  std::vector<std::vector<TokenId>> documents;
  std::vector<double> weights;
  int num_tokens = 0;
  for (int i = 0; i < 200; ++i) {
    documents.push_back(RandomTokens(64 << (random() % 7), static_cast<unsigned>(i)));
    weights.push_back(1.0 / (i + 1));
    num_tokens += static_cast<int>(documents.back().size());
  }
  std::discrete_distribution<std::size_t> popular(weights.begin(), weights.end());
  double asked = 0, found = 0, work = 0, saved = 0;
  for (auto _ : state) {
    PrefixCache cache(num_tokens / 4 / kPageSize, kPageSize, {.eviction = policy});
    for (unsigned i = 0; i < 20'000; ++i) {
      const bool is_stranger = has_strangers && random() % 3 == 0;
      std::vector<TokenId> tokens =
          is_stranger ? RandomTokens(1024, 1000 + i) : documents[popular(random)];
      const std::vector<TokenId> question = RandomTokens(32, 100'000 + i);
      tokens.insert(tokens.end(), question.begin(), question.end());
      const int num_matched = cache.Match(tokens);
      if (!Insert(cache, tokens)) return state.SkipWithError("no pages");
      asked += static_cast<double>(tokens.size());
      found += num_matched;
      work += Work(static_cast<double>(tokens.size()));
      saved += Work(num_matched);
    }
  }
  state.counters["tokens_found_%"] = 100 * found / asked;
  state.counters["work_saved_%"] = 100 * saved / work;
  state.SetLabel(std::string(EvictionPolicyNames()[static_cast<std::size_t>(policy)]));
}
BENCHMARK(BM_HitRate)->ArgsProduct({{0, 1, 2, 4}, {0, 1}})->Iterations(1);

}  // namespace
}  // namespace espalier

BENCHMARK_MAIN();
