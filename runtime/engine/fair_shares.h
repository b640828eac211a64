// FairShares: what each caller was served, so that the one that was served least goes next.
//
// A caller is an API key's, or else what has one cache_salt. A counter a caller goes up by
// the tokens that are run for it, weighed: those of a prompt when it is let in, as far as they
// are not cached, those of an output as they come. A caller that had nothing waiting is lifted to
// the lowest counter of those that have, so that nobody saves up a claim by being idle.
//
// Of two callers that both have something waiting, from one moment to another, the served
// differ by at most 2 * max(kInputWeight * longest prompt, kOutputWeight * tokens that run at
// once): Sheng et al., "Fairness in Serving Large Language Models", OSDI 2024, theorem 4.4.
//
// Thread safety: none. Engine thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/engine/expected_length.h"

namespace espalier {

// One caller's, and what is learned of its outputs.
struct FairShare {
  ExpectedLength output;
  std::int64_t served = 0;
  std::int32_t num_waiting = 0;
};

class FairShares {
 public:
  static constexpr std::int64_t kInputWeight = 1;
  static constexpr std::int64_t kOutputWeight = 2;

  // The share of a caller. It is remembered while it is held, and after that at least until
  // its counter could not matter any more or kMostIdle callers are idle.
  std::shared_ptr<FairShare> Of(std::string_view caller);

  // One more of the caller's sequences waits, or one less. Enter() lifts.
  void Enter(FairShare& share);
  void Leave(FairShare& share);

  std::size_t num_callers() const { return shares_.size(); }

  static constexpr std::size_t kMostIdle = 4096;

 private:
  void Forget();

  std::map<std::string, std::shared_ptr<FairShare>, std::less<>> shares_;
  std::size_t forget_at_ = 64;  // callers
  std::int64_t floor_ = 0;      // to which a caller is lifted, as of the last Enter or Leave
};

}  // namespace espalier
