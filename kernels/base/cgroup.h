// What the control groups (Linux cgroups, version 2 and 1) of this process leave it.
//
// A group's limit holds for all groups below it too, so the least of a process's own group
// and of those that hold it counts.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace espalier {

struct CgroupLimits {
  std::optional<double> cpus;              // CPU time a second; unset: no limit
  std::optional<std::int64_t> free_bytes;  // of memory that may still be taken; unset: no limit
};

// `root`: where /proc and /sys are, another folder for tests.
CgroupLimits ReadCgroupLimits(const std::string& root = "");

}  // namespace espalier
