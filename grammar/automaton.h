// Automaton: a network joined with a vocabulary; the places of a grammar, and the masks
// of those that have been asked for.
//
// A mask is put together from splits (token_split.h): for each item of the place the
// tokens inside its regex, and those behind it whose tails the continuation accepts. It is
// kept, so the second output to come to a place costs a copy. A memo only: masks are the
// same with it or without.
//
// Every token that can be walked leads to a place from which the output can be completed,
// since networks and regexes have no dead ends and each byte is a token by itself.
//
// Thread safety: thread-safe; the tables grow under a mutex.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grammar/fuel.h"
#include "grammar/limits.h"
#include "grammar/network.h"
#include "grammar/place_set.h"
#include "grammar/regex/regex_set.h"
#include "grammar/split_cache.h"
#include "grammar/vocabulary.h"
#include "kernels/base/mutex.h"
#include "kernels/base/status.h"
#include "kernels/base/token_mask.h"

namespace espalier {

using NetworkMaker = std::function<Result<std::unique_ptr<Network>>(RegexSet& set, Fuel& fuel)>;

class Automaton {
 public:
  // The place behind an end token: only end tokens can follow.
  static constexpr PlaceId kEnded = ~PlaceId{0};
  static constexpr std::size_t kMaxForcedBytes = 4'096;  // a longer text is forced in parts

  // Whether splits are taken from, and given to, the vocabulary's.
  enum class Splits : std::uint8_t { kShared, kOwn };

  // Errors are those of `make`; kInvalidArgument: no text satisfies the constraint;
  // kLimit; kCancelled: `stop`, if given, became true.
  static Result<std::shared_ptr<Automaton>> Make(const NetworkMaker& make,
                                                 std::shared_ptr<const Vocabulary> vocabulary,
                                                 const GrammarLimits& limits,
                                                 Splits splits = Splits::kShared,
                                                 const std::atomic<bool>* stop = nullptr);

  PlaceId start() const { return start_; }
  // kDead if `token`, any integer, may not follow.
  PlaceId Step(PlaceId place, TokenId token);
  // Allows in `mask` exactly the tokens that Step takes. kLimit: that takes more than
  // `max_steps` steps of Fuel; the mask is empty. REQUIRES: mask is clear.
  Status FillMask(PlaceId place, std::uint64_t max_steps, TokenMask* mask);

  // As the functions of GrammarMatcher (matcher.h): done, finished, and of their names.
  bool may_end(PlaceId place);
  bool must_end(PlaceId place);
  std::string ForcedBytes(PlaceId place);
  std::uint64_t MinBytesToEnd(PlaceId place);

  // True once the tables are so large that new outputs should begin with new ones.
  bool full();
  std::size_t size_bytes();   // of its tables, about
  std::uint64_t num_steps();  // that all calls have taken so far

 private:
  struct PlaceMask {
    std::vector<std::shared_ptr<const TokenSplit>> splits;
    std::vector<TokenId> tokens;  // besides
  };

  Automaton(std::shared_ptr<const Vocabulary> vocabulary, const GrammarLimits& limits,
            Splits splits);

  Status Compile(const NetworkMaker& make) ESP_REQUIRES(mutex_);
  void Refuel(std::uint64_t steps) ESP_REQUIRES(mutex_);
  const PlaceMask& MaskOf(PlaceId place) ESP_REQUIRES(mutex_);
  std::shared_ptr<const TokenSplit> MakeSplit(RegexId clamped, TokenLength length)
      ESP_REQUIRES(mutex_);
  std::shared_ptr<const TokenSplit> SplitOf(RegexId regex, TokenLength length) ESP_REQUIRES(mutex_);
  void AddTails(PlaceId place, const PlaceSet::Item& item, const TokenSplit& split,
                std::vector<TokenId>* tokens) ESP_REQUIRES(mutex_);
  void AddBranch(PlaceId place, PlaceId behind, const TokenTrie& trie,
                 const TokenSplit::Branch& branch, std::vector<TokenId>* tokens)
      ESP_REQUIRES(mutex_);
  void AddReached(PlaceId place, PlaceId end, std::span<const TokenId> reached,
                  std::vector<TokenId>* tokens) ESP_REQUIRES(mutex_);
  PlaceId Walk(PlaceId place, std::string_view bytes) ESP_REQUIRES(mutex_);

  const std::shared_ptr<const Vocabulary> vocabulary_;
  const GrammarLimits limits_;
  const Splits use_;
  PlaceId start_ = PlaceSet::kDead;  // never changed behind Make
  Mutex mutex_;
  Fuel fuel_ ESP_GUARDED_BY(mutex_);
  std::uint64_t refueled_ ESP_GUARDED_BY(mutex_) = 0;   // what fuel_ was last filled with
  std::uint64_t num_steps_ ESP_GUARDED_BY(mutex_) = 0;  // taken before that
  RegexSet regexes_ ESP_GUARDED_BY(mutex_);
  std::unique_ptr<Network> network_ ESP_GUARDED_BY(mutex_);
  std::unique_ptr<PlaceSet> places_ ESP_GUARDED_BY(mutex_);
  std::unordered_map<PlaceId, PlaceMask> masks_ ESP_GUARDED_BY(mutex_);
  // [TokenLength], by the clamped regex
  std::array<std::unordered_map<RegexId, std::shared_ptr<const TokenSplit>>, 2> splits_
      ESP_GUARDED_BY(mutex_);
  std::size_t mask_bytes_ ESP_GUARDED_BY(mutex_) = 0;  // of masks_ and splits_
  std::vector<PlaceId> path_ ESP_GUARDED_BY(mutex_);   // scratch of AddBranch: places by depth
};

}  // namespace espalier
