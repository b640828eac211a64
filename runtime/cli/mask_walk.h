// MaskWalk: a schema compiled, and its instances walked token by token under the mask, with
// the CPU time of each part.
//
// Thread safety: none.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "grammar/constraint.h"
#include "grammar/matcher.h"
#include "kernels/base/status.h"
#include "kernels/base/token_mask.h"
#include "runtime/cli/schema_cases.h"
#include "runtime/engine/speller.h"
#include "runtime/tokenizer/tokenizer.h"

namespace espalier {

enum class Verdict : std::uint8_t { kAccepted, kStopped, kUndecided };  // of an instance

// Times in microseconds of CPU time of this thread.
struct WalkReport {
  Status compiled;
  double compile_us = 0;
  double first_mask_us = 0;       // from the schema's text to the first mask
  std::vector<double> mask_us;    // of each mask, with the acceptance of its token
  std::vector<Verdict> verdicts;  // [tests of the case]
  Status limit;                   // of the first instance that is kUndecided
  int num_mismatches = 0;         // masks that say another thing of a token than Accept
};

// Of tokens that an output would have.
struct ForcedShare {
  std::int64_t num_tokens = 0;
  std::int64_t num_forced = 0;  // those that jump-forward gives without a sampling step
};

class MaskWalk {
 public:
  // Makes what all schemas share: what the vocabulary is to any grammar.
  static Result<MaskWalk> Make(std::shared_ptr<const Tokenizer> tokenizer);

  // Nothing that was learnt from earlier schemas is used. Instances are tokenized as JSON
  // with ", " and ": ", characters raw. An instance that no token may spell any further is
  // stopped there.
  WalkReport Run(const ConstraintSpec& spec, const SchemaCase& of);

  // Of the tokens of those instances that the constraint accepts whole, tokenized as above;
  // nothing if it does not compile.
  ForcedShare CountForced(const ConstraintSpec& spec, const SchemaCase& of) const;

 private:
  explicit MaskWalk(std::shared_ptr<const Tokenizer> tokenizer);

  Verdict Walk(const std::shared_ptr<const CompiledGrammar>& grammar, const std::string& text,
               WalkReport& report);

  std::shared_ptr<const Tokenizer> tokenizer_;
  std::shared_ptr<const Vocabulary> vocabulary_;
  std::unique_ptr<const Speller> speller_;
  TokenMask mask_;
};

}  // namespace espalier
