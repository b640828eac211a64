#include "runtime/local/free_memory.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

namespace espalier {
namespace {

std::optional<std::int64_t> MachineBytes() {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("MemAvailable:")) return std::atoll(line.c_str() + 13) * 1024;
  }
  return std::nullopt;
}

std::optional<std::int64_t> NumberIn(const char* path) {
  std::ifstream file(path);
  std::int64_t value = 0;
  if (file >> value) return value;  // "max" is no number: no limit
  return std::nullopt;
}

}  // namespace

std::int64_t FreeMemoryBytes() {
  std::int64_t bytes = MachineBytes().value_or(std::int64_t{2} << 30);
  const auto limit = NumberIn("/sys/fs/cgroup/memory.max");
  const auto used = NumberIn("/sys/fs/cgroup/memory.current");
  if (limit && used) bytes = std::min(bytes, std::max<std::int64_t>(*limit - *used, 0));
  return bytes;
}

}  // namespace espalier
