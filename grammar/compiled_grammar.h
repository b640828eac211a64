// CompiledGrammar: a language of byte strings, joined with a vocabulary.
//
// It is an automaton of places. A place is where an output stands after some tokens;
// only matchers hold places, and only this file knows what they are. Here a place is a
// node of a ByteTrie; other kinds of grammar bring other automata behind the same
// calls.
//
// The join matters: a token may lead into the language and yet to a place from which
// no further tokens spell anything whole. Such places are dead, and no token leads to
// one, so an output can always be completed.
//
// Thread safety: immutable, but for the scratch space that callers pass in.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/byte_trie.h"
#include "grammar/vocabulary.h"
#include "kernels/base/token_mask.h"
#include "kernels/base/types.h"

namespace espalier {

class CompiledGrammar {
 public:
  using Place = ByteTrie::Node;
  using Scratch = std::vector<Place>;

  static constexpr Place kStart = ByteTrie::kRoot;
  // After an end token: only end tokens can follow.
  static constexpr Place kEnded = ~Place{0};

  CompiledGrammar(ByteTrie language, std::shared_ptr<const Vocabulary> vocabulary);

  // True if `text` is in the language, and tokens can spell it.
  bool CanSpell(std::string_view text) const;

  // Sets *next and returns true if `token`, any integer, may follow `place`.
  bool Step(Place place, TokenId token, Place* next) const;
  // Allows in `mask` exactly the tokens that Step takes. REQUIRES: mask is clear.
  void FillMask(Place place, Scratch* scratch, TokenMask* mask) const;
  std::string ForcedBytes(Place place) const;

  bool may_end(Place place) const { return place == kEnded || language_.is_end(place); }
  bool must_end(Place place) const {
    return place == kEnded || (language_.is_end(place) && bytes_on_[place] == kNever);
  }

  std::uint64_t min_bytes_to_end(Place place) const {
    return place == kEnded || language_.is_end(place) ? 0 : bytes_on_[place];
  }

  const Vocabulary& vocabulary() const { return *vocabulary_; }

 private:
  static constexpr std::uint32_t kNever = ~std::uint32_t{0};
  bool live(Place place) const { return language_.is_end(place) || bytes_on_[place] != kNever; }

  template <typename Visit>
  void WalkTokens(Place from, Scratch* scratch, const Visit& visit) const;
  void MarkReached();
  std::vector<std::uint32_t> Depths() const;
  void FindBytesOn();
  bool HasAllBytes() const;

  const ByteTrie language_;
  const std::shared_ptr<const Vocabulary> vocabulary_;
  // [nodes]: the fewest bytes of one token or more that complete the output; kNever if
  // no token leads to a live place.
  std::vector<std::uint32_t> bytes_on_;
  std::vector<std::uint8_t> reached_;  // [nodes]: tokens lead here from the start
};

}  // namespace espalier
