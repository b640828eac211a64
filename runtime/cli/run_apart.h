// Work in child processes: an item that crashes or hangs costs its own result only.
//
// Thread safety: main thread only, while no other thread runs (it forks).
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

#include "kernels/base/status.h"

namespace espalier {

struct ApartWork {
  std::size_t num_items = 0;
  std::function<std::string(std::size_t item)> work;  // in a child; the result has no newline
  std::chrono::seconds limit{0};                      // of one item
};

// What became of an item: its result, or how the child died.
struct ApartResult {
  std::string result;
  std::string death;  // "killed by signal 11", "no answer in 60 s"; empty: there is a result
};

// Runs the items in order, each once. `take` gets what became of each, in this process; when
// it fails, the rest is dropped. A child does items until it dies, so what `work` keeps is
// there for the next.
Status RunApart(const ApartWork& work,
                const std::function<Status(std::size_t item, const ApartResult&)>& take);

}  // namespace espalier
