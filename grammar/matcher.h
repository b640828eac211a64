// GrammarMatcher: where one sequence stands in one grammar.
//
// A matcher is a cursor over an immutable CompiledGrammar. Accept() moves it,
// Rollback() undoes moves exactly, and nothing else changes it.
//
// Thread safety: none on one matcher; different matchers may be used from
// different threads even when they share a CompiledGrammar.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "grammar/constraint.h"
#include "grammar/vocabulary.h"
#include "kernels/base/status.h"
#include "kernels/base/token_mask.h"

namespace espalier {

class CompiledGrammar;  // compiled_grammar.h

// Compiles `spec` for `vocabulary`. kInvalidArgument says what is wrong and where;
// kUnsupported names what cannot be enforced; kLimit names the limit that it is over
// (limits.h). REQUIRES: spec.kind != kNone.
Result<std::shared_ptr<const CompiledGrammar>> CompileGrammar(
    const ConstraintSpec& spec, std::shared_ptr<const Vocabulary> vocabulary);

class GrammarMatcher {
 public:
  explicit GrammarMatcher(std::shared_ptr<const CompiledGrammar> grammar);
  GrammarMatcher(GrammarMatcher&&) noexcept;
  GrammarMatcher& operator=(GrammarMatcher&&) noexcept;
  ~GrammarMatcher();

  // A second cursor at the same place.
  GrammarMatcher Fork() const;

  // Sets `mask` to the tokens that can follow: token t is allowed iff Accept(t)
  // would succeed. An end token is allowed iff done(), and only end tokens can follow
  // one. No token leads to where the output could not be completed any more.
  // kLimit: working it out would take more than the limits allow (limits.h); the mask is
  // empty then, and the request must end.
  // REQUIRES: mask.vocab_size() >= the vocabulary's size (logits may be padded)
  Status FillMask(TokenMask& mask) const;

  // Moves over `token`. Returns false and stays put if the grammar forbids it.
  [[nodiscard]] bool Accept(TokenId token);

  // Undoes the last n accepted tokens. REQUIRES: n <= num_accepted().
  void Rollback(int n);

  // Bytes that must come next whatever the model says; empty if it has a choice.
  std::string ForcedBytes() const;

  // The fewest bytes that complete the output from here; 0 iff done().
  std::uint64_t MinBytesToEnd() const;

  int num_accepted() const;
  bool done() const;      // the output so far is complete: it may end here
  bool finished() const;  // it must end here: only end tokens can follow

 private:
  struct State;
  explicit GrammarMatcher(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace espalier
