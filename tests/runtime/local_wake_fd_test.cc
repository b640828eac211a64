#include "runtime/local/wake_fd.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>

namespace espalier {
namespace {

bool IsReadable(const WakeFd& wake) {
  pollfd fds = {.fd = wake.fd(), .events = POLLIN, .revents = 0};
  return poll(&fds, 1, 0) == 1;
}

TEST(LocalWakeFd, IsReadableFromWakeToClear) {
  WakeFd wake;
  ASSERT_TRUE(wake.Open().ok());
  EXPECT_FALSE(IsReadable(wake));
  EXPECT_FALSE(wake.Clear());
  wake.Wake();
  wake.Wake();
  EXPECT_TRUE(IsReadable(wake));
  EXPECT_TRUE(wake.Clear());
  EXPECT_FALSE(IsReadable(wake));
}

TEST(LocalWakeFd, WithoutADescriptorLeftOpenSaysSo) {
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none = {.rlim_cur = 0, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  WakeFd wake;
  const Status status = wake.Open();
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(status.code(), Code::kOverloaded);
  EXPECT_NE(status.message().find("file descriptor"), std::string::npos) << status.message();
  wake.Wake();  // and nothing happens
  EXPECT_TRUE(wake.Open().ok());
}

}  // namespace
}  // namespace espalier
