// PromptSharing: how much of a run's prompts was computed, and how little could have been.
//
// The best possible run takes its requests in depth-first order of the tree of their
// tokens, with room for all of them: a prompt then costs the tokens that are on no path of
// an earlier prompt or output, and one at least, as the last token must run. The requests
// of one select are one token tree, which is counted once.
//
// Thread safety: none.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "kernels/base/types.h"

namespace espalier {

class PromptSharing {
 public:
  struct Request {
    std::vector<TokenId> prompt, output;
    std::int64_t cached_tokens = 0;  // of the prompt
    std::uint64_t tree = 0;          // the requests of one token tree have one number; 0: alone
  };
  void Add(Request request);

  struct Totals {
    std::int64_t prompt_tokens = 0;    // a token tree's once
    std::int64_t computed_tokens = 0;  // of prompts, in the run
    std::int64_t optimal_tokens = 0;   // of prompts, at best
    std::int64_t distinct_tokens = 0;  // of prompts and outputs: a cache of all of them
    double hit_rate() const { return Rate(computed_tokens); }
    double optimal_hit_rate() const { return Rate(optimal_tokens); }

   private:
    double Rate(std::int64_t computed) const {
      return prompt_tokens == 0
                 ? 0
                 : 1 - static_cast<double>(computed) / static_cast<double>(prompt_tokens);
    }
  };
  Totals Sum() const;

 private:
  std::vector<std::vector<Request>> trees_;  // one request, or those of a token tree
  std::map<std::uint64_t, std::size_t> by_number_;
};

}  // namespace espalier
