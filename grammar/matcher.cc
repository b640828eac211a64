#include "grammar/matcher.h"

#include <utility>
#include <vector>

#include "grammar/compiled_grammar.h"
#include "kernels/base/check.h"

namespace espalier {

struct GrammarMatcher::State {
  PlaceId place() const { return places.back(); }

  // Begins again in a new automaton, if this one is too large. Returns false if the
  // accepted tokens alone fill it.
  bool LeaveFullAutomaton() {
    if (!automaton->full()) return true;
    automaton = grammar->automaton();
    places.assign(1, automaton->start());
    for (const TokenId token : tokens) places.push_back(automaton->Step(place(), token));
    return !automaton->full();
  }

  std::shared_ptr<const CompiledGrammar> grammar;
  std::shared_ptr<Automaton> automaton;
  std::vector<TokenId> tokens;  // accepted
  std::vector<PlaceId> places;  // [tokens + 1]
};

GrammarMatcher::GrammarMatcher(std::shared_ptr<const CompiledGrammar> grammar)
    : state_(std::make_unique<State>()) {
  state_->grammar = std::move(grammar);
  state_->automaton = state_->grammar->automaton();
  state_->places = {state_->automaton->start()};
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
  return state_->automaton->FillMask(state_->place(), &mask);
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
