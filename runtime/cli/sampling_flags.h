// The sampling flags, made from the engine's option table: --top-k from its row
// top_k, with that row's range, help and parser.
//
// Thread safety: main thread only.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kernels/base/status.h"
#include "runtime/engine/sampling_params.h"

namespace CLI {
class App;
}

namespace espalier {

class SamplingFlags {
 public:
  // Adds the flags to `app`, which parses into this object: it must stay in place.
  void Declare(CLI::App& app);

  // What the flags say; unset ones keep their defaults. kInvalidArgument names the
  // flag that is out of range.
  Result<SamplingParams> Parse() const;

  // Whether the flag of this option was given.
  bool Has(std::string_view option) const;

 private:
  struct Flag {
    const SamplingOption* option;
    std::vector<std::string> values;
    bool is_set = false;  // of a boolean
  };
  Status Apply(const Flag& flag, SamplingParams& to) const;

  std::vector<Flag> flags_;
};

}  // namespace espalier
