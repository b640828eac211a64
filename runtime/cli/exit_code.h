// Exit codes: a contract with scripts.
#pragma once

#include "kernels/base/status.h"

namespace espalier {

enum class ExitCode : int {
  kDone = 0,
  kFailed = 1,         // it ran and failed
  kBadInput = 2,       // a flag, a file, a schema, a model is wrong
  kInterrupted = 130,  // by Ctrl-C
};

// What an error with this code makes of the process.
ExitCode ExitCodeOf(Code code);

}  // namespace espalier
