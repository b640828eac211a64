// The programs of `bench programs`: SGLang's benchmark suite with its shapes, on data that
// is generated. Each is a script whose main(n, seed) runs n programs at once.
//
// The shapes fit a context of 2,048 tokens, which is why the ReAct prompt has 1,000 tokens
// and not 1,900, and why a turn of a chat has at most 448.
//
// Thread safety: immutable.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace espalier {

struct BenchWorkload {
  std::string_view name;
  std::string_view summary;
  int num_programs;  // by default
  std::string_view script;
};
std::span<const BenchWorkload> BenchWorkloads();
const BenchWorkload* FindBenchWorkload(std::string_view name);  // null if there is none

// The script with what all of them use before it.
std::string BenchScript(const BenchWorkload& workload);

}  // namespace espalier
