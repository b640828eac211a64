// What SGLang's own benchmark programs import beside the language: sglang.utils and
// sglang.test.test_utils. `self` of each is the run's BackendChoice.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include "frontend_lang/script/values/host.h"

namespace espalier::program {

// sglang.utils.

// An iterator over the values of a file of JSON lines; lines that begin with # are left out.
lang::Outcome<lang::Value> ReadJsonl(lang::Host&, const lang::Value& self, const lang::Args&);
// Writes nothing, and says so once a call: programs write no files.
lang::Outcome<lang::Value> DumpStateText(lang::Host&, const lang::Value& self, const lang::Args&);
lang::Outcome<lang::Value> PrintHighlight(lang::Host&, const lang::Value& self, const lang::Args&);
// Refused: programs reach no network but their model's.
lang::Outcome<lang::Value> RefuseNetwork(lang::Host&, const lang::Value& self, const lang::Args&);

// sglang.test.test_utils.

// Adds the options that all benchmarks share to an ArgumentParser, and parses.
lang::Outcome<lang::Value> AddCommonArgs(lang::Host&, const lang::Value& self, const lang::Args&);
// The command line decides the backend, so this only names it.
lang::Outcome<lang::Value> SelectBackend(lang::Host&, const lang::Value& self, const lang::Args&);

}  // namespace espalier::program
