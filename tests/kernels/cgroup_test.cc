#include "kernels/base/cgroup.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/scratch_folder.h"

namespace espalier {
namespace {

class Cgroup : public testing::Test {
 protected:
  void Write(const std::string& path, const std::string& text) {
    const std::filesystem::path whole = root_.path() + path;
    std::filesystem::create_directories(whole.parent_path());
    std::ofstream(whole) << text;
  }

  const test::ScratchFolder root_;
};

TEST_F(Cgroup, WithoutGroupsThereIsNoLimit) {
  const CgroupLimits limits = ReadCgroupLimits(root_.path());
  EXPECT_FALSE(limits.cpus || limits.free_bytes);
}

TEST_F(Cgroup, TheLeastOfAGroupAndThoseThatHoldItCounts) {
  Write("/proc/self/cgroup", "0::/service/worker\n");
  Write("/sys/fs/cgroup/service/worker/cpu.max", "max 100000\n");
  Write("/sys/fs/cgroup/service/cpu.max", "150000 100000\n");
  Write("/sys/fs/cgroup/service/worker/memory.max", "5000\n");
  Write("/sys/fs/cgroup/service/worker/memory.current", "1000\n");
  Write("/sys/fs/cgroup/service/memory.max", "9000\n");
  Write("/sys/fs/cgroup/service/memory.current", "8000\n");
  const CgroupLimits limits = ReadCgroupLimits(root_.path());
  EXPECT_EQ(limits.cpus, 1.5);
  EXPECT_EQ(limits.free_bytes, 1000);
}

TEST_F(Cgroup, AContainerSeesItsGroupAtTheMount) {
  Write("/proc/self/cgroup", "0::/../other\n");
  Write("/sys/fs/cgroup/cpu.max", "50000 100000\n");
  Write("/sys/fs/cgroup/memory.max", "max\n");
  Write("/sys/fs/cgroup/memory.current", "7\n");
  const CgroupLimits limits = ReadCgroupLimits(root_.path());
  EXPECT_EQ(limits.cpus, 0.5);
  EXPECT_FALSE(limits.free_bytes);
}

TEST_F(Cgroup, Version1HasAMountAController) {
  Write("/proc/self/cgroup", "4:memory:/box\n3:cpu,cpuacct:/box\n0::/\n");
  Write("/sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "-1\n");
  Write("/sys/fs/cgroup/cpu/box/cpu.cfs_period_us", "100000\n");
  Write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "300000\n");
  Write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  Write("/sys/fs/cgroup/memory/box/memory.limit_in_bytes", "4096\n");
  Write("/sys/fs/cgroup/memory/box/memory.usage_in_bytes", "5000\n");
  const CgroupLimits limits = ReadCgroupLimits(root_.path());
  EXPECT_EQ(limits.cpus, 3.0);
  EXPECT_EQ(limits.free_bytes, 0);
}

}  // namespace
}  // namespace espalier
