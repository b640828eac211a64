// StopChecker: watches the bytes of one output for what ends it, across tokens.
//
// Bytes that may still become part of a stop are held back; the others are
// released. What is released, and where the output stops, depends on the bytes
// alone, not on how they were cut into tokens:
//
//   1. Stop strings: the output stops at the first byte that completes one; of
//      several completed there, the longest is cut. Held back is the longest suffix
//      that begins a stop string. O(1) amortised a byte and string.
//   2. Stop regexes: RE2 cannot say whether a match may still come, so matches are
//      sought in the last kRegexWindow bytes, and those are held back. The output
//      stops at the first byte that ends one; of several ended there, the longest is
//      cut. A pattern sees one byte before the window and none after the match.
//      O(kRegexWindow) a byte and pattern.
//   3. Bytes of the first min_new_tokens - 1 tokens are neither looked at nor held back.
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
  static constexpr std::size_t kRegexWindow = 128;  // bytes

  // Everything outlives the checker. REQUIRES: `params` passes CheckSamplingParams.
  StopChecker(const SamplingParams& params, const StopPatterns& patterns,
              const Vocabulary& vocabulary);

  struct Verdict {
    bool stopped = false;
    TokenId matched_token = -1;  // set if a stop token ended the output
    std::string matched;         // ... or what a stop string or regex matched
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
  std::size_t CompletedRegex() const;
  void Release(std::string& released);

  const SamplingParams& params_;
  const StopPatterns& patterns_;
  const Vocabulary& vocabulary_;
  std::vector<TokenId> stop_tokens_;   // ascending
  std::vector<std::uint16_t> states_;  // [strings]: bytes of each that the text ends with
  int num_tokens_ = 0;                 // fed so far
  // The end of the text: what is held back, and before it the byte that a regex may
  // look at.
  std::string tail_;
  std::size_t num_released_ = 0;  // first bytes of tail_ that are out
};

}  // namespace espalier
