// What a generate command asks for, from its flags.
//
// Thread safety: main thread only.
#pragma once

#include <string>
#include <vector>

#include "grammar/constraint.h"
#include "kernels/base/status.h"
#include "runtime/cli/flags.h"
#include "runtime/cli/sampling_flags.h"

namespace espalier {

struct GenerateFlags {
  CommonFlags common;
  SamplingFlags sampling;
  std::string prompt;  // "-": all of stdin
  std::string jsonl;   // a file, or "-"
  std::string system;
  std::string regex, ebnf_file;
  std::string json_schema, structural_tag;  // a file, or the JSON itself
  std::vector<std::string> choices;
  std::string json_whitespace = "fixed", property_order = "schema", json_formats = "known",
              json_forms = "plain";
  int logprobs = -1;  // below 0: not asked
  bool chat = false;
  bool stream = true;
};

void DeclareConstraintFlags(CLI::App& app, GenerateFlags& flags);

// kNotFound and the like if a schema's or grammar's file cannot be read;
// kInvalidArgument if more than one constraint is given.
Result<ConstraintSpec> ReadConstraint(const GenerateFlags& flags);

}  // namespace espalier
