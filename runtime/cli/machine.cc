#include "runtime/cli/machine.h"

#include <fstream>

#include <fmt/format.h>

#include "kernels/base/thread_pool.h"

namespace espalier {

std::string MachineName() {
  std::ifstream file("/proc/cpuinfo");
  std::string name = "unknown CPU";
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (!line.starts_with("model name") || colon == std::string::npos) continue;
    name = line.substr(colon + 2);
    break;
  }
  return fmt::format("{}, {} CPUs", name, NumUsableCpus());
}

}  // namespace espalier
