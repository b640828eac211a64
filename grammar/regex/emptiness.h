// Emptiness: whether a language has a string, exactly, even through And and Not.
//
// Only And and Not can make a language empty that does not look it: their automaton is
// searched (emptiness_search.h). What is found out is kept in the terms.
//
// Thread safety: none.
#pragma once

#include <cstdint>

#include "grammar/regex/derivatives.h"

namespace espalier {

class Emptiness {
 public:
  // Both must outlive this object.
  Emptiness(TermBuilder& builder, Derivatives& derivatives)
      : builder_(builder), store_(builder.store()), derivatives_(derivatives) {}

  // True if the language of `id` has a string. When fuel has run out, false.
  bool IsAlive(RegexId id);
  // False if `relaxed`, which contains some other language, is surely empty. Takes no more
  // than a bounded number of such questions inside each other: then, true.
  bool MayRelaxedBeAlive(RegexId relaxed);
  // As Derivatives::Derive, but kNothing if the language is empty; kept.
  RegexId DeriveAlive(RegexId id, std::uint8_t byte);

 private:
  bool IsChainAlive(RegexId id);
  RegexId Prune(RegexId id);

  TermBuilder& builder_;
  TermStore& store_;
  Derivatives& derivatives_;
  int num_relaxed_ = 0;  // questions being answered
};

}  // namespace espalier
