// RunProgram: a program file and the calls of its entry -> what each call gave. The
// face of the language for the command line and the server.
//
// The file runs once from the top with __name__ == "__main__" (or another name); then the entry is
// called once for each EntryCall, all of them concurrently.
//
// Thread safety: pure functions, apart from the callbacks.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "frontend_lang/backend.h"
#include "frontend_lang/program/run_observer.h"
#include "frontend_lang/script/compile/bytecode.h"
#include "frontend_lang/trace/trace.h"
#include "kernels/base/status.h"

namespace espalier::program {

using ScriptProgram = std::shared_ptr<const script::Program>;

// The text of a program, compiled. A failure's message is several lines: where, what,
// the line with a caret, a hint.
Result<ScriptProgram> LoadProgram(std::string file_name, std::string text);

struct RunLimits {
  std::optional<std::int64_t> max_steps, timeout_ms;
  std::int64_t max_memory_mib = 2048;
  int max_depth = 1000;
};

struct RunOptions {
  std::optional<std::string> entry;      // unset: main, where the file leaves it to be called
  std::string module_name = "__main__";  // what the file finds in __name__
  // A function of the file that gets the arguments first and gives a dict: those of the
  // entry. Empty: none.
  std::string prepare;
  RunLimits limits;
  std::uint64_t seed = 0;
  bool wants_json = false;    // whether results have `returned` and `variables`
  std::string read_folder;    // whose files the program may read; empty: none
  std::string module_folder;  // whose .py and .sgl files it may import; empty: none
  // Called at most once, when the program first needs a model.
  std::function<Result<std::unique_ptr<Backend>>()> make_backend;
  // What the program prints; where that fails, the run stops.
  std::function<Status(std::string_view)> print;
  std::function<void(std::string_view)> print_error;  // and prints to sys.stderr
  std::function<void(std::string_view)> note;         // one line for a person
  std::function<void(int done, int total)> progress;  // of run_batch
  Trace* trace = nullptr;                             // written to where it is given
  RunObserver* observer = nullptr;                    // told where it is given
  // As ExecutorOptions has them, for runs that share a thread.
  std::function<void(std::chrono::steady_clock::time_point)> pause;
  std::function<bool()> stopped;
};

// Arguments by name. A text that is JSON is its value; other text is a str.
using EntryCall = std::vector<std::pair<std::string, std::string>>;

struct CallResult {
  // kUnsupported, kLimit, ... as the backend or a limit said; kInvalidArgument for an
  // error that the program raised.
  Status status;                     // message: "TypeError: ..." in one line
  std::string traceback;             // the whole story, where there is one
  bool raised = false;               // the program ran and raised; otherwise it did not run
  bool bad_arguments = false;        // it was `prepare` that raised
  std::optional<int> exit_code;      // of sys.exit, where that ended it
  bool has_return = false;           // the entry gave something that is not None
  std::string return_text;           // str() of it
  nlohmann::ordered_json returned;   // it as JSON (returned_json.h), where that is wanted
  nlohmann::ordered_json variables;  // likewise; of the state, where that is what was given
  std::string text;
  CallUsage usage;  // of what the call has asked; of the first, what the file has too
};

// One result a call, in order. Without calls: one result, of the file and an entry
// that takes no arguments.
std::vector<CallResult> RunProgram(const ScriptProgram& program, const RunOptions& options,
                                   const std::vector<EntryCall>& calls);

}  // namespace espalier::program
