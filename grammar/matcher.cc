#include "grammar/matcher.h"

#include <utility>
#include <vector>

#include "grammar/compiled_grammar.h"
#include "kernels/base/check.h"

namespace espalier {

struct GrammarMatcher::State {
  CompiledGrammar::Place place() const { return places.back(); }

  std::shared_ptr<const CompiledGrammar> grammar;
  std::vector<CompiledGrammar::Place> places;  // [num_accepted + 1]
  CompiledGrammar::Scratch scratch;
};

GrammarMatcher::GrammarMatcher(std::shared_ptr<const CompiledGrammar> grammar)
    : state_(std::make_unique<State>(State{std::move(grammar), {CompiledGrammar::kStart}, {}})) {}
GrammarMatcher::GrammarMatcher(std::unique_ptr<State> state) : state_(std::move(state)) {}
GrammarMatcher::GrammarMatcher(GrammarMatcher&&) noexcept = default;
GrammarMatcher& GrammarMatcher::operator=(GrammarMatcher&&) noexcept = default;
GrammarMatcher::~GrammarMatcher() = default;

GrammarMatcher GrammarMatcher::Fork() const {
  return GrammarMatcher(std::make_unique<State>(State{state_->grammar, state_->places, {}}));
}

Status GrammarMatcher::FillMask(TokenMask& mask) const {
  ESP_CHECK(mask.vocab_size() >= state_->grammar->vocabulary().size()) << mask.vocab_size();
  mask.Clear();
  state_->grammar->FillMask(state_->place(), &state_->scratch, &mask);
  return Status();
}

bool GrammarMatcher::Accept(TokenId token) {
  CompiledGrammar::Place next;
  if (!state_->grammar->Step(state_->place(), token, &next)) return false;
  state_->places.push_back(next);
  return true;
}

void GrammarMatcher::Rollback(int n) {
  ESP_CHECK(n >= 0 && n <= num_accepted()) << n << " of " << num_accepted();
  state_->places.resize(state_->places.size() - static_cast<std::size_t>(n));
}

std::string GrammarMatcher::ForcedBytes() const {
  return state_->grammar->ForcedBytes(state_->place());
}

std::uint64_t GrammarMatcher::MinBytesToEnd() const {
  return state_->grammar->min_bytes_to_end(state_->place());
}

int GrammarMatcher::num_accepted() const { return static_cast<int>(state_->places.size()) - 1; }
bool GrammarMatcher::done() const { return state_->grammar->may_end(state_->place()); }
bool GrammarMatcher::finished() const { return state_->grammar->must_end(state_->place()); }

}  // namespace espalier
