// StopChecker: watches the bytes of one output for what ends it, across tokens.
//
// Bytes that may still become part of a stop are held back; the others are
// released. What is released, and where the output stops, depends on the bytes
// alone, not on how they were cut into tokens:
//
//   1. Stop strings: the output stops at the first byte that completes one; of
//      several completed there, the longest is cut. Held back is the longest suffix
//      that begins a stop string. O(1) amortised a byte and string.
//   2. Stop regexes (stop_regex.h): the output stops at the first byte that ends a match; of
//      several ended there, the longest is cut. Held back is all that a match may begin with,
//      however long.
//   3. A stop that is completed before token number min_new_tokens is none, though a later
//      one may begin there.
//
// The bytes of a special token are its name, or none if skip_special_tokens.
//
// Stop tokens (the vocabulary's end tokens unless ignore_eos, and stop_token_ids)
// end the output before their own bytes, and release what is held back.
//
// Thread safety: none on one object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/vocabulary.h"
#include "runtime/engine/sampling_params.h"
#include "runtime/engine/stop_patterns.h"

namespace espalier {

class StopChecker {
 public:
  // Everything outlives the checker. REQUIRES: `params` passes CheckSamplingParams.
  StopChecker(const SamplingParams& params, const StopPatterns& patterns,
              const Vocabulary& vocabulary);

  struct Verdict {
    bool stopped = false;
    TokenId matched_token = -1;  // set if a stop token ended the output
    std::string matched;         // ... or what a stop string or regex matched
    Status error;                // kLimit: a regex takes too many steps; the output must end
  };

  // Takes the output's next token and appends to `released` the bytes that are safe.
  // REQUIRES: nothing has stopped the output.
  Verdict Feed(TokenId token, std::string& released);

  // Appends what is held back: the output has ended for another reason.
  void Flush(std::string& released);

  // The tokens that must not be sampled before min_new_tokens; empty from there on.
  std::span<const TokenId> BannedTokens() const;

 private:
  std::string_view TextOf(TokenId token) const;
  // The length of the stop that `byte`, now the last of tail_, completes; 0: none.
  std::size_t CompletedString(char byte);
  std::size_t CompletedRegex(char byte);
  void Release(std::string& released);

  const SamplingParams& params_;
  const StopPatterns& patterns_;
  const Vocabulary& vocabulary_;
  std::vector<TokenId> stop_tokens_;   // ascending
  std::vector<std::uint16_t> states_;  // [strings]: bytes of each that the text ends with
  std::vector<StopRegexWalk> walks_;   // [regexes]
  int num_tokens_ = 0;                 // fed so far
  std::string tail_;                   // the end of the text: what is held back
};

}  // namespace espalier
