// The programs of `bench programs`: SGLang's benchmark suite with its shapes, on data that is
// generated from a seed. Each is a file of workloads/ whose main(n, seed) runs n programs at
// once, after the prelude that all of them have: its start(n, seed, scale) is the entry.
//
// With scale 1 lengths are those of the paper (Zheng et al. 2024, arXiv 2312.07104); some of
// them need a context of 4,096 tokens. With kSmallScale all fit 2,048.
//
// Thread safety: immutable.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace espalier {

struct BenchWorkload {
  std::string_view name;  // of its file
  std::string_view summary;
  int num_programs;         // by default
  std::int32_t prefix = 0;  // tokens of the prefixes whose whole reuse is counted; 0: none is
};
std::span<const BenchWorkload> BenchWorkloads();
const BenchWorkload* FindBenchWorkload(std::string_view name);  // null if there is none

inline constexpr double kSmallScale = 0.6;

// The whole script.
std::string BenchScript(const BenchWorkload& workload);

}  // namespace espalier
