#include "grammar/compiled_grammar.h"

#include <utility>

#include "kernels/base/check.h"

namespace espalier {

CompiledGrammar::CompiledGrammar(NetworkMaker make, std::shared_ptr<const Vocabulary> vocabulary,
                                 const GrammarLimits& limits, std::shared_ptr<Automaton> automaton)
    : make_(std::move(make)),
      vocabulary_(std::move(vocabulary)),
      limits_(limits),
      automaton_(std::move(automaton)) {}

Result<std::shared_ptr<const CompiledGrammar>> CompiledGrammar::Make(
    NetworkMaker make, std::shared_ptr<const Vocabulary> vocabulary, const GrammarLimits& limits,
    const std::atomic<bool>* stop) {
  ESP_ASSIGN_OR_RETURN(std::shared_ptr<Automaton> automaton,
                       Automaton::Make(make, vocabulary, limits, Automaton::Splits::kShared, stop));
  return std::shared_ptr<const CompiledGrammar>(
      new CompiledGrammar(std::move(make), std::move(vocabulary), limits, std::move(automaton)));
}

std::shared_ptr<Automaton> CompiledGrammar::automaton() const {
  const MutexLock lock(mutex_);
  if (automaton_->full() || automaton_->num_steps() > limits_.mask_steps / 4) {
    automaton_ = MakeAgain(Automaton::Splits::kShared);
  }
  return automaton_;
}

std::shared_ptr<Automaton> CompiledGrammar::NewAutomaton() const {
  return MakeAgain(Automaton::Splits::kOwn);
}

std::shared_ptr<Automaton> CompiledGrammar::MakeAgain(Automaton::Splits splits) const {
  auto fresh = Automaton::Make(make_, vocabulary_, limits_, splits);
  ESP_CHECK(fresh.ok()) << "it compiled before: " << fresh.status().message();
  return std::move(fresh).value();
}

std::size_t CompiledGrammar::size_bytes() const {
  std::shared_ptr<Automaton> current;
  {
    const MutexLock lock(mutex_);
    current = automaton_;
  }
  return current->size_bytes();
}

}  // namespace espalier
