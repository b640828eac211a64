#include "kernels/base/cgroup.h"

#include <algorithm>
#include <fstream>
#include <string_view>
#include <vector>

namespace espalier {
namespace {

// The folder that `path` names below `mount`, and those that hold it, up to the mount itself.
// A container may see no more than its own, which is the mount then.
std::vector<std::string> FoldersUp(const std::string& mount, std::string path) {
  if (path.find("..") != std::string::npos) path.clear();  // outside of what can be seen
  std::vector<std::string> folders;
  for (;;) {
    folders.push_back(mount + path);
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return folders;
    path.resize(slash);
  }
}

// Of the group that controls `controller`. Lines are "hierarchy:controllers:path", where
// version 2 is the hierarchy 0 and names no controllers.
std::vector<std::string> Folders(const std::string& root, std::string_view controller) {
  std::vector<std::string> folders;
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string names = "," + line.substr(first + 1, second - first - 1) + ",";
    const bool is_version_2 = line.starts_with("0::");
    const bool is_of_it = names.find("," + std::string(controller) + ",") != std::string::npos;
    if (!is_version_2 && !is_of_it) continue;
    const std::string mount =
        root + "/sys/fs/cgroup" + (is_version_2 ? "" : "/" + std::string(controller));
    const std::vector<std::string> up = FoldersUp(mount, line.substr(second + 1));
    folders.insert(folders.end(), up.begin(), up.end());
  }
  return folders;
}

// The numbers that a file begins with; "max" is none.
std::vector<double> NumbersIn(const std::string& path) {
  std::vector<double> numbers;
  std::ifstream file(path);
  for (double number = 0; file >> number;) numbers.push_back(number);
  return numbers;
}

template <typename T>
void Lower(std::optional<T>& limit, T value) {
  limit = limit ? std::min(*limit, value) : value;
}

void LowerCpus(std::optional<double>& cpus, const std::vector<double>& quota_and_period) {
  if (quota_and_period.size() < 2) return;
  const double quota = quota_and_period[0], period = quota_and_period[1];
  if (quota > 0 && period > 0) Lower(cpus, quota / period);
}

void LowerFree(std::optional<std::int64_t>& free_bytes, const std::string& limit_path,
               const std::string& used_path) {
  const std::vector<double> limit = NumbersIn(limit_path), used = NumbersIn(used_path);
  if (limit.empty() || used.empty()) return;
  Lower(free_bytes, static_cast<std::int64_t>(std::clamp(limit[0] - used[0], 0.0, 9e18)));
}

}  // namespace

CgroupLimits ReadCgroupLimits(const std::string& root) {
  CgroupLimits limits;
  for (const std::string& folder : Folders(root, "cpu")) {
    LowerCpus(limits.cpus, NumbersIn(folder + "/cpu.max"));  // "150000 100000"
    std::vector<double> old = NumbersIn(folder + "/cpu.cfs_quota_us");
    const std::vector<double> period = NumbersIn(folder + "/cpu.cfs_period_us");
    old.insert(old.end(), period.begin(), period.end());
    LowerCpus(limits.cpus, old);
  }
  for (const std::string& folder : Folders(root, "memory")) {
    LowerFree(limits.free_bytes, folder + "/memory.max", folder + "/memory.current");
    LowerFree(limits.free_bytes, folder + "/memory.limit_in_bytes",
              folder + "/memory.usage_in_bytes");
  }
  return limits;
}

}  // namespace espalier
