// TextTracker: what assertions must know of the text that has gone by.
//
// A lookbehind asks whether the text so far is in some language, and a lookahead that was
// passed asks for the rest of the text to be in one. Both are languages that are derived by
// each character, so a state is one regex per lookbehind and one for all lookaheads that
// are still open. Characters that no assertion tells apart are one class, so a state has
// few successors; there are finitely many states as there are finitely many derivatives.
//
// Thread safety: as RegexSet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "grammar/regex/text_regex.h"
#include "kernels/base/status.h"

namespace espalier {

class TextTracker {
 public:
  using StateId = std::uint32_t;
  static constexpr RegexId kIgnored = ~RegexId{0};  // a lookbehind that nothing will ask for

  TextTracker(TextTracker&&) = default;
  TextTracker(const TextTracker&) = delete;

  // `sets`: what the assertions test characters against. kLimit if they cut the code points
  // into too many classes.
  static Result<TextTracker> Make(std::span<const CodePointSet> sets, TextRegex& text);

  // [lookbehinds]: texts in whose language the text so far would have to be, and the same
  // for the rest of the text.
  struct State {
    std::vector<RegexId> behinds;
    RegexId ahead = RegexSet::kAnything;
    friend auto operator<=>(const State&, const State&) = default;
  };
  StateId Intern(const State& state);
  const State& state(StateId id) const { return *states_[id]; }
  // True if the state is the same after every text.
  bool IsIdle(StateId id) const;

  // The states that texts lead to from one, and these texts.
  struct Path {
    StateId to;
    RegexId texts;
  };
  // kLimit if there are too many states.
  Result<std::vector<Path>> Paths(StateId from);

 private:
  static constexpr StateId kNoState = ~StateId{0};

  explicit TextTracker(TextRegex& text) : text_(&text) {}

  // [classes]: where a character of each class leads; kNoState: no text may follow it.
  const std::vector<StateId>& Successors(StateId id);
  // For each successor, the characters that lead there.
  std::map<StateId, CodePointSet> Moves(StateId id);
  bool Reachable(StateId from, std::vector<StateId>& states);
  std::vector<Path> PathsOfLastChar(StateId from, std::span<const StateId> states);
  std::vector<Path> PathsByElimination(std::span<const StateId> states);
  bool OnlyLastCharCounts(std::span<const StateId> states);

  TextRegex* text_;
  std::vector<CodePointSet> classes_;
  std::map<State, StateId> ids_;
  std::vector<const State*> states_;
  std::vector<std::vector<StateId>> successors_;  // [states]; empty: not made yet
  std::map<StateId, std::vector<Path>> paths_;
};

}  // namespace espalier
