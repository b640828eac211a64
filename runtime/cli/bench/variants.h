// The settings that `bench programs --compare` knows: one row a name.
//
// Thread safety: immutable.
#pragma once

#include <span>
#include <string_view>

#include "runtime/local/local_model_options.h"

namespace espalier {

struct BenchVariant {
  std::string_view name;
  std::string_view summary;
  void (*apply)(LocalModelOptions& options);
};
std::span<const BenchVariant> BenchVariants();
const BenchVariant* FindBenchVariant(std::string_view name);  // null if there is none

}  // namespace espalier
