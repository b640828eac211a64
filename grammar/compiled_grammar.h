// CompiledGrammar: a constraint, compiled for a vocabulary, to be shared by any number of
// matchers.
//
// What is immutable is the language; the tables of its automaton grow as they are walked.
// When they have grown too large, or have had so much work put into them that verdicts on new
// work could depend on it (matcher.cc), a new automaton takes over, and the old one goes with
// the last matcher that is in it.
//
// Thread safety: thread-safe.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "grammar/automaton.h"
#include "grammar/constraint.h"
#include "grammar/limits.h"
#include "grammar/vocabulary.h"
#include "kernels/base/mutex.h"
#include "kernels/base/status.h"

namespace espalier {

class CompiledGrammar {
 public:
  // Errors are those of Automaton::Make.
  static Result<std::shared_ptr<const CompiledGrammar>> Make(
      NetworkMaker make, std::shared_ptr<const Vocabulary> vocabulary, const GrammarLimits& limits,
      const std::atomic<bool>* stop = nullptr);

  // The automaton for an output that begins, or has outgrown the one it was in.
  std::shared_ptr<Automaton> automaton() const;
  // One that no other output walks, and that takes nothing from other tables.
  std::shared_ptr<Automaton> NewAutomaton() const;
  std::size_t size_bytes() const;  // of the automaton's tables so far

  const Vocabulary& vocabulary() const { return *vocabulary_; }
  const GrammarLimits& limits() const { return limits_; }

 private:
  CompiledGrammar(NetworkMaker make, std::shared_ptr<const Vocabulary> vocabulary,
                  const GrammarLimits& limits, std::shared_ptr<Automaton> automaton);

  std::shared_ptr<Automaton> MakeAgain(Automaton::Splits splits) const;

  const NetworkMaker make_;
  const std::shared_ptr<const Vocabulary> vocabulary_;
  const GrammarLimits limits_;
  mutable Mutex mutex_;
  mutable std::shared_ptr<Automaton> automaton_ ESP_GUARDED_BY(mutex_);
};

// As CompileGrammar of matcher.h, but kCancelled if `stop` becomes true on the way.
Result<std::shared_ptr<const CompiledGrammar>> CompileGrammar(
    const ConstraintSpec& spec, std::shared_ptr<const Vocabulary> vocabulary,
    const std::atomic<bool>* stop);

}  // namespace espalier
