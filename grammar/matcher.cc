#include "grammar/matcher.h"

#include <utility>
#include <vector>

#include "grammar/compiled_grammar.h"
#include "kernels/base/check.h"

namespace espalier {

struct GrammarMatcher::State {
  PlaceId place() const { return places.back(); }

  // Goes on in new tables where these are too large, or others have put much work into them.
  // Returns false if the accepted tokens alone fill them.
  bool LeaveFullAutomaton() {
    if (!automaton->full() && automaton->num_steps() <= max_work) return true;
    MoveTo(grammar->automaton());
    return !automaton->full();
  }

  void MoveTo(std::shared_ptr<Automaton> next) {
    automaton = std::move(next);
    places.assign(1, automaton->start());
    for (const TokenId token : tokens) places.push_back(automaton->Step(place(), token));
    max_work = automaton->num_steps() + grammar->limits().mask_steps / 4;
  }

  // What others have done makes a mask cheaper, but must not decide whether it is over the
  // limit. Of tables with at most half the limit of work in them, a mask that takes at most
  // the other half is under the limit on its own, too. Any other one is made again in tables
  // that only this output has walked.
  Status FillMask(TokenMask* mask) {
    const std::uint64_t max_steps = grammar->limits().mask_steps;
    if (automaton->FillMask(place(), max_steps / 2, mask).ok()) return Status();
    MoveTo(grammar->NewAutomaton());
    mask->Clear();
    return automaton->FillMask(place(), max_steps, mask);
  }

  std::shared_ptr<const CompiledGrammar> grammar;
  std::shared_ptr<Automaton> automaton;
  std::vector<TokenId> tokens;  // accepted
  std::vector<PlaceId> places;  // [tokens + 1]
  std::uint64_t max_work = 0;   // steps in the automaton's tables with which it is left
};

GrammarMatcher::GrammarMatcher(std::shared_ptr<const CompiledGrammar> grammar)
    : state_(std::make_unique<State>()) {
  state_->grammar = std::move(grammar);
  state_->MoveTo(state_->grammar->automaton());
}
GrammarMatcher::GrammarMatcher(std::unique_ptr<State> state) : state_(std::move(state)) {}
GrammarMatcher::GrammarMatcher(GrammarMatcher&&) noexcept = default;
GrammarMatcher& GrammarMatcher::operator=(GrammarMatcher&&) noexcept = default;
GrammarMatcher::~GrammarMatcher() = default;

GrammarMatcher GrammarMatcher::Fork() const {
  return GrammarMatcher(std::make_unique<State>(*state_));
}

Status GrammarMatcher::FillMask(TokenMask& mask) const {
  ESP_CHECK(mask.vocab_size() >= state_->grammar->vocabulary().size()) << mask.vocab_size();
  mask.Clear();
  if (!state_->LeaveFullAutomaton()) {
    return Status(Code::kLimit, "the output needs larger tables of its grammar than the limit");
  }
  return state_->FillMask(&mask);
}

bool GrammarMatcher::Accept(TokenId token) {
  const PlaceId next = state_->automaton->Step(state_->place(), token);
  if (next == PlaceSet::kDead) return false;
  state_->tokens.push_back(token);
  state_->places.push_back(next);
  return true;
}

void GrammarMatcher::Rollback(int n) {
  ESP_CHECK(n >= 0 && n <= num_accepted()) << n << " of " << num_accepted();
  state_->tokens.resize(state_->tokens.size() - static_cast<std::size_t>(n));
  state_->places.resize(state_->tokens.size() + 1);
}

std::string GrammarMatcher::ForcedBytes() const {
  return state_->automaton->ForcedBytes(state_->place());
}
std::uint64_t GrammarMatcher::MinBytesToEnd() const {
  return state_->automaton->MinBytesToEnd(state_->place());
}

int GrammarMatcher::num_accepted() const { return static_cast<int>(state_->tokens.size()); }
bool GrammarMatcher::done() const { return state_->automaton->may_end(state_->place()); }
bool GrammarMatcher::finished() const { return state_->automaton->must_end(state_->place()); }

}  // namespace espalier
