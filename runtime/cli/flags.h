// The flags that commands share. Each is declared here once, with its default,
// its range and its help.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/cli/output.h"
#include "runtime/local/local_model_options.h"

namespace CLI {
class App;
class Option;
class Validator;
}  // namespace CLI

namespace espalier {

struct CommonFlags {
  LocalModelOptions local;  // --model, --threads, --kv-cache-tokens, ...
  std::string url;          // --url
  std::string api_key;
  std::uint64_t seed = 0;  // root of all seeds that are not given
  std::string log_level = "info";
  bool json = false;

  Log log() const;
};

// --model and --log-level: for commands that read a model file and run none.
void AddModelFlags(CLI::App& app, CommonFlags& flags);
// Those, and everything about running a model.
void AddEngineFlags(CLI::App& app, CommonFlags& flags);
// --url and --api-key in the help of a command that takes them.
void ShowServerFlags(CLI::App& app);
void AddJsonFlag(CLI::App& app, CommonFlags& flags);

// Accept a decimal integer in [low, high]; a number, which `what` calls so, or a number of seconds
// in [0, most]; one of `known`, where names of `planned` are refused as not built yet.
CLI::Validator WholeNumber(std::int64_t low, std::int64_t high);
CLI::Validator Number(double most, std::string what);
CLI::Validator Seconds(double most);
CLI::Validator OneOf(std::vector<std::string> known, std::vector<std::string> planned = {});

// An option that may be given several times, one value a time.
CLI::Option* AddRepeated(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                         const std::string& help);

// An empty value is an error for every flag but those of TEXT: it is mostly a shell variable
// that was never set, and must not leave a constraint away.
void RefuseEmptyValues(CLI::App& app);

// Lets the environment give every flag of `app`: ESPALIER_TOP_K for --top-k.
void AddEnvironment(CLI::App& app);

// kUnsupported if --url is given: for commands that run the model themselves.
Status RefuseUrl(const CommonFlags& flags);

}  // namespace espalier
