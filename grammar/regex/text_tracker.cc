#include "grammar/regex/text_tracker.h"

#include <algorithm>
#include <utility>

#include "grammar/regex/path_languages.h"

namespace espalier {
namespace {

constexpr std::size_t kMaxClasses = 256;
constexpr std::size_t kMaxStates = 128;  // that follow from one

CodePointSet SpelledChars() { return CodePointSet::Of(0xD800, 0xDFFF).Complement(); }

// A member that takes few bytes to spell, if there is one.
char32_t Representative(const CodePointSet& chars) {
  return chars.Contains('a') ? U'a' : chars.ranges().back().first;
}

Status TooMany(std::string_view what) {
  return Status(Code::kLimit,
                "pattern: its assertions tell too many " + std::string(what) + " apart");
}

}  // namespace

Result<TextTracker> TextTracker::Make(std::span<const CodePointSet> sets, TextRegex& text) {
  TextTracker tracker(text);
  tracker.classes_ = {SpelledChars()};
  for (const CodePointSet& set : sets) {
    const CodePointSet outside = set.Complement();
    std::vector<CodePointSet> cut;
    for (const CodePointSet& chars : tracker.classes_) {
      for (CodePointSet part : {chars.Intersect(set), chars.Intersect(outside)}) {
        if (!part.empty()) cut.push_back(std::move(part));
      }
    }
    if (cut.size() > kMaxClasses) return TooMany("characters");
    tracker.classes_ = std::move(cut);
  }
  return tracker;
}

TextTracker::StateId TextTracker::Intern(const State& state) {
  const auto [at, is_new] = ids_.emplace(state, static_cast<StateId>(states_.size()));
  if (is_new) {
    states_.push_back(&at->first);
    successors_.emplace_back();
  }
  return at->second;
}

bool TextTracker::IsIdle(StateId id) const {
  const State& state = *states_[id];
  return state.ahead == RegexSet::kAnything &&
         std::all_of(state.behinds.begin(), state.behinds.end(),
                     [](RegexId behind) { return behind == kIgnored; });
}

const std::vector<TextTracker::StateId>& TextTracker::Successors(StateId id) {
  if (!successors_[id].empty()) return successors_[id];
  std::vector<StateId> successors;
  for (const CodePointSet& chars : classes_) {
    const char32_t c = Representative(chars);
    State next = *states_[id];
    for (RegexId& behind : next.behinds) {
      if (behind != kIgnored) behind = text_->Derive(behind, c);
    }
    next.ahead = text_->Derive(next.ahead, c);
    const bool dead = next.ahead != RegexSet::kAnything &&
                      text_->set().IsNothing(text_->set().And(text_->AnyText(), next.ahead));
    successors.push_back(dead ? kNoState : Intern(next));
  }
  successors_[id] = std::move(successors);
  return successors_[id];
}

std::map<TextTracker::StateId, CodePointSet> TextTracker::Moves(StateId id) {
  std::map<StateId, CodePointSet> moves;
  const std::vector<StateId>& successors = Successors(id);
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    if (successors[i] == kNoState) continue;
    CodePointSet& chars = moves[successors[i]];
    chars = chars.Union(classes_[i]);
  }
  return moves;
}

// All states that follow from `from`, itself first. False if they are too many.
bool TextTracker::Reachable(StateId from, std::vector<StateId>& states) {
  states = {from};
  for (std::size_t i = 0; i < states.size(); ++i) {
    for (const StateId next : Successors(states[i])) {
      const bool known = std::find(states.begin(), states.end(), next) != states.end();
      if (next != kNoState && !known) states.push_back(next);
    }
    if (states.size() > kMaxStates) return false;
  }
  return true;
}

Result<std::vector<TextTracker::Path>> TextTracker::Paths(StateId from) {
  if (const auto known = paths_.find(from); known != paths_.end()) return known->second;
  std::vector<StateId> states;
  if (!Reachable(from, states)) return TooMany("texts");
  std::vector<Path> paths =
      OnlyLastCharCounts(states) ? PathsOfLastChar(from, states) : PathsByElimination(states);
  std::erase_if(paths, [](const Path& path) { return path.texts == RegexSet::kNothing; });
  paths_.emplace(from, paths);
  return paths;
}

bool TextTracker::OnlyLastCharCounts(std::span<const StateId> states) {
  return std::all_of(states.begin(), states.end(), [&](StateId state) {
    return Successors(state) == Successors(states.front());
  });
}

std::vector<TextTracker::Path> TextTracker::PathsOfLastChar(StateId from,
                                                            std::span<const StateId> states) {
  RegexSet& set = text_->set();
  const std::map<StateId, CodePointSet> moves = Moves(from);
  if (states.size() == 1 && moves.size() == 1 && moves.begin()->second == SpelledChars()) {
    return {{from, text_->AnyText()}};
  }
  // Characters that no text may follow do not stand anywhere.
  CodePointSet allowed;
  for (const auto& [to, chars] : moves) allowed = allowed.Union(chars);
  const RegexId before = set.Star(text_->Char(allowed));
  std::vector<Path> paths;
  for (const StateId to : states) {
    const auto move = moves.find(to);
    RegexId texts = to == from ? RegexSet::kEmpty : RegexSet::kNothing;
    if (move != moves.end()) {
      texts = set.Or(texts, set.Concat(before, text_->Char(move->second)));
    }
    paths.push_back({to, texts});
  }
  return paths;
}

std::vector<TextTracker::Path> TextTracker::PathsByElimination(std::span<const StateId> states) {
  std::map<StateId, std::uint32_t> index;
  for (const StateId state : states) index.emplace(state, index.size());
  std::vector<PathStep> steps;
  for (const StateId from : states) {
    for (const auto& [to, chars] : Moves(from)) {
      steps.push_back({index[from], index[to], text_->Char(chars)});
    }
  }
  const std::vector<RegexId> texts =
      PathLanguages(static_cast<std::uint32_t>(states.size()), steps, text_->set());
  std::vector<Path> paths;
  for (std::size_t i = 0; i < states.size(); ++i) paths.push_back({states[i], texts[i]});
  return paths;
}

}  // namespace espalier
