#include "runtime/cli/uncaught.h"

#include <gtest/gtest.h>

#include <new>
#include <system_error>
#include <thread>

namespace espalier {
namespace {

template <typename Exception>
void ThrowOnAThread(const Exception& exception) {
  ExplainUncaughtExceptions();
  std::thread([&exception] { throw exception; }).join();
}

TEST(CliUncaught, MemoryAndThreadsThatAreNotGivenEndInOneLine) {
  EXPECT_EXIT(ThrowOnAThread(std::bad_alloc()), testing::ExitedWithCode(1),
              "^espalier: error: out of memory: [^\n]*\n$");
  const std::system_error busy(std::make_error_code(std::errc::resource_unavailable_try_again));
  EXPECT_EXIT(ThrowOnAThread(busy), testing::ExitedWithCode(1), "^espalier: error: [^\n]*\n$");
}

}  // namespace
}  // namespace espalier
