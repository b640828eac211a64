// CompiledGrammar: a constraint, compiled for a vocabulary, to be shared by any number of
// matchers.
//
// What is immutable is the language; the tables of its automaton grow as they are walked.
// When they have grown too large a new automaton takes over, and the old one goes with the
// last matcher that is in it.
//
// Thread safety: thread-safe.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>

#include "grammar/automaton.h"
#include "grammar/limits.h"
#include "grammar/vocabulary.h"
#include "kernels/base/status.h"

namespace espalier {

class CompiledGrammar {
 public:
  static Result<std::shared_ptr<const CompiledGrammar>> Make(
      NetworkMaker make, std::shared_ptr<const Vocabulary> vocabulary, const GrammarLimits& limits);

  // The automaton for an output that begins, or has outgrown the one it was in.
  std::shared_ptr<Automaton> automaton() const;
  std::size_t size_bytes() const;  // of the automaton's tables so far

  const Vocabulary& vocabulary() const { return *vocabulary_; }

 private:
  CompiledGrammar(NetworkMaker make, std::shared_ptr<const Vocabulary> vocabulary,
                  const GrammarLimits& limits, std::shared_ptr<Automaton> automaton);

  const NetworkMaker make_;
  const std::shared_ptr<const Vocabulary> vocabulary_;
  const GrammarLimits limits_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<Automaton> automaton_;  // guarded by mutex_
};

}  // namespace espalier
