#include "runtime/cli/bus_error.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace espalier {
namespace {

// Reads a mapped page of a file that has been cut meanwhile.
void ReadBehindTheEnd() {
  constexpr std::size_t kSize = 8192;
  std::string path = testing::TempDir() + "bus_error_XXXXXX";
  const int fd = mkstemp(path.data());
  unlink(path.c_str());
  if (fd < 0 || ftruncate(fd, kSize) != 0) return;
  auto* mapped = static_cast<volatile char*>(mmap(nullptr, kSize, PROT_READ, MAP_SHARED, fd, 0));
  if (ftruncate(fd, 0) != 0) return;
  [[maybe_unused]] const char byte = mapped[0];
}

TEST(CliBusError, AMappedFileThatIsCutEndsInOneLine) {
  EXPECT_EXIT((ExplainBusErrors(), ReadBehindTheEnd()), testing::ExitedWithCode(1),
              "^espalier: error: a part of a file in use cannot be read");
}

}  // namespace
}  // namespace espalier
