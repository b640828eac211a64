// The texts of the files of runtime/cli/bench/workloads, as they are built in.
//
// Thread safety: immutable.
#pragma once

#include <span>
#include <string_view>

namespace espalier {

struct WorkloadText {
  std::string_view name;  // of the file, without .sgl
  std::string_view text;
};
std::span<const WorkloadText> WorkloadTexts();

}  // namespace espalier
