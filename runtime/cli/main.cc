// The espalier program.
#include <csignal>
#include <string>
#include <vector>

#include "runtime/cli/commands.h"
#include "runtime/cli/interrupt.h"

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a write says so instead
  espalier::ExitOnInterrupt();
  const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
  return static_cast<int>(espalier::RunCommandLine(args));
}
