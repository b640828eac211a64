#include "runtime/local/free_memory.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

#include "kernels/base/cgroup.h"

namespace espalier {
namespace {

std::optional<std::int64_t> MachineBytes() {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("MemAvailable:")) return std::atoll(line.c_str() + 13) * 1024;
  }
  return std::nullopt;
}

}  // namespace

std::int64_t FreeMemoryBytes() {
  std::int64_t bytes = MachineBytes().value_or(std::int64_t{2} << 30);
  if (const auto left = ReadCgroupLimits().free_bytes) bytes = std::min(bytes, *left);
  return bytes;
}

}  // namespace espalier
