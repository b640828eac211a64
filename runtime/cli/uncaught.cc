#include "runtime/cli/uncaught.h"

#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>
#include <system_error>

#include "runtime/cli/exit_code.h"
#include "runtime/cli/raw_terminal.h"

namespace espalier {
namespace {

// Without allocating: there may be no memory.
void Say(std::string_view text) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

[[noreturn]] void EndWith(std::string_view reason, std::string_view advice) {
  GiveTerminalBack();
  Say("espalier: error: ");
  Say(reason);
  Say(advice);
  _exit(static_cast<int>(ExitCode::kFailed));
}

[[noreturn]] void OnTerminate() {
  if (std::current_exception() == nullptr) std::abort();
  try {
    throw;
  } catch (const std::bad_alloc&) {
    EndWith("out of memory", ": ask for less at once\n");
  } catch (const std::system_error& error) {
    EndWith(error.what(), ": the system does not give what was asked for\n");
  } catch (const std::exception& error) {
    Say("espalier: internal error: ");
    Say(error.what());
    Say("\n");
  } catch (...) {
  }
  std::abort();
}

}  // namespace

void ExplainUncaughtExceptions() { std::set_terminate(OnTerminate); }

}  // namespace espalier
